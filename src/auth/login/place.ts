/** Where a login leads: which deployment, and under which name its profile is kept. */
import { parseBaseUrl } from '../../client/base-url.js';
import { UsageError } from '../../service/errors.js';
import type { Sources } from '../sources.js';
import { isAt, isUnusable, type Profile, profileName } from '../store/profile.js';
import type { LoginDependencies, LoginOptions } from './login-context.js';

export interface LoginPlace {
  readonly name: string;
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  /** The profile that has the name so far. */
  readonly before: Profile | undefined;
  /** The same, when it is of the same deployment: what it knows can be used again. */
  readonly known: Profile | undefined;
}

/**
 * Finds the place: flag, environment, the profile in use, question. A deployment whose profile is not named gets the profile
 * that it has, or a new one: never that of another museum. Throws a UsageError when no deployment is named.
 */
export async function placeOf(flags: LoginOptions, means: LoginDependencies): Promise<LoginPlace> {
  const { environment, store, prompt } = means;
  const { names, current } = await store.names();
  const named = flags.profile ?? (environment.OPAC_PROFILE || undefined);
  const inUse = named ?? current;
  const address =
    flags.baseUrl ||
    environment.OPAC_BASE_URL ||
    (inUse !== undefined && (await readable(inUse, means))?.baseUrl) ||
    withScheme(await prompt.ask('Address of the deployment: '));
  if (!address) throw new UsageError('no deployment is named', 'name it with --base-url, or try --mock');

  const name = profileName(named ?? (await nameOf(address, current ? [current, ...names] : names, means)));
  const before = await readable(name, means);
  const known = before && isAt(before, address) ? before : undefined;
  const allowHttp = flags.allowHttp || known?.allowHttp || false;
  return { name, baseUrl: parseBaseUrl(address, { allowHttp }), allowHttp, before, known };
}

/** What was typed as an address is often a host name alone: that is asked over https. */
function withScheme(typed: string | undefined): string | undefined {
  const address = typed?.trim();
  return address && !address.includes('://') ? `https://${address}` : address;
}

/** The name of the profile that a deployment has, or one that none has: `default`, or made from its address. */
async function nameOf(address: string, names: readonly string[], means: LoginDependencies): Promise<string> {
  for (const name of names) {
    const profile = await readable(name, means);
    if (profile && isAt(profile, address)) return name;
  }
  if (!names.includes('default')) return 'default';
  const { host, pathname } = new URL(parseBaseUrl(address, { allowHttp: true }));
  return `${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|-+$/g, '')
    .slice(0, 64);
}

/** The profile as it is; one that cannot be used as it is counts as none. */
async function readable(name: string, { store }: Pick<Sources, 'store'>): Promise<Profile | undefined> {
  try {
    return await store.get(name);
  } catch (error) {
    if (isUnusable(error)) return undefined;
    throw error;
  }
}

/** Which deployment a login is for, and the name of its profile. */
import { parseBaseUrl } from '../../client/base-url.js';
import { UsageError } from '../../service/errors.js';
import { isForBaseUrl, isUnusable, type Profile, profileName } from '../store/profile.js';
import type { ProfileStore } from '../store/profiles.js';
import type { LoginOptions } from './login-context.js';
import type { LoginDependencies } from './login-dependencies.js';

export interface LoginTarget {
  readonly name: string;
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  /** The profile that has the name so far. */
  readonly replaced: Profile | undefined;
  /** The same profile, if it belongs to this deployment. */
  readonly saved: Profile | undefined;
}

/**
 * Resolves the deployment: option, environment, current profile, prompt. Without a profile name the deployment keeps its own
 * profile or gets a new one: it never replaces that of another deployment. Throws a UsageError when no deployment is given.
 */
export async function resolveTarget(
  options: LoginOptions,
  { environment, store, prompt }: LoginDependencies,
): Promise<LoginTarget> {
  const { names, current } = await store.names();
  const named = options.profile ?? (environment.OPAC_PROFILE || undefined);
  const inUse = named ?? current;
  const address =
    options.baseUrl ||
    environment.OPAC_BASE_URL ||
    (inUse !== undefined && (await readUsable(inUse, store))?.baseUrl) ||
    withHttps(await prompt.ask('Address of the deployment: '));
  if (!address) throw new UsageError('no deployment given', 'set it with --base-url, or try --mock');

  const name = profileName(named ?? (await nameFor(address, current ? [current, ...names] : names, store)));
  const replaced = await readUsable(name, store);
  const saved = replaced && isForBaseUrl(replaced, address) ? replaced : undefined;
  const allowHttp = options.allowHttp || saved?.allowHttp || false;
  return { name, baseUrl: parseBaseUrl(address, { allowHttp }), allowHttp, replaced, saved };
}

function withHttps(typed: string | undefined): string | undefined {
  const address = typed?.trim();
  return address && !address.includes('://') ? `https://${address}` : address;
}

/** The name of the deployment's profile, or a free one: `default`, or made from its address. */
async function nameFor(address: string, names: readonly string[], store: ProfileStore): Promise<string> {
  for (const name of names) {
    const profile = await readUsable(name, store);
    if (profile && isForBaseUrl(profile, address)) return name;
  }
  if (!names.includes('default')) return 'default';
  const { host, pathname } = new URL(parseBaseUrl(address, { allowHttp: true }));
  return `${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|-+$/g, '')
    .slice(0, 64);
}

async function readUsable(name: string, store: ProfileStore): Promise<Profile | undefined> {
  try {
    return await store.get(name);
  } catch (error) {
    if (isUnusable(error)) return undefined;
    throw error;
  }
}

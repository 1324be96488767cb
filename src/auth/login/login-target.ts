/** Which deployment a login is for, and the name of its profile. */
import { parseBaseUrl } from '../../client/base-url.js';
import { UsageError } from '../../service/errors.js';
import { isForBaseUrl, type Profile, parseProfileName } from '../store/profile.js';
import type { ProfileStore } from '../store/profile-store.js';
import type { LoginDependencies, LoginOptions } from './login-context.js';

interface LoginTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly replaced: Profile | undefined;
  readonly saved: Profile | undefined;
}

/** Without a profile name, never replaces the profile of another deployment. Throws a UsageError without a deployment. */
export async function resolveLoginTarget(
  options: LoginOptions,
  { environment, store, prompt }: LoginDependencies,
): Promise<LoginTarget> {
  const { names, current } = await store.listNames();
  const named = options.profile ?? (environment.OPAC_PROFILE || undefined);
  const inUse = named ?? current;
  const address =
    options.baseUrl ||
    environment.OPAC_BASE_URL ||
    (inUse !== undefined && (await store.getUsable(inUse))?.baseUrl) ||
    withHttps(await prompt.ask('Address of the deployment: '));
  if (!address) throw new UsageError('no deployment given', 'set it with --base-url, or try --mock');

  const name = parseProfileName(
    named ?? (await chooseProfileName(address, current ? [current, ...names] : names, store)),
  );
  const replaced = await store.getUsable(name);
  const saved = replaced && isForBaseUrl(replaced, address) ? replaced : undefined;
  const allowHttp = options.allowHttp ?? saved?.allowHttp ?? false;
  return { name, baseUrl: parseBaseUrl(address, { allowHttp }), allowHttp, replaced, saved };
}

function withHttps(typed: string | undefined): string | undefined {
  const address = typed?.trim();
  return address && !address.includes('://') ? `https://${address}` : address;
}

async function chooseProfileName(
  address: string,
  names: readonly string[],
  store: ProfileStore,
): Promise<string> {
  for (const name of names) {
    const profile = await store.getUsable(name);
    if (profile && isForBaseUrl(profile, address)) return name;
  }
  if (!names.includes('default')) return 'default';
  const { host, pathname } = new URL(parseBaseUrl(address, { allowHttp: true }));
  return `${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|-$/g, '')
    .slice(0, 64);
}

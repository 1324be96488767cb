/** Finds the deployment of a login, and the name of its profile. */
import { parseBaseUrl } from '../../client/base-url.js';
import { UsageError } from '../../service/errors.js';
import { isForBaseUrl, type Profile, parseProfileName } from '../store/profile.js';
import type { ProfileStore } from '../store/profile-store.js';
import type { LoginDependencies, LoginOptions } from './login-context.js';

interface LoginTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  /** The existing profile with this name, which the login replaces. */
  readonly replaced: Profile | undefined;
  /** The same profile, if it is for `baseUrl`. The login then keeps its settings. */
  readonly saved: Profile | undefined;
}

/** Throws a UsageError if no URL is given, or for an invalid URL or name. */
export async function resolveLoginTarget(
  options: LoginOptions,
  { environment, store, prompt }: LoginDependencies,
): Promise<LoginTarget> {
  const { names, current } = await store.listNames();
  const named = options.profile ?? (environment.OPAC_PROFILE || undefined);
  const findUrl = async (profile: string | undefined) =>
    profile === undefined ? undefined : (await store.getUsable(profile))?.baseUrl;
  // The URL of the profile that `-p` selects takes precedence over OPAC_BASE_URL.
  const url =
    options.baseUrl ||
    (await findUrl(options.profile)) ||
    environment.OPAC_BASE_URL ||
    (await findUrl(named ?? current)) ||
    addHttps(await prompt.lineFromTerminal('URL of the deployment: '));
  if (!url) throw new UsageError('no deployment given', 'set it with --base-url, or try --mock');

  const name = parseProfileName(
    named ?? (await chooseProfileName(url, current ? [current, ...names] : names, store)),
  );
  const replaced = await store.getUsable(name);
  const saved = replaced && isForBaseUrl(replaced, url) ? replaced : undefined;
  const allowHttp = options.allowHttp ?? saved?.allowHttp ?? false;
  return { name, baseUrl: parseBaseUrl(url, { allowHttp }), allowHttp, replaced, saved };
}

function addHttps(typed: string | undefined): string | undefined {
  const url = typed?.trim();
  return url && !url.includes('://') ? `https://${url}` : url;
}

async function chooseProfileName(
  url: string,
  names: readonly string[],
  store: ProfileStore,
): Promise<string> {
  for (const name of names) {
    const profile = await store.getUsable(name);
    if (profile && isForBaseUrl(profile, url)) return name;
  }
  if (!names.includes('default')) return 'default';
  const { host, pathname } = new URL(parseBaseUrl(url, { allowHttp: true }));
  return `${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|-$/g, '')
    .slice(0, 64);
}

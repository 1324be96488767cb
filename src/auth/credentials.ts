/** The Authorization header of each scheme: a basic key, or an access token that is renewed. */
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import { OpacError, UsageError } from '../service/errors.js';
import { abortable } from '../system/abortable.js';
import type { AccessToken } from './flow/token-exchange.js';
import type { Profile } from './store/profile.js';

export const LOGIN_HINT = 'log in with "opac login"';

/** opac renews a token this long before it expires, or after 90 % of a short lifetime. */
const RENEWAL_MARGIN_MS = 60_000;
const MAX_RENEWAL_MARGIN_RATIO = 0.1;

function isFresh({ issuedAt, expiresAt }: AccessToken, now: number): boolean {
  return now < expiresAt - Math.min(RENEWAL_MARGIN_MS, (expiresAt - issuedAt) * MAX_RENEWAL_MARGIN_RATIO);
}

/** Returns the key or token without surrounding space. Throws a UsageError if a header cannot contain it. */
export function parseHeaderValue(text: string, name: string): string {
  const value = text.trim();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    `${name} contains characters that a header cannot contain`,
    'copy it again, without spaces and line breaks',
  );
}

/** Returns credentials without renewal, because a basic key never expires (INTERFACE.md "Basic key"). */
export function createBasicCredentials(key: string, hint: string): Credentials {
  const header = `Basic ${key}`;
  return { scheme: 'basic', authorization: async () => header, hint };
}

export function createProfileHint({ name, scheme }: Profile): string {
  return `log in with "opac login -p ${name}${scheme === 'basic' ? ' --basic-key' : ''}"`;
}

/** Returns credentials for a profile without saved secrets. Requests have no Authorization header. */
export function createLoggedOutCredentials(profile: Profile): Credentials {
  const hint = `profile "${profile.name}" has no credentials; ${createProfileHint(profile)}`;
  return { ...ANONYMOUS, scheme: profile.scheme, hint };
}

/** Returns credentials whose `authorization` throws an OpacError of kind `auth`, so that opac sends no request. */
export function createMissingCredentials(
  scheme: Credentials['scheme'],
  what: string,
  hint: string,
): Credentials {
  return {
    scheme,
    hint,
    authorization: async () => {
      throw new OpacError('auth', `no ${what}`, { hint, code: 'credentials-missing' });
    },
  };
}

export interface TokenSource {
  readonly token?: AccessToken | undefined;
  readonly load?: () => Promise<AccessToken | undefined>;
  readonly save?: (token: AccessToken) => Promise<void>;
  readonly renewToken: () => Promise<AccessToken | undefined>;
  readonly now: () => number;
  readonly hint?: string | undefined;
  /** The name of the profile, for messages. */
  readonly profile?: string | undefined;
}

/** After a 401, saves a new token only when the service has accepted it. Until then, other processes cannot use the token. */
export function createBearerCredentials(source: TokenSource): Credentials {
  const { now, load, save, renewToken, hint = LOGIN_HINT } = source;
  const expiredHint = source.profile && `log in again with: opac login -p ${source.profile}`;
  let token = source.token;
  let unsaved: AccessToken | undefined;

  async function findFreshToken(rejected: string | undefined): Promise<AccessToken | undefined> {
    if (token && formatHeader(token) !== rejected && isFresh(token, now())) return token;
    const stored = await load?.();
    if (!stored || formatHeader(stored) === rejected || !isFresh(stored, now())) return undefined;
    token = stored;
    return stored;
  }
  async function replaceExpired(): Promise<AccessToken | undefined> {
    const stored = await findFreshToken(token && formatHeader(token));
    if (stored) return stored;
    const renewed = await renewToken();
    if (!renewed) return undefined;
    token = renewed;
    await save?.(renewed);
    return renewed;
  }
  let replacing: Promise<AccessToken | undefined> | undefined;
  function replaceOnce(): Promise<AccessToken | undefined> {
    replacing ??= replaceExpired().finally(() => {
      replacing = undefined;
    });
    return replacing;
  }

  return {
    scheme: 'bearer',
    hint,
    expiredHint,
    async authorization(signal) {
      signal?.throwIfAborted();
      const usable = token && isFresh(token, now()) ? token : await abortable(replaceOnce(), signal);
      if (usable) return formatHeader(usable);
      // If the token cannot be renewed, requests use it until it expires.
      if (token && now() < token.expiresAt) return formatHeader(token);
      if (!token) throw new OpacError('auth', 'no access token', { hint, code: 'credentials-missing' });
      throw new OpacError(
        'auth',
        expiredHint
          ? 'your login has expired'
          : `the access token expired at ${new Date(token.expiresAt).toISOString()}`,
        { hint: expiredHint ?? hint, code: 'token-expired' },
      );
    },
    async reload(rejected) {
      const other = await findFreshToken(rejected);
      return other && formatHeader(other);
    },
    async renew() {
      unsaved = await renewToken();
      token = unsaved ?? token;
      return unsaved && formatHeader(unsaved);
    },
    async accepted(value) {
      if (!unsaved || formatHeader(unsaved) !== value) return;
      const accepted = unsaved;
      unsaved = undefined;
      await save?.(accepted);
    },
  };
}

const formatHeader = ({ value }: AccessToken) => `Bearer ${value}`;

/** Renews the token if necessary. If no token is valid, throws an OpacError. If the scheme is not bearer, throws a UsageError. */
export async function getAccessToken(credentials: Credentials, signal?: AbortSignal): Promise<string> {
  if (credentials.scheme !== 'bearer') {
    throw new UsageError(`the ${credentials.scheme} scheme has no access token`, LOGIN_HINT);
  }
  const header = await credentials.authorization(signal);
  if (header === undefined)
    throw new OpacError('auth', 'no access token', { hint: credentials.hint, code: 'credentials-missing' });
  return header.replace(/^Bearer /, '');
}

/** The Authorization header of each scheme: a basic key, or an access token that is renewed. */
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import { OpacError, UsageError } from '../service/errors.js';
import { abortable } from '../system/abortable.js';
import type { AccessToken } from './flow/token-exchange.js';
import type { Profile } from './store/profile.js';

export const LOGIN_HINT = 'log in with "opac login"';

/** Milliseconds, or a part of the lifetime when that is shorter: a token must not expire on the way. */
const RENEWAL_MARGIN_MS = 60_000;
const MAX_RENEWAL_MARGIN_RATIO = 0.1;

function isFresh({ issuedAt, expiresAt }: AccessToken, now: number): boolean {
  return now < expiresAt - Math.min(RENEWAL_MARGIN_MS, (expiresAt - issuedAt) * MAX_RENEWAL_MARGIN_RATIO);
}

/** A key or token, trimmed. Throws a UsageError when it cannot be sent in a header. */
export function parseHeaderValue(text: string, name: string): string {
  const value = text.trim();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    `${name} contains characters that cannot be sent in a header`,
    'copy it again, without spaces and line breaks',
  );
}

/** INTERFACE.md "Basic key"; it never expires. */
export function createBasicCredentials(key: string, hint: string): Credentials {
  const header = `Basic ${key}`;
  return { scheme: 'basic', authorization: async () => header, hint };
}

/** What to do about the credentials of a profile. */
export function profileHint({ name, scheme }: Profile): string {
  return `log in with "opac login -p ${name}${scheme === 'basic' ? ' --basic-key' : ''}"`;
}

/** Of a profile that was logged out: requests carry none, and where they need some, the hint names the profile. */
export function createLoggedOutCredentials(profile: Profile): Credentials {
  const hint = `profile "${profile.name}" has no credentials; ${profileHint(profile)}`;
  return { ...ANONYMOUS, scheme: profile.scheme, hint };
}

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
  /** Whose token it is, for messages. */
  readonly profile?: string | undefined;
}

/**
 * Renews a token shortly before it expires, once for all requests in flight. A token obtained after a rejection is saved
 * when the service has accepted it: other processes would use it up before.
 */
export function createBearerCredentials(source: TokenSource): Credentials {
  const { now, load, save, renewToken, hint = LOGIN_HINT } = source;
  const whose = source.profile === undefined ? '' : ` of profile "${source.profile}"`;
  let token = source.token;
  let unsaved: AccessToken | undefined;

  async function reload(rejected: string | undefined): Promise<AccessToken | undefined> {
    if (token && bearer(token) !== rejected && isFresh(token, now())) return token;
    const stored = await load?.();
    if (!stored || bearer(stored) === rejected || !isFresh(stored, now())) return undefined;
    token = stored;
    return stored;
  }
  async function replaceExpired(): Promise<AccessToken | undefined> {
    const stored = await reload(token && bearer(token));
    if (stored) return stored;
    const renewed = await renewToken();
    if (!renewed) return undefined;
    token = renewed;
    await save?.(renewed);
    return renewed;
  }
  /** The replacement in progress, for which all requests wait. */
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
    async authorization(signal) {
      signal?.throwIfAborted();
      const usable = token && isFresh(token, now()) ? token : await abortable(replaceOnce(), signal);
      if (usable) return bearer(usable);
      // It cannot be renewed, so it is used until it expires.
      if (token && now() < token.expiresAt) return bearer(token);
      if (!token) throw new OpacError('auth', 'no access token', { hint, code: 'credentials-missing' });
      throw new OpacError(
        'auth',
        `the access token${whose} expired at ${new Date(token.expiresAt).toISOString()}`,
        { hint, code: 'token-expired' },
      );
    },
    async reload(rejected) {
      const other = await reload(rejected);
      return other && bearer(other);
    },
    async renew() {
      unsaved = await renewToken();
      token = unsaved ?? token;
      return unsaved && bearer(unsaved);
    },
    async accepted(value) {
      if (!unsaved || bearer(unsaved) !== value) return;
      const accepted = unsaved;
      unsaved = undefined;
      await save?.(accepted);
    },
  };
}

const bearer = ({ value }: AccessToken) => `Bearer ${value}`;

/** The access token, renewed if needed. Throws an OpacError of kind `auth` without one, a UsageError for other schemes. */
export async function getAccessToken(credentials: Credentials, signal?: AbortSignal): Promise<string> {
  if (credentials.scheme !== 'bearer') {
    throw new UsageError(`the ${credentials.scheme} scheme has no access token`, LOGIN_HINT);
  }
  const header = await credentials.authorization(signal);
  if (header === undefined)
    throw new OpacError('auth', 'no access token', { hint: credentials.hint, code: 'credentials-missing' });
  return header.replace(/^Bearer /, '');
}

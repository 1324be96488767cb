/** The Authorization header of each scheme: a basic key, or an access token that is renewed. */
import type { Credentials } from '../client/credentials.js';
import { OpacError, UsageError } from '../service/errors.js';
import type { AccessToken } from './flow/token-exchange.js';
import { singleFlight } from './single-flight.js';

export const LOGIN_HINT = 'log in with "opac login"';

/** Milliseconds, or a part of the lifetime when that is shorter: a token must not expire on the way. */
const MARGIN = 60_000;
const MARGIN_RATIO = 0.1;

function isFresh({ issuedAt, expiresAt }: AccessToken, now: number): boolean {
  return now < expiresAt - Math.min(MARGIN, (expiresAt - issuedAt) * MARGIN_RATIO);
}

/** A key or token, trimmed. Throws a UsageError when it cannot be sent in a header. */
export function headerValue(text: string, name: string): string {
  const value = text.trim();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    `${name} contains characters that cannot be sent in a header`,
    'copy it again, without spaces and line breaks',
  );
}

/** INTERFACE.md "Basic key"; it never expires. */
export function basicCredentials(key: string, hint: string): Credentials {
  const header = `Basic ${key}`;
  return { scheme: 'basic', authorization: async () => header, hint };
}

export function missingCredentials(scheme: Credentials['scheme'], what: string, hint: string): Credentials {
  return {
    scheme,
    hint,
    authorization: async () => {
      throw new OpacError('auth', `no ${what}`, { hint });
    },
  };
}

export interface TokenSource {
  readonly token?: AccessToken | undefined;
  readonly load?: () => Promise<AccessToken | undefined>;
  readonly save?: (token: AccessToken) => Promise<void>;
  readonly newToken: (signal: AbortSignal) => Promise<AccessToken | undefined>;
  readonly now: () => number;
  readonly hint?: string | undefined;
}

/** Renews a token shortly before it expires, once for all requests in flight. A renewed token that is rejected is not renewed again. */
export function bearerCredentials(source: TokenSource): Credentials {
  const { now, load, save, newToken, hint = LOGIN_HINT } = source;
  let token = source.token;
  /** Renewed, and not used since. */
  let unused = false;

  const adopt = (renewed: AccessToken) => {
    token = renewed;
    unused = true;
    return renewed;
  };
  const replace = singleFlight(async (signal) => {
    const stored = await load?.();
    if (stored && stored.value !== token?.value && isFresh(stored, now())) return adopt(stored);
    const renewed = await newToken(signal);
    if (!renewed) return undefined;
    adopt(renewed);
    await save?.(renewed);
    return renewed;
  });

  return {
    scheme: 'bearer',
    hint,
    async authorization(signal) {
      const usable = token && isFresh(token, now()) ? token : await replace(signal);
      unused = false;
      if (usable) return bearer(usable);
      // It cannot be renewed, so it is used until it expires.
      if (token && now() < token.expiresAt) return bearer(token);
      if (!token) throw new OpacError('auth', 'no access token', { hint });
      const expired = new Date(token.expiresAt).toISOString();
      throw new OpacError('auth', `the access token expired at ${expired}`, { hint });
    },
    async renew(rejected, signal) {
      if (token && bearer(token) !== rejected) return bearer(token);
      if (unused) return undefined;
      const renewed = await replace(signal);
      return renewed && bearer(renewed);
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
  return (header ?? '').replace(/^Bearer /, '');
}

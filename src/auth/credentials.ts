/** The Authorization header of each scheme: a basic key, a ready-made token, or a token that is kept and renewed. */
import type { Credentials } from '../client/credentials.js';
import { OpacError, UsageError } from '../service/errors.js';
import type { AccessToken } from './flow/token-exchange.js';
import { singleFlight } from './single-flight.js';

export const LOGIN_HINT = 'log in with "opac login"';

/** A token is given up this long before its end, in milliseconds, so that it does not end on the way … */
const MARGIN = 60_000;
/** … or for this part of its life, when that is shorter. */
const MARGIN_PART = 0.1;

/** Whether the token can still be used, some way before its end. */
function isFresh({ issuedAt, expiresAt }: AccessToken, now: number): boolean {
  return now < expiresAt - Math.min(MARGIN, (expiresAt - issuedAt) * MARGIN_PART);
}

/** A key or token as it stands in a header. Throws a UsageError when it cannot stand there; a line break at its end is dropped. */
export function headerValue(text: string, name: string): string {
  const value = text.trim();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    `${name} holds what cannot stand in a header`,
    'copy it anew, without spaces and line breaks in it',
  );
}

/** The basic key that the operator supplied (INTERFACE.md "Basic key"). It never expires, so there is nothing to renew. */
export function basicCredentials(key: string, hint: string): Credentials {
  const header = `Basic ${key}`;
  return { scheme: 'basic', authorization: async () => header, hint };
}

/** Credentials that are not there: every request fails with what is missing. */
export function missingCredentials(scheme: Credentials['scheme'], what: string, hint: string): Credentials {
  return {
    scheme,
    hint,
    authorization: async () => {
      throw new OpacError('auth', `there is no ${what}`, { hint });
    },
  };
}

/** Where a token comes from and goes to. */
export interface TokenSource {
  /** The token to begin with. */
  readonly token?: AccessToken | undefined;
  /** The token that is kept at this moment: another process may have renewed it. */
  readonly load?: () => Promise<AccessToken | undefined>;
  /** Keeps a renewed token. */
  readonly save?: (token: AccessToken) => Promise<void>;
  /** A new token by a new authorization; undefined when the means (client id, secret) are not at hand. */
  readonly obtain: (signal: AbortSignal) => Promise<AccessToken | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What the person can do when there is no token; by default to log in. */
  readonly hint?: string | undefined;
}

/**
 * A token that is used until shortly before its end and then renewed quietly; there is no refresh token, so a renewal is a
 * new authorization. All requests in flight share one. A renewed token that is rejected at its first use ends it: the
 * service does not want us.
 */
export function bearerCredentials(source: TokenSource): Credentials {
  const { now, load, save, obtain, hint = LOGIN_HINT } = source;
  let token = source.token;
  /** The token was renewed and no request has asked for it since. */
  let untried = false;

  const adopt = (renewed: AccessToken) => {
    token = renewed;
    untried = true;
    return renewed;
  };
  const replace = singleFlight(async (signal) => {
    const kept = await load?.();
    if (kept && kept.value !== token?.value && isFresh(kept, now())) return adopt(kept);
    const renewed = await obtain(signal);
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
      untried = false;
      if (usable) return bearer(usable);
      // It cannot be renewed: what is left of its life is used to the end.
      if (token && now() < token.expiresAt) return bearer(token);
      if (!token) throw new OpacError('auth', 'there is no access token', { hint });
      throw new OpacError('auth', `the access token expired at ${new Date(token.expiresAt).toISOString()}`, {
        hint,
      });
    },
    async renew(rejected, signal) {
      if (token && bearer(token) !== rejected) return bearer(token);
      if (untried) return undefined;
      const renewed = await replace(signal);
      return renewed && bearer(renewed);
    },
  };
}

const bearer = ({ value }: AccessToken) => `Bearer ${value}`;

/**
 * The access token alone, for use in other programs, renewed when needed. Throws an OpacError of kind `auth` when there is
 * none, a UsageError when the scheme has no tokens.
 */
export async function accessTokenOf(credentials: Credentials, signal?: AbortSignal): Promise<string> {
  if (credentials.scheme !== 'bearer') {
    throw new UsageError(`the scheme ${credentials.scheme} has no access token`, LOGIN_HINT);
  }
  const header = await credentials.authorization(signal);
  return (header ?? '').replace(/^Bearer /, '');
}

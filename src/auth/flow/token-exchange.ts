/** The second step of a login: the code for an access token (INTERFACE.md "Authentication", step 2). */
import { statusError } from '../../client/errors/answer-errors.js';
import type { Answer, Request } from '../../client/exchange.js';
import { endpoint } from '../../service/catalogue.js';
import { OpacError } from '../../service/errors.js';
import type { Authorization, Client, Service } from './authorization.js';
import { readRefusal } from './refusal.js';

/** An access token and its life, in milliseconds since 1970 by this machine's clock. */
export interface AccessToken {
  readonly value: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A longer life is not believed: nothing is lost by asking again after a year, and dates stay in range. */
const LONGEST_LIFE = 365 * 24 * 60 * 60;

/**
 * Exchanges a code. `now` is the time in milliseconds since 1970, read before the request, so that the token is never
 * thought to live longer than it does.
 * Throws a Refusal for a 400, an OpacError of kind `deployment` for what is no token as the document has it.
 */
export async function exchangeCode(
  { send, baseUrl }: Service,
  client: Client,
  { verifier }: Authorization,
  code: string,
  options: { readonly now: () => number; readonly signal?: AbortSignal | undefined },
): Promise<AccessToken> {
  const { method, path } = endpoint('oauth.token');
  const issuedAt = options.now();
  const request: Request = {
    method,
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      code,
      grantType: 'code',
      redirectURI: client.redirectURI,
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      codeVerifier: verifier,
    }),
    signal: options.signal,
  };
  const answer = await send(request);
  if (answer.status === 400 || answer.status === 401) {
    throw readRefusal('exchange', answer, [client.clientSecret, code, verifier]);
  }
  const error = statusError(request, answer, { baseUrl });
  if (error) throw error;
  const { value, life } = readToken(answer);
  return { value, issuedAt, expiresAt: issuedAt + life * 1000 };
}

function readToken(answer: Answer): { readonly value: string; readonly life: number } {
  let body: unknown;
  try {
    body = JSON.parse(answer.bytes.toString('utf8'));
  } catch {
    throw notAToken(`no JSON (${answer.headers['content-type'] ?? 'no content type'})`);
  }
  const { accessToken, tokenType, expires } = Object(body) as Record<string, unknown>;
  // What cannot stand in a header is no token either: it would only fail at the first use.
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken))
    throw notAToken('no accessToken');
  if (typeof tokenType !== 'string' || tokenType.toLowerCase() !== 'bearer') {
    throw notAToken('a tokenType other than bearer');
  }
  const life = typeof expires === 'string' && expires.trim() !== '' ? Number(expires) : expires;
  if (typeof life !== 'number' || !Number.isFinite(life) || life <= 0) {
    throw notAToken('no expires in seconds');
  }
  return { value: accessToken, life: Math.min(life, LONGEST_LIFE) };
}

const notAToken = (seen: string) =>
  new OpacError(
    'deployment',
    `the service answered the exchange with what is no token (POST /oauth/token): ${seen}`,
    {
      hint: 'check the base URL; if it is right, the deployment differs from its document',
    },
  );

/** The second step of a login: exchanges the code for an access token (INTERFACE.md "Authentication", step 2). */
import { createStatusError } from '../../client/errors/response-errors.js';
import type { HttpRequest, HttpResponse } from '../../client/http-request.js';
import { getEndpoint } from '../../service/endpoints/catalogue.js';
import { OpacError } from '../../service/errors.js';
import { tryParseJson } from '../../service/parse-json.js';
import { registerSecret } from '../../service/redact.js';
import type { Authorization, Connection, OAuthClient } from './authorization.js';
import { readOAuthError } from './oauth-error.js';

/** Times are in milliseconds since 1970, according to this machine's clock. */
export interface AccessToken {
  readonly value: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** opac reduces a longer lifetime to a year, so that dates stay in range. */
const MAX_LIFETIME_SECONDS = 365 * 24 * 60 * 60;

/** Characters that a header may contain. The length is limited, because opac would need much memory to redact a longer token. */
const VALID_TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** Throws an OAuthError for status 400 or 401, and another OpacError for any other response that is not a token. */
export async function exchangeCode(
  { send, baseUrl }: Connection,
  client: OAuthClient,
  { verifier }: Authorization,
  code: string,
  options: { readonly now: () => number; readonly signal?: AbortSignal | undefined },
): Promise<AccessToken> {
  const { method, path } = getEndpoint('oauth.token');
  for (const secret of [client.clientSecret, code, verifier]) registerSecret(secret);
  // Uses the time before the request, so that opac renews the token early enough.
  const issuedAt = options.now();
  const request: HttpRequest = {
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
  const response = await send(request);
  if (response.status === 400 || response.status === 401) {
    throw readOAuthError('exchange', response);
  }
  const error = createStatusError(request, response, { baseUrl });
  if (error) throw error;
  const { value, lifetime } = readToken(response);
  return { value, issuedAt, expiresAt: issuedAt + lifetime * 1000 };
}

function readToken(response: HttpResponse): { readonly value: string; readonly lifetime: number } {
  const body = tryParseJson(response.bytes);
  if (body === undefined)
    throw createTokenError(`not JSON (${response.headers['content-type'] ?? 'no content type'})`);
  const { accessToken, tokenType, expires } = Object(body) as Record<string, unknown>;
  // Checks the characters now, because otherwise the first request with the token would fail.
  if (typeof accessToken !== 'string' || !VALID_TOKEN.test(accessToken))
    throw createTokenError('accessToken is missing or invalid');
  registerSecret(accessToken);
  if (typeof tokenType !== 'string' || tokenType.toLowerCase() !== 'bearer') {
    throw createTokenError('tokenType is not bearer');
  }
  const lifetime = typeof expires === 'string' ? Number(expires) : expires;
  if (typeof lifetime !== 'number' || !Number.isFinite(lifetime) || lifetime <= 0) {
    throw createTokenError('expires is not a number of seconds');
  }
  return { value: accessToken, lifetime: Math.min(lifetime, MAX_LIFETIME_SECONDS) };
}

const createTokenError = (reason: string) =>
  new OpacError('deployment', `the response of the service is not a token (POST /oauth/token): ${reason}`, {
    code: 'unexpected-response',
    hint: 'check the base URL; if it is correct, tell the operator of the service',
  });

/** The first step of a login: the authorization request, and the redirect in its response (INTERFACE.md "Authentication"). */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest, Send } from '../../client/http-request.js';
import { resolveUrl } from '../../client/transport/transport.js';
import { getEndpoint } from '../../service/endpoints/catalogue.js';
import { registerSecret } from '../../service/redact.js';
import { OAuthError } from './oauth-error.js';
import { type ChallengeForm, createRandomText, generatePkcePair, getChallengeMethod } from './pkce.js';

/** RFC 6749 section 10.10 recommends 160 bits. */
const STATE_BYTES = 20;

/** Sends requests to a deployment, without credentials. */
export interface Connection {
  readonly baseUrl: string;
  readonly send: Send;
}

export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectURI: string;
}

export interface Authorization {
  readonly request: HttpRequest;
  readonly redirectURI: string;
  readonly state: string;
  readonly verifier: string;
  readonly form: ChallengeForm;
}

/** Returns the authorization code. Throws an OpacError if the login fails. */
export type RequestCode = (authorization: Authorization) => Promise<string>;

export function createAuthorization(
  client: Pick<OAuthClient, 'clientId' | 'redirectURI'>,
  form: ChallengeForm,
): Authorization {
  const { verifier, challenge } = generatePkcePair(form);
  registerSecret(verifier);
  const state = createRandomText(STATE_BYTES);
  const { method, path } = getEndpoint('oauth.authorize');
  return {
    request: {
      method,
      path,
      query: [
        ['clientId', client.clientId],
        ['responseType', 'code'],
        ['redirectURI', client.redirectURI],
        ['state', state],
        ['codeChallengeMethod', getChallengeMethod(form)],
        ['codeChallenge', challenge],
      ],
      redirect: 'manual',
    },
    redirectURI: client.redirectURI,
    state,
    verifier,
    form,
  };
}

/** Returns the URL to open in a browser. With a PLAIN challenge, the URL contains a secret. */
export function getAuthorizationUrl(baseUrl: string, { request }: Authorization): string {
  return resolveUrl(baseUrl, request).href;
}

/** Compares the URLs without query, fragment, user name, password and a slash at the end. */
export function isRedirectURI(url: URL, redirectURI: string): boolean {
  const normalize = ({ protocol, host, pathname }: URL) =>
    `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
  return URL.canParse(redirectURI) && normalize(url) === normalize(new URL(redirectURI));
}

export type Redirect =
  | { readonly outcome: 'code'; readonly code: string }
  | { readonly outcome: 'state-mismatch' }
  | { readonly outcome: 'refused'; readonly error: OAuthError }
  | { readonly outcome: 'incomplete' };

/** Returns the code or the error in a redirect, but only if the state is correct. Compares the state in constant time. */
export function readRedirect(parameters: URLSearchParams, authorization: Authorization): Redirect {
  const [state, ...moreStates] = parameters.getAll('state');
  if (!state || moreStates.length > 0) return { outcome: 'incomplete' };
  if (!isEqualInConstantTime(state, authorization.state)) return { outcome: 'state-mismatch' };
  const error = parameters.get('error');
  if (error) {
    const reason = parameters.get('error_description') ?? error;
    return { outcome: 'refused', error: new OAuthError('authorization', reason) };
  }
  const [code, ...moreCodes] = parameters.getAll('code');
  if (code) registerSecret(code);
  return code && moreCodes.length === 0 ? { outcome: 'code', code } : { outcome: 'incomplete' };
}

function isEqualInConstantTime(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

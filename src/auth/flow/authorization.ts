/** The first step of a login: the authorization request, its address, and what comes back in the redirect (INTERFACE.md "Authentication"). */
import type { Request, Send } from '../../client/exchange.js';
import { urlOf } from '../../client/layers/transport.js';
import { endpoint } from '../../service/catalogue.js';
import { randomAlphanumeric, sameText } from './alphanumeric.js';
import { type ChallengeForm, challengeMethod, drawProof } from './pkce.js';
import { Refusal } from './refusal.js';

/** Letters and digits, 190 bits: more than the 128 that cannot be guessed. */
const STATE_LENGTH = 32;

/** Who is asked: a deployment, and how to send it requests that carry no credentials yet. */
export interface Service {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string;
  readonly send: Send;
}

/** Who asks, as registered with the deployment. */
export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The registered redirect URI. */
  readonly redirectURI: string;
}

/** One authorization: it is asked for once, and its verifier serves one exchange. */
export interface Authorization {
  readonly request: Request;
  readonly redirectURI: string;
  readonly state: string;
  readonly verifier: string;
  readonly form: ChallengeForm;
}

/** A way to get an authorization code: a browser, no browser, or what the person pastes. Throws when there is none to be had. */
export type ObtainCode = (authorization: Authorization) => Promise<string>;

/** Begins an authorization with a fresh state and verifier. */
export function beginAuthorization(
  client: Pick<Client, 'clientId' | 'redirectURI'>,
  form: ChallengeForm,
): Authorization {
  const { verifier, challenge } = drawProof(form);
  const state = randomAlphanumeric(STATE_LENGTH);
  const { method, path } = endpoint('oauth.authorize');
  return {
    request: {
      method,
      path,
      query: [
        ['clientId', client.clientId],
        ['responseType', 'code'],
        ['redirectURI', client.redirectURI],
        ['state', state],
        ['codeChallengeMethod', challengeMethod(form)],
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

/** The address of an authorization request for a browser. `baseUrl` is a profile's: without `/api/v3`. No secret is in it. */
export function authorizationUrl(baseUrl: string, { request }: Authorization): string {
  return urlOf(baseUrl, request).href;
}

/** Whether an address is the registered redirect URI, its query and a slash at the end aside. */
export function isRedirectURI(address: URL, redirectURI: string): boolean {
  const place = ({ protocol, host, pathname }: URL) => `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
  return URL.canParse(redirectURI) && place(address) === place(new URL(redirectURI));
}

/** What a redirect says. */
export type Redirect =
  | { readonly outcome: 'code'; readonly code: string }
  /** The state differs from the one sent: whatever else came with it is discarded. */
  | { readonly outcome: 'foreign' }
  /** The state is ours, and the service gives a reason instead of a code. */
  | { readonly outcome: 'refused'; readonly error: Refusal }
  /** It has no state, no code, or one of them twice. */
  | { readonly outcome: 'incomplete' };

/** Reads the query parameters of a redirect. The state is compared first, in constant time. */
export function readRedirect(parameters: URLSearchParams, authorization: Authorization): Redirect {
  const [state, ...moreStates] = parameters.getAll('state');
  if (!state || moreStates.length > 0) return { outcome: 'incomplete' };
  if (!sameText(state, authorization.state)) return { outcome: 'foreign' };
  const error = parameters.get('error');
  if (error) {
    const reason = parameters.get('error_description') ?? error;
    return { outcome: 'refused', error: new Refusal('authorization', reason) };
  }
  const [code, ...moreCodes] = parameters.getAll('code');
  return code && moreCodes.length === 0 ? { outcome: 'code', code } : { outcome: 'incomplete' };
}

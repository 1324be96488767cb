/**
 * The OAuth endpoints. They accept only requests that follow INTERFACE.md ("Authorization" and "Authentication") and
 * FIELD-NOTES.md ("PKCE").
 */
import { createHash, randomUUID } from 'node:crypto';
import { htmlResponse, jsonResponse, type RouteResponse, routeError } from '../../local/response.js';
import { tryParseJson } from '../../service/parse-json.js';
import type { ChallengeForm, OAuthClient, OAuthSettings } from '../options.js';
import type { AccessControl } from './access-control.js';

/** The data of an authorization request. The key in `#grants` is the authorization code. */
interface Grant {
  readonly client: OAuthClient;
  readonly redirectURI: string;
  readonly method: string;
  readonly challenge: string;
  readonly expires: number;
}

const CLIENT = ['clientId', 'redirectURI'] as const;
const AUTHORIZE = [...CLIENT, 'responseType', 'state', 'codeChallengeMethod', 'codeChallenge'] as const;
const TOKEN = [...CLIENT, 'code', 'grantType', 'clientSecret', 'codeVerifier'] as const;

const CHALLENGE_DERIVATIONS: Readonly<
  Record<ChallengeForm, { method: string; derive: (verifier: string) => string }>
> = {
  // base64url with padding, as in the example of the service (FIELD-NOTES.md "PKCE").
  'S256-padded': {
    method: 'S256',
    derive: (verifier) => sha256(verifier).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  },
  // RFC 7636 section 4.2.
  S256: { method: 'S256', derive: (verifier) => sha256(verifier).toString('base64url') },
  PLAIN: { method: 'PLAIN', derive: (verifier) => verifier },
};

export class OAuthServer {
  readonly #settings: OAuthSettings;
  readonly #access: AccessControl;
  readonly #grants = new Map<string, Grant>();

  constructor(settings: OAuthSettings, access: AccessControl) {
    this.#settings = settings;
    this.#access = access;
  }

  /** Responds with a redirect, or with a page that has a link. Throws a RouteError (400) for an invalid request. */
  authorize(query: URLSearchParams): RouteResponse {
    const given = assertExactNames(AUTHORIZE, Object.fromEntries(query), [...query.keys()]);
    const client = this.#client(given.clientId);
    if (given.responseType !== 'code') throw routeError(400, 'responseType must be code');
    assertRegistered(client, given.redirectURI);
    if (!/^[A-Za-z0-9]+$/.test(given.state)) throw routeError(400, 'state must be alphanumeric');
    const method = given.codeChallengeMethod;
    if (!this.#settings.challengeForms.some((form) => CHALLENGE_DERIVATIONS[form].method === method)) {
      throw routeError(400, 'codeChallengeMethod is not supported');
    }
    // RFC 7636 section 4.2 allows these characters in a challenge, except the `=` of the padding.
    if (!/^[\w.~=-]+$/.test(given.codeChallenge)) throw routeError(400, 'codeChallenge is not valid');
    const code = randomUUID();
    this.#grants.set(code, {
      client,
      redirectURI: given.redirectURI,
      method,
      challenge: given.codeChallenge,
      expires: Date.now() + this.#settings.codeLifetime * 1000,
    });
    const location = new URL(given.redirectURI);
    location.searchParams.set('state', given.state);
    location.searchParams.set('code', code);
    if (this.#settings.signInPage) {
      const href = location.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
      return htmlResponse(`<h1>Sign in</h1><p><a href="${href}">Continue</a></p>`);
    }
    return { status: 302, headers: { location: location.href }, body: Buffer.alloc(0) };
  }

  /**
   * A code is valid once. A request with a wrong verifier also uses up the code, but a request with an invalid body or client
   * does not. Throws a RouteError (400) for an invalid request.
   */
  issueToken(contentType: string | undefined, body: string): RouteResponse {
    if (!/^application\/json\b/i.test(contentType ?? ''))
      throw routeError(400, 'Content-Type must be application/json');
    const given = assertExactNames(TOKEN, parseObject(body));
    if (given.grantType !== 'code') throw routeError(400, 'grantType must be code');
    const client = this.#client(given.clientId);
    if (given.clientSecret !== client.clientSecret) throw routeError(400, 'clientSecret is not valid');
    assertRegistered(client, given.redirectURI);
    const grant = this.#grants.get(given.code);
    this.#grants.delete(given.code);
    if (!grant || grant.client !== client) throw routeError(400, 'code is not valid');
    if (Date.now() >= grant.expires) throw routeError(400, 'code has expired');
    if (grant.redirectURI !== given.redirectURI)
      throw routeError(400, 'redirectURI differs from that of the authorization request');
    const forms = this.#settings.challengeForms.map((form) => CHALLENGE_DERIVATIONS[form]);
    const allowed = forms.filter(({ method }) => method === grant.method);
    if (!allowed.some(({ derive }) => derive(given.codeVerifier) === grant.challenge))
      throw routeError(400, 'codeVerifier does not match the codeChallenge');
    return jsonResponse({
      accessToken: this.#access.issueToken(),
      tokenType: 'bearer',
      expires: this.#settings.tokenLifetime,
    });
  }

  #client(clientId: string): OAuthClient {
    const client = this.#settings.clients.find((registered) => registered.clientId === clientId);
    if (!client) throw routeError(400, 'clientId is not registered');
    return client;
  }
}

function assertRegistered({ redirectURIs }: OAuthClient, redirectURI: string): void {
  if (!redirectURIs.includes(redirectURI)) throw routeError(400, 'redirectURI is not registered');
}

/** Throws a RouteError (400) for a missing, unexpected or repeated name, and for a value that is empty or not a string. */
function assertExactNames<Name extends string>(
  names: readonly Name[],
  given: Readonly<Record<string, unknown>>,
  keys: readonly string[] = Object.keys(given),
): Readonly<Record<Name, string>> {
  const missing = names.find((name) => typeof given[name] !== 'string' || given[name] === '');
  if (missing) throw routeError(400, `${missing} is required`);
  const unexpected = keys.find(
    (key, index) => !names.some((name) => name === key) || keys.indexOf(key) !== index,
  );
  if (unexpected !== undefined) throw routeError(400, `${unexpected} is not expected`);
  return given as Record<Name, string>;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const body = tryParseJson(text);
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  throw routeError(400, 'body is not a JSON object');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

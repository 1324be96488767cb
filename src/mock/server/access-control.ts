/** Checks credentials (INTERFACE.md "Authentication"): tokens that the museum issued, or its basic key. */
import { randomUUID } from 'node:crypto';
import { routeError } from '../../local/response.js';
import type { ResolvedOptions } from '../options.js';

interface Token {
  readonly expires: number;
  usesLeft: number;
}

export class AccessControl {
  readonly #settings: ResolvedOptions;
  readonly #tokens = new Map<string, Token>();

  constructor(settings: ResolvedOptions) {
    this.#settings = settings;
  }

  issueToken(): string {
    const { tokenLifetime, tokenUses } = this.#settings.oauth;
    const token = randomUUID();
    this.#tokens.set(token, { expires: Date.now() + tokenLifetime * 1000, usesLeft: tokenUses });
    return token;
  }

  /** Throws a RouteError (401) for missing or invalid credentials. Each call counts as one use of a valid token. */
  assertAuthorized(authorization: string | undefined): void {
    if (this.#settings.access === 'anonymous') return;
    if (!authorization) throw routeError(401, 'Aborting request as authorization headers are missing');
    const [scheme = '', credentials = ''] = authorization.split(' ');
    const isValid =
      scheme.toLowerCase() === 'basic'
        ? credentials === this.#settings.basicKey
        : this.#isValidToken(scheme, credentials);
    if (!isValid) throw routeError(401, 'Aborting request as authorization is not valid');
  }

  #isValidToken(scheme: string, credentials: string): boolean {
    const token = scheme.toLowerCase() === 'bearer' ? this.#tokens.get(credentials) : undefined;
    return token !== undefined && Date.now() < token.expires && token.usesLeft-- > 0;
  }
}

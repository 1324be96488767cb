/** A small deployment that can fail in every way that a login must handle, and a function that sends requests to it. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ChallengeForm } from '../../src/auth/flow/pkce.js';
import type { Send } from '../../src/client/http-request.js';
import { createTransport } from '../../src/client/transport/transport.js';

export const CLIENT = {
  clientId: 'museum-client',
  clientSecret: 'most-secret-of-secrets',
  redirectURI: 'https://app.museum.example/callback',
} as const;

export interface Behaviour {
  redirectURI: string;
  /** The forms of PKCE challenges that the deployment accepts. */
  forms: readonly ChallengeForm[];
  /** Lifetime of a token in seconds. Tests may set an invalid value. */
  expires: unknown;
  /** Responds to a request instead of the service. Returns false if the service must respond. */
  instead(request: IncomingMessage, response: ServerResponse): boolean;
  /** Changes the URL of the redirect after an authorization. */
  redirect(address: URL): void;
}

export interface SmallDeployment {
  readonly baseUrl: string;
  readonly send: Send;
  readonly behaviour: Behaviour;
  /** Method and path of every request, in order. */
  readonly log: string[];
  /** Codes, verifiers and tokens so far. Tests check that opac does not print or save them where it must not. */
  readonly secrets: Set<string>;
  /** The tokens that the deployment issued. */
  readonly tokens: Set<string>;
}

export async function startSmallDeployment(change: Partial<Behaviour> = {}): Promise<SmallDeployment> {
  const behaviour: Behaviour = {
    redirectURI: CLIENT.redirectURI,
    forms: ['S256-padded'],
    expires: 3600,
    instead: () => false,
    redirect: () => {},
    ...change,
  };
  const log: string[] = [];
  const secrets = new Set<string>();
  const tokens = new Set<string>();
  const challenges = new Map<string, string>();

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    if (query.get('clientId') !== CLIENT.clientId)
      return json(response, 400, { message: 'unknown clientId' });
    if (query.get('redirectURI') !== behaviour.redirectURI) {
      return json(response, 400, { message: 'redirectURI is not registered' });
    }
    const code = randomUUID();
    secrets.add(code);
    challenges.set(code, query.get('codeChallenge') ?? '');
    const address = new URL(behaviour.redirectURI);
    address.searchParams.set('state', query.get('state') ?? '');
    address.searchParams.set('code', code);
    behaviour.redirect(address);
    response.writeHead(302, { location: address.href }).end();
  };

  const exchange = (body: Record<string, string>, response: ServerResponse) => {
    const { code = '', codeVerifier = '' } = body;
    secrets.add(codeVerifier);
    const challenge = challenges.get(code);
    challenges.delete(code);
    if (body.clientSecret !== CLIENT.clientSecret) {
      return json(response, 400, { message: `clientSecret ${body.clientSecret} is wrong` });
    }
    if (challenge === undefined) return json(response, 400, { message: 'code is not valid' });
    if (!behaviour.forms.some((form) => derive[form](codeVerifier) === challenge)) {
      return json(response, 400, { message: 'codeVerifier does not match' });
    }
    const accessToken = `token-${randomUUID()}`;
    tokens.add(accessToken);
    secrets.add(accessToken);
    json(response, 200, { accessToken, tokenType: 'bearer', expires: behaviour.expires });
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://deployment');
    log.push(`${request.method} ${pathname}`);
    if (behaviour.instead(request, response)) return;
    if (pathname === '/api/v3/oauth/authorize') return authorize(searchParams, response);
    if (pathname === '/api/v3/oauth/token') return exchange(JSON.parse(await text(request)), response);
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = createTransport({ baseUrl });
  onTestFinished(() => transport.close());
  return { baseUrl, send: transport.send, behaviour, log, secrets, tokens };
}

/** A second implementation of the challenge forms, so that the test does not use the code that it tests. */
const derive: Readonly<Record<ChallengeForm, (verifier: string) => string>> = {
  S256: (verifier) => createHash('sha256').update(verifier).digest('base64url'),
  'S256-padded': (verifier) =>
    createHash('sha256').update(verifier).digest('base64').replaceAll('+', '-').replaceAll('/', '_'),
  PLAIN: (verifier) => verifier,
};

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

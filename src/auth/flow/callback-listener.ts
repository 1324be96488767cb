/** A server at the registered redirect URI. It responds to every request, and stops after the first valid callback. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { OpacError } from '../../service/errors.js';
import { type Authorization, isRedirectURI, type Redirect, readRedirect } from './authorization.js';
import { PAGE_HEADERS, PAGES, type Page } from './callback-page.js';
import type { LoopbackRedirect } from './redirect-uri.js';

interface CallbackListener {
  /** The code from the first callback that has the expected state and a code. Rejects if the service refuses the login. */
  readonly code: Promise<string>;
  close(): void;
}

type CallbackResult =
  | Extract<Redirect, { outcome: 'code' | 'refused' }>
  | { readonly outcome: Exclude<Page, 'accepted' | 'refused'> };

function readCallback(
  request: IncomingMessage,
  redirect: LoopbackRedirect,
  authorization: Authorization,
): CallbackResult {
  // DNS rebinding: another website can resolve its host name to this machine. The Host header then contains that name.
  if (request.headers.host?.toLowerCase() !== redirect.host) return { outcome: 'misdirected' };
  const url = URL.canParse(request.url ?? '', redirect.url.href) && new URL(request.url ?? '', redirect.url);
  if (!url || !isRedirectURI(url, authorization.redirectURI)) return { outcome: 'not-found' };
  if (request.method !== 'GET') return { outcome: 'not-allowed' };
  return readRedirect(url.searchParams, authorization);
}

/** Listens at every address of the redirect URI. Throws an OpacError if this fails, for example because the port is in use. */
export async function listenForCallback(
  redirect: LoopbackRedirect,
  authorization: Authorization,
  onStateMismatch: () => void,
): Promise<CallbackListener> {
  const servers: Server[] = [];
  const close = () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  let ended = false;
  let reported = false;

  const code = new Promise<string>((resolve, reject) => {
    for (const _ of redirect.addresses) {
      const server = createServer((request, response) => {
        const result: CallbackResult = ended
          ? { outcome: 'not-found' }
          : readCallback(request, redirect, authorization);
        const { status, body } = PAGES[result.outcome === 'code' ? 'accepted' : result.outcome];
        if (result.outcome === 'state-mismatch' && !reported) {
          reported = true;
          onStateMismatch();
        }
        if (result.outcome === 'code' || result.outcome === 'refused') {
          ended = true;
          for (const open of servers) open.close();
          response.once('close', () => {
            close();
            if (result.outcome === 'code') resolve(result.code);
            else reject(result.error);
          });
        }
        response.writeHead(status, { ...PAGE_HEADERS, ...(status === 405 && { allow: 'GET' }) }).end(body);
      });
      servers.push(server);
    }
  });
  // The promise may reject before the caller waits for it.
  code.catch(() => undefined);

  try {
    for (const [index, server] of servers.entries()) await listen(server, redirect, index);
  } catch (error) {
    close();
    throw error;
  }
  return { code, close };
}

/** The errors for `::1` on a machine without IPv6. `localhost` then has only the address 127.0.0.1. */
const MISSING_ADDRESS_CODES = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using the port',
  EACCES: 'permission denied',
};

function listen(server: Server, { addresses, port }: LoopbackRedirect, index: number): Promise<void> {
  const address = addresses[index];
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '' } = error;
      if (index > 0 && MISSING_ADDRESS_CODES.includes(code)) return resolve();
      reject(
        new OpacError('auth', `cannot listen on port ${port} of ${address}: ${REASONS[code] ?? code}`, {
          hint: 'free the port, or log in with "opac login --method headless" or "--method paste"',
          cause: error,
        }),
      );
    });
    server.listen({ port, host: address, exclusive: true }, resolve);
  });
}

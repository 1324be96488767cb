/** The listener at the registered redirect URI: answers whoever comes, and hands on the first callback that is ours. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { OpacError } from '../../service/errors.js';
import { type Authorization, isRedirectURI, type Redirect, readRedirect } from './authorization.js';
import { PAGE_HEADERS, PAGES, type Page } from './callback-page.js';
import type { ListenPlace } from './redirect-uri.js';

export interface CallbackListener {
  /** The first callback with our state: a code, or the service's refusal as an error. */
  readonly code: Promise<string>;
  /** Stops listening and ends every connection. */
  close(): void;
}

/** A redirect that ends the login, or the page for one that does not. */
type Verdict =
  | Extract<Redirect, { outcome: 'code' | 'refused' }>
  | { readonly outcome: Exclude<Page, 'accepted' | 'refused'> };

function judge(request: IncomingMessage, place: ListenPlace, authorization: Authorization): Verdict {
  // A page elsewhere may point a host name of its own at this machine (DNS rebinding): then Host names that.
  if (request.headers.host?.toLowerCase() !== place.host) return { outcome: 'misdirected' };
  const address = URL.canParse(request.url ?? '', place.url.href) && new URL(request.url ?? '', place.url);
  if (!address || !isRedirectURI(address, authorization.redirectURI)) return { outcome: 'not-found' };
  if (request.method !== 'GET') return { outcome: 'not-allowed' };
  return readRedirect(address.searchParams, authorization);
}

/**
 * Listens at every address of the place. `onForeign` is told once when a callback carries a state that is not ours.
 * Throws an OpacError when the port is taken or may not be used.
 */
export async function listenForCallback(
  place: ListenPlace,
  authorization: Authorization,
  onForeign: () => void,
): Promise<CallbackListener> {
  const servers: Server[] = [];
  const close = () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  let ended = false;
  let seenForeign = false;

  const code = new Promise<string>((resolve, reject) => {
    for (const _ of place.addresses) {
      const server = createServer((request, response) => {
        const verdict: Verdict = ended ? { outcome: 'not-found' } : judge(request, place, authorization);
        const { status, body } = PAGES[verdict.outcome === 'code' ? 'accepted' : verdict.outcome];
        if (verdict.outcome === 'foreign' && !seenForeign) {
          seenForeign = true;
          onForeign();
        }
        if (verdict.outcome === 'code' || verdict.outcome === 'refused') {
          ended = true;
          for (const open of servers) open.close();
          response.once('close', () => {
            close();
            if (verdict.outcome === 'code') resolve(verdict.code);
            else reject(verdict.error);
          });
        }
        response.writeHead(status, { ...PAGE_HEADERS, ...(status === 405 && { allow: 'GET' }) }).end(body);
      });
      servers.push(server);
    }
  });
  // It may fail before anyone waits for it.
  code.catch(() => undefined);

  try {
    for (const [index, server] of servers.entries()) await listen(server, place, index);
  } catch (error) {
    close();
    throw error;
  }
  return { code, close };
}

/** What a machine without IPv6 says of `::1`; `localhost` then is 127.0.0.1 alone. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port',
  EACCES: 'the port needs more rights than this user has',
};

function listen(server: Server, { addresses, port }: ListenPlace, index: number): Promise<void> {
  const address = addresses[index];
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '' } = error;
      if (index > 0 && NO_SUCH_ADDRESS.includes(code)) return resolve();
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

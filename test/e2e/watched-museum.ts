/** A museum behind a proxy. During a login, the proxy records all secrets, and the command lines of all processes. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Museum, MuseumOptions } from '../../src/mock/index.js';
import { startGuardedMuseum } from '../auth/login-setup.js';

export interface WatchedMuseum {
  readonly museum: Museum;
  /** The URL of the proxy, which is the base URL for opac. */
  readonly url: string;
  /** Secrets that opac must never print: client secret, basic key, and all tokens, codes and verifiers so far. */
  readonly secrets: ReadonlySet<string>;
  /** The authorization codes that the museum issued, in order. */
  readonly codes: readonly string[];
  /** The access tokens that the museum issued, in order. */
  readonly tokens: readonly string[];
  /** The command lines of all processes, from each step of a login. */
  readonly commandLines: ReadonlySet<string>;
}

export async function startWatchedMuseum(options?: MuseumOptions): Promise<WatchedMuseum> {
  const museum = await startGuardedMuseum(options);
  const secrets = new Set([museum.client.clientSecret, museum.basicKey]);
  const codes: string[] = [];
  const tokens: string[] = [];
  const commandLines = new Set<string>();

  const note = (into: string[], value: unknown) => {
    if (typeof value !== 'string' || value === '') return;
    into.push(value);
    secrets.add(value);
  };
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const sent = await buffer(request);
    const museumResponse = await fetch(`${museum.url}${path}`, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      redirect: 'manual',
      ...(sent.length > 0 && { body: new Uint8Array(sent) }),
    });
    const body = Buffer.from(await museumResponse.arrayBuffer());
    if (path.includes('/oauth/')) {
      for (const line of runningCommandLines()) commandLines.add(line);
      const location = museumResponse.headers.get('location');
      if (location) note(codes, new URL(location).searchParams.get('code'));
      if (sent.length > 0) note([], JSON.parse(sent.toString()).codeVerifier);
      if (/json/.test(museumResponse.headers.get('content-type') ?? '')) {
        note(tokens, JSON.parse(body.toString()).accessToken);
      }
    }
    const headers = Object.fromEntries(museumResponse.headers);
    delete headers['content-encoding'];
    response.writeHead(museumResponse.status, { ...headers, 'content-length': body.length }).end(body);
  };

  const proxy = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { museum, url, secrets, codes, tokens, commandLines };
}

/** Returns the headers that the proxy forwards. It does not forward the headers of a connection. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = ['authorization', 'content-type', 'accept'];
  return Object.fromEntries(passed.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

/** Returns the command lines of all processes, as `ps` shows them; `[]` on systems without /proc. */
function runningCommandLines(): string[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((process) => commandLineOf(process));
  } catch {
    return [];
  }
}

function commandLineOf(process: string): string[] {
  try {
    return [readFileSync(`/proc/${process}/cmdline`, 'utf8').replaceAll('\0', ' ')];
  } catch {
    // The process has ended.
    return [];
  }
}

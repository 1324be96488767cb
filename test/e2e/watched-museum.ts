/** A museum behind a door that notes every secret passing through it, and what the process listing shows meanwhile. */
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
  /** The address of the door: the base URL for the program. */
  readonly url: string;
  /** What must never be shown: client secret, basic key, and all tokens, codes and verifiers so far. */
  readonly secrets: ReadonlySet<string>;
  /** The codes given out, in order. */
  readonly codes: readonly string[];
  /** The access tokens given out, in order. */
  readonly tokens: readonly string[];
  /** The command lines of every process, as they stood at each step of a login. */
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
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const sent = await buffer(request);
    const answer = await fetch(`${museum.url}${path}`, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      redirect: 'manual',
      ...(sent.length > 0 && { body: new Uint8Array(sent) }),
    });
    const given = Buffer.from(await answer.arrayBuffer());
    if (path.includes('/oauth/')) {
      for (const line of runningCommandLines()) commandLines.add(line);
      const location = answer.headers.get('location');
      if (location) note(codes, new URL(location).searchParams.get('code'));
      if (sent.length > 0) note([], JSON.parse(sent.toString()).codeVerifier);
      if (/json/.test(answer.headers.get('content-type') ?? '')) {
        note(tokens, JSON.parse(given.toString()).accessToken);
      }
    }
    const headers = Object.fromEntries(answer.headers);
    delete headers['content-encoding'];
    response.writeHead(answer.status, { ...headers, 'content-length': given.length }).end(given);
  };

  const door = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  onTestFinished(() => {
    door.close();
    door.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  return { museum, url, secrets, codes, tokens, commandLines };
}

/** What the door hands on: not the headers that belong to a connection. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = ['authorization', 'content-type', 'accept'];
  return Object.fromEntries(passed.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

/** As `ps` shows them; none where there is no /proc. */
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
    // It has ended since.
    return [];
  }
}

/** Damaged files and requests: opac refuses them with a clear message, or uses them without losing data. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuthorization } from '../../src/auth/flow/authorization.js';
import { listenForCallback } from '../../src/auth/flow/callback-listener.js';
import { parseLoopbackRedirect } from '../../src/auth/flow/redirect-uri.js';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { OpacError } from '../../src/service/errors.js';
import { acquireLock } from '../../src/system/lock.js';
import { opac } from '../cli/run-in-process.js';
import { damagedBytes, damagedJson } from './damage.js';
import { expectPlain } from './plain.js';
import { runs } from './runs.js';

vi.setConfig({ testTimeout: 1_800_000 });

let museum: Museum;
let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  museum = await startMuseum({ records: 60 });
  folder = await mkdtemp(join(tmpdir(), 'opac-fuzz-'));
  return async () => {
    await museum.close();
    await rm(folder, { recursive: true, force: true });
  };
});

const run = (line: string, environment: Record<string, string> = {}) =>
  opac([...line.split(' '), '--retries', '0'], { environment });

describe('a checkpoint', () => {
  it('causes a complete export although it is damaged, or a clear error', async () => {
    const line = `objects export --columns id,title --page-size 10 -o ${at('o.csv')} --base-url`;
    await run(`${line} ${museum.url}`);
    const complete = await readFile(at('o.csv'), 'utf8');
    const failing = await startMuseum({ records: 60, faults: [{ kind: 'status', status: 401, after: 3 }] });
    await run(
      `objects export --columns id,title --page-size 10 --concurrency 1 -o ${at('p.csv')} --base-url ${failing.url}`,
    );
    await failing.close();
    const part = await readFile(at('p.csv.part'));
    const text = (await readFile(at('p.csv.part.json'), 'utf8')).replaceAll(failing.url, museum.url);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(damagedJson(JSON.parse(text)), damagedBytes(Buffer.from(text))),
        async (checkpoint) => {
          await rm(at('p.csv'), { force: true });
          await writeFile(at('p.csv.part'), part);
          await writeFile(at('p.csv.part.json'), checkpoint);
          const ran = await run(
            `objects export --columns id,title --page-size 10 --resume -o ${at('p.csv')} --base-url ${museum.url}`,
          );
          expectPlain(ran, [0, 2, 6]);
          fc.pre(ran.code === 0);
          expect(await readFile(at('p.csv'), 'utf8')).toBe(complete);
        },
      ),
      runs(8),
    );
  });
});

describe('a manifest', () => {
  it('verifies a file only if its description of the files is undamaged', async () => {
    await run(`objects export --columns id,title -o ${at('m.csv')} --base-url ${museum.url}`);
    const text = await readFile(at('m.csv.manifest.json'), 'utf8');
    // Names are not compared, because a file may have been renamed.
    const { files } = JSON.parse(text, (key, value: unknown) => (key === 'name' ? undefined : value)) as {
      files: object[];
    };
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(damagedJson(JSON.parse(text)), damagedBytes(Buffer.from(text))),
        async (manifest) => {
          await writeFile(at('m.csv.manifest.json'), manifest);
          const ran = await run(`verify ${at('m.csv')}`);
          expectPlain(ran, [0, 2, 6]);
          fc.pre(ran.code === 0);
          expect(JSON.parse(manifest.toString())).toMatchObject({ files });
        },
      ),
      runs(24),
    );
  });
});

describe('a lock', () => {
  it('is taken over after 15 seconds if it is damaged, or is refused and not changed', async () => {
    const lock = { pid: 999_999_999, host: hostname() };
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(damagedJson(lock), damagedBytes(Buffer.from(JSON.stringify(lock)))),
        async (content) => {
          await writeFile(at('l.csv.lock'), content);
          let now = 0;
          const sleep = async (time: number) => {
            now += time;
          };
          const clock = { now: () => now, sleep };
          const acquired = await acquireLock(at('l.csv.lock'), 'l.csv', { clock }).catch((error) => error);
          if (acquired instanceof OpacError) {
            expect(acquired.kind).toBe('usage');
            expect(await readFile(at('l.csv.lock'))).toEqual(Buffer.from(content));
            await rm(at('l.csv.lock'));
          } else {
            expect(now).toBe(15_000);
            await acquired.release();
          }
          expect(await readdir(folder)).not.toContain('l.csv.lock');
        },
      ),
      runs(100),
    );
  });
});

describe('a profile file', () => {
  it('is used although it is damaged, or causes a clear error', async () => {
    const config = at('config');
    await mkdir(config, { mode: 0o700 });
    const environment = { OPAC_CONFIG_DIR: config };
    await run(`login --anonymous -p one --base-url ${museum.url}`, environment);
    const path = join(config, 'profiles.json');
    const text = await readFile(path, 'utf8');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(damagedJson(JSON.parse(text)), damagedBytes(Buffer.from(text))),
        async (profiles) => {
          await writeFile(path, profiles, { mode: 0o600 });
          for (const line of ['objects count', 'status', 'profiles list']) {
            expectPlain(await run(`${line} --timeout 2`, environment), [0, 2, 4, 5]);
          }
        },
      ),
      runs(40),
    );
  });
});

describe('the callback listener', () => {
  it('continues after any request, and accepts a code only with the right state', async () => {
    const free = await startMuseum();
    const redirectURI = `${free.url}/callback`;
    await free.close();
    const redirect = parseLoopbackRedirect(redirectURI);
    if (!redirect) throw new Error('no loopback address');
    const authorization = createAuthorization({ clientId: 'me', redirectURI }, 'S256');
    const { state } = authorization;
    const listener = await listenForCallback(redirect, authorization, () => {});
    let isSettled = false;
    void listener.code.then(
      () => (isSettled = true),
      () => (isSettled = true),
    );
    const request = `GET /callback?state=${'x'.repeat(state.length)}&code=c0de HTTP/1.1\r\nHost: ${redirect.host}\r\n\r\n`;
    try {
      await fc.assert(
        fc.asyncProperty(damagedBytes(Buffer.from(request)), async (bytes) => {
          await sendBytes(redirect.port, bytes);
          expect(isSettled).toBe(false);
        }),
        runs(60),
      );
      const last = await fetch(`${redirectURI}?state=${encodeURIComponent(state)}&code=c0de`);
      expect(last.status).toBe(200);
      await last.text();
      expect(await listener.code).toBe('c0de');
    } finally {
      listener.close();
    }
  });
});

/** Sends raw bytes, and waits until the connection is closed. */
function sendBytes(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => socket.end(bytes));
    socket.on('data', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}

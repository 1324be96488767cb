/** `opac mock`: the museum as a server, with records from files, and with options for its behaviour. */

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder, opac, splitCommandLine, start, waitForEnd } from './opac.js';
import { collectOutcomes } from './run-against-museum.js';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** Starts `opac mock` on a free port. Returns its URL when it listens. */
async function serve(options: readonly string[]) {
  const child = start(['mock', '--port', '0', ...options]);
  const end = waitForEnd(child);
  // No output is lost, because the stream starts to flow here.
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', resolve);
    void end.then(({ stderr }) => reject(new Error(stderr)));
  });
  return { child, end, url: line.replace('museum on ', '') };
}

const runAt = (url: string, line: string) => opac([...splitCommandLine(line), '--base-url', url]);

describe('opac mock --data', () => {
  it('serves the record of a captured response', async () => {
    const { url } = await serve(['--data', fixture('opacobjects-detail.json')]);
    const { code, stdout } = await runAt(url, 'objects get 192938 -f json');
    const sample = JSON.parse(await readFile(fixture('opacobjects-detail.json'), 'utf8'));
    const [record] = sample.opacObjects ?? [sample];
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([record]);
  });

  it('serves several files, also compressed files, and finds the kinds by their id keys', async () => {
    const folder = await createFolder();
    const packed = join(folder, 'records.ndjson.gz');
    await writeFile(packed, gzipSync(await readFile(fixture('records.ndjson'))));
    const { url } = await serve(['--data', packed, fixture('opacobjects-detail.json')]);
    const rows = [
      ['objects list -f ids', '9001\n192938\n'],
      ['persons list -f ids', '9002\n'],
      ['venues list -f ids', '9003\n'],
      ['records count', '4\n'],
      ['objects list jar --columns id,name', 'id\tname\n9001\tA jar\n'],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([line]) => (await runAt(url, line)).stdout);
    expect(outcome).toEqual(Object.fromEntries(rows));
  });
});

describe('the options of opac mock', () => {
  it('change the records and the behaviour of the museum', async () => {
    const rows = [
      ['--records 1234', 'objects count', 0, '1234\n'],
      ['--authorized', 'objects count', 4, ''],
      ['--fault status,status=500 ', 'objects count --retries 0', 5, ''],
      ['--fault challenge,first=1', 'objects count', 0, '163\n'],
      ['--fault offset-ignored', 'objects list --all -f ids -o /dev/null', 6, ''],
      ['--cap 10 --gzip --numbers --latency 1ms', 'objects list --limit 1 -f ids', 0, '20011\n'],
      ['--fault window=100', 'objects list --offset 150 --limit 1 -f ids', 2, ''],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([options, line]) => {
      const { url, child } = await serve(splitCommandLine(options));
      const { code, stdout } = await runAt(url, line);
      child.kill('SIGINT');
      return { code, stdout };
    });
    expect(outcome).toEqual(
      Object.fromEntries(rows.map(([options, , code, stdout]) => [options, { code, stdout }])),
    );
  });

  it('cause an error with the reason if they are invalid', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'bad.ndjson'), '{"opacObjectId":"1"}\n{"id":"2"}\n');
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    onTestFinished(() => void otherServer.close());
    const { port } = otherServer.address() as AddressInfo;
    const rows = [
      [
        `--port ${port}`,
        `port ${port} is already in use; choose another port with --port, or 0 for any free port`,
      ],
      ['--port 99999', 'invalid value "99999" for --port; must be an integer from 0 to 65535'],
      ['--data missing.ndjson', 'cannot read "missing.ndjson"'],
      ['--data bad.ndjson', 'invalid record in "bad.ndjson", line 2'],
      ['--data bad.ndjson --records 5', '--data cannot be used with --records'],
      ['--records none', 'for --records; must be an integer of at least 1'],
      ['--fault stal', 'unknown fault "stal"; did you mean "stall"?'],
      ['--fault stall,evry=3', 'unknown setting "evry" of fault stall; did you mean "every"?'],
      ['--fault redirect', 'missing setting "location" of fault redirect'],
      [
        '--fault html,every=0',
        'invalid value "0" for setting "every" of fault html; it must be an integer of at least 1',
      ],
      ['--fault status', 'missing setting "status" of fault status'],
      ['--fault repeat=3', 'unknown fault "repeat"; did you mean "repeats"?'],
      ['--fault shuffles=5', 'fault shuffles takes no value'],
      ['--fault status=500,first', 'invalid setting "first" in "status=500,first"; write <key>=<value>'],
      ['objects.ndjson', 'too many arguments for "mock"'],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([options, message]) => {
      const { code, stderr } = await opac(['mock', ...splitCommandLine(options)], { folder });
      return { code, message: stderr.includes(message) ? message : stderr };
    });
    const expected = rows.map(([options, message]) => [
      options,
      { code: message.startsWith('port ') ? 1 : 2, message },
    ]);
    expect(outcome).toEqual(Object.fromEntries(expected));
  });
});

it.each(['SIGINT', 'SIGTERM'] as const)('exits with 0 after %s', async (signal) => {
  const { child, end } = await serve([]);
  child.kill(signal);
  expect(await end).toMatchObject({ code: 0 });
});

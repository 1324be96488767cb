/** `opac mock`: the museum as a server of its own, on records from files, and behaving as it is told. */

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ended, newFolder, opac, start, words } from './opac.js';
import { outcomesByName } from './run-against-museum.js';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** Starts `opac mock` on a free port and gives its address when it listens; it is interrupted when the test has ended. */
async function serve(options: readonly string[]) {
  const child = start(['mock', '--port', '0', ...options]);
  const end = ended(child);
  // What came before the listener is not lost: the stream flows from here on.
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', resolve);
    void end.then(({ stderr }) => reject(new Error(stderr)));
  });
  return { child, end, url: line.replace('museum on ', '') };
}

const ask = (url: string, line: string) => opac([...words(line), '--base-url', url]);

describe('opac mock --data', () => {
  it('serves the captured sample, which answers by its id', async () => {
    const { url } = await serve(['--data', fixture('opacobjects-detail.json')]);
    const { code, stdout } = await ask(url, 'objects get 192938 -f json');
    const sample = JSON.parse(await readFile(fixture('opacobjects-detail.json'), 'utf8'));
    const [record] = sample.opacObjects ?? [sample];
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([record]);
  });

  it('serves several files, compressed ones too, and tells the kinds apart by their id key', async () => {
    const folder = await newFolder();
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
    const outcome = await outcomesByName(rows, async ([line]) => (await ask(url, line)).stdout);
    expect(outcome).toEqual(Object.fromEntries(rows));
  });
});

describe('the options of opac mock', () => {
  it('decide what it holds and how it behaves', async () => {
    const rows = [
      ['--records 1234', 'objects count', 0, '1234\n'],
      ['--authorized', 'objects count', 4, ''],
      ['--fault status,status=500 ', 'objects count --retries 0', 5, ''],
      ['--fault challenge,first=1', 'objects count', 0, '163\n'],
      ['--fault offset-ignored', 'objects list --all -f ids -o /dev/null', 6, ''],
      ['--cap 10 --gzip --numbers --latency 1ms', 'objects list --limit 1 -f ids', 0, '20011\n'],
      ['--fault window=100', 'objects list --offset 150 --limit 1 -f ids', 2, ''],
    ] as const;
    const outcome = await outcomesByName(rows, async ([options, line]) => {
      const { url, child } = await serve(words(options));
      const { code, stdout } = await ask(url, line);
      child.kill('SIGINT');
      return { code, stdout };
    });
    expect(outcome).toEqual(
      Object.fromEntries(rows.map(([options, , code, stdout]) => [options, { code, stdout }])),
    );
  });

  it('are refused when they cannot be right', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'bad.ndjson'), '{"opacObjectId":"1"}\n{"id":"2"}\n');
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
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
    const outcome = await outcomesByName(rows, async ([options, message]) => {
      const { code, stderr } = await opac(['mock', ...words(options)], { folder });
      return { code, said: stderr.includes(message) ? message : stderr };
    });
    const expected = rows.map(([options, said]) => [
      options,
      { code: said.startsWith('port ') ? 1 : 2, said },
    ]);
    expect(outcome).toEqual(Object.fromEntries(expected));
  });
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a museum that is stopped by %s has done its work',
  async (signal) => {
    const { child, end } = await serve([]);
    child.kill(signal);
    expect(await end).toMatchObject({ code: 0 });
  },
);

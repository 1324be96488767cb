/** A reader that went away (`| head`): the program ends, and asks for nothing more on its behalf. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ended, newFolder, start, words } from './opac.js';

it.each(['objects export --mock -f ndjson --debug', 'objects list --mock --all -f ndjson --debug'])(
  '%s | head -n 1',
  async (line) => {
    const child = start(words(line));
    const said = text(child.stderr as NodeJS.ReadableStream);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.stdout?.destroy();
    const [code] = await once(child, 'close');
    const asked = (await said).split('\n').filter((each) => each.startsWith('> GET'));
    expect(code).toBe(0);
    // What is given up is not asked for again.
    expect(asked).toEqual([...new Set(asked)]);
  },
);

it.each([
  ['check --mock --only expected --expect objects=1000', 7],
  ['check --mock --only access', 0],
])('%s, whose reader is gone, exits with its verdict', async (line, verdict) => {
  const child = start(words(line));
  child.stdout?.destroy();
  expect(await once(child, 'close')).toEqual([verdict, null]);
});

it('diff of two files | head -n 2 ends without an error, even while it reads a record', async () => {
  const folder = await newFolder();
  const rows = Array.from({ length: 8000 }, (_, n) => `${n + 1},${'title '.repeat(50)}\n`);
  await writeFile(join(folder, 'old.csv'), `id,title\n${rows.join('')}`);
  await writeFile(join(folder, 'new.csv'), `id,title\n${rows.slice(0, 30).join('')}`);
  for (let time = 0; time < 4; time++) {
    const child = start(['diff', 'old.csv', 'new.csv'], { folder });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { code, stderr } = await ended(child);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  }
});

/** If the reader of the output ends (`| head`), the program ends without an error, and does not retry cancelled requests. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createFolder, splitCommandLine, start, waitForEnd } from './opac.js';

it.each(['objects export --mock -f ndjson --debug', 'objects list --mock --all -f ndjson --debug'])(
  'exits with 0 and sends no request twice: %s | head -n 1',
  async (line) => {
    const child = start(splitCommandLine(line));
    const messages = text(child.stderr as NodeJS.ReadableStream);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.stdout?.destroy();
    const [code] = await once(child, 'close');
    const requests = (await messages).split('\n').filter((each) => each.startsWith('> GET'));
    expect(code).toBe(0);
    // The program does not send a cancelled request again.
    expect(requests).toEqual([...new Set(requests)]);
  },
);

it.each([
  ['check --mock --only expected --expect objects=1000', 7],
  ['check --mock --only access', 0],
])('exits with its own exit code if the reader has ended: %s', async (line, exitCode) => {
  const child = start(splitCommandLine(line));
  child.stdout?.destroy();
  expect(await once(child, 'close')).toEqual([exitCode, null]);
});

it('exits without an error if the reader ends while diff reads a record', async () => {
  const folder = await createFolder();
  const rows = Array.from({ length: 8000 }, (_, n) => `${n + 1},${'title '.repeat(50)}\n`);
  await writeFile(join(folder, 'old.csv'), `id,title\n${rows.join('')}`);
  await writeFile(join(folder, 'new.csv'), `id,title\n${rows.slice(0, 30).join('')}`);
  for (let time = 0; time < 4; time++) {
    const child = start(['diff', 'old.csv', 'new.csv'], { folder });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { code, stderr } = await waitForEnd(child);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  }
});

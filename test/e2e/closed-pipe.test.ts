/** A reader that went away (`| head`): the program ends, and asks for nothing more on its behalf. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { start, words } from './opac.js';

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

/** `opac objects report` as a spawned program. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder, opac } from './opac.js';

it('draws no growth chart of a mirror in the working folder', async () => {
  const folder = await createFolder();
  for (let run = 0; run < 2; run++)
    expect(await opac(['sync', '.', '--mock', '--keep', '2'], { folder })).toMatchObject({ code: 0 });
  for (const [source, hasGrowth] of [
    [['--mock'], false],
    [['--from', '.'], true],
  ] as const) {
    const page = join(await createFolder(), 'page.html');
    const line = ['objects', 'report', '--no-thumbnails', '-o', page, ...source];
    expect(await opac(line, { folder })).toMatchObject({ code: 0 });
    expect((await readFile(page, 'utf8')).includes('<h2>Growth</h2>')).toBe(hasGrowth);
  }
});

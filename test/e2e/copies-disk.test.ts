/** `opac diff` on a full disk, which `ulimit -f` simulates. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: a script of the bench, without types.
import { recordOf } from '../bench/records.js';
import { createFolder, opac } from './opac.js';

async function writeExports(folder: string): Promise<void> {
  const lines = Array.from({ length: 450 }, (_, n) => JSON.stringify(recordOf(n)));
  await writeFile(join(folder, 'old.ndjson'), lines.join('\n'));
  await writeFile(join(folder, 'new.ndjson'), lines.join('\n').replaceAll('"slug":"', '"slug":"later-'));
}

it('prints the name of the report that it cannot write, and keeps the previous report', async () => {
  const folder = await createFolder();
  await writeExports(folder);
  for (const name of ['report.csv', 'report.html', 'report.xlsx']) {
    await writeFile(join(folder, name), 'before');
    const words = ['diff', 'old.ndjson', 'new.ndjson', '--exit-code', '-o', name];
    const { code, stdout, stderr } = await opac(words, { folder, largestFile: 2048 });
    expect({ code, stdout }, name).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`cannot write "${name}": the file grew too large for the file system`);
    expect(await readFile(join(folder, name), 'utf8')).toBe('before');
  }
});

/** The folder of a download. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ImageFolder } from '../../src/images/download/image-folder.js';
import { readRows } from '../../src/images/download/index-file.js';

it('ignores empty lines and reports invalid rows of an index, and stops when the signal aborts', async () => {
  const path = await mkdtemp(join(tmpdir(), 'opac-image-folder-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const index = join(path, 'index.ndjson');
  await writeFile(index, '\n{}\n\n');
  const notes: string[] = [];
  for await (const row of readRows(index, (text) => notes.push(text))) expect(row).toBeUndefined();
  expect(notes).toEqual([`ignored 1 invalid row in "${index}"`]);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(readRows(index, undefined, signal).next()).rejects.toThrow('enough');
});

it('stops saving an image when the signal aborts, and keeps the old image', async () => {
  const path = await mkdtemp(join(tmpdir(), 'opac-image-folder-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const folder = await ImageFolder.open(path);
  await folder.writeFile('a.png', 'old');
  const interruption = new AbortController();
  const saved = folder.writeFile('a.png', Buffer.alloc(64 << 20), interruption.signal);
  interruption.abort(new Error('enough'));
  await expect(saved).rejects.toThrow('enough');
  expect(await readFile(join(path, 'a.png'), 'utf8')).toBe('old');
  expect((await readdir(folder.work)).filter((name) => name.startsWith('part-'))).toEqual([]);
  await folder.close(true);
});

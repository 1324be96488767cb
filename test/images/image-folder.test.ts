/** The folder of a download. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ImageFolder } from '../../src/images/download/image-folder.js';

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

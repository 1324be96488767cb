/** Creates a folder for one test, and removes it after the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Mirrors a small museum with `opac sync`, and reads the files of the mirror. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { opac, type RunResult } from '../cli/run-in-process.js';
import { createFolder } from '../e2e/opac.js';
import type { SmallKind, SmallMuseum } from './small-museum.js';

export interface Mirror {
  readonly folder: string;
  readonly words: readonly string[];
  sync(...more: string[]): Promise<RunResult>;
  /** Returns the lines of a snapshot, sorted. */
  lines(kind?: SmallKind): Promise<string[]>;
  /** Returns the change logs, sorted by name. */
  changeLogs(): Promise<readonly ChangeLog[]>;
}

export interface ChangeLog {
  readonly name: string;
  readonly changes: readonly { readonly id: string; readonly change: string; readonly record?: object }[];
}

export async function createMirror(museum: SmallMuseum, kinds = 'objects'): Promise<Mirror> {
  const folder = join(await createFolder(), 'mirror');
  const words = ['sync', folder, '--kinds', kinds, '--base-url', museum.url, '--retries', '1'];
  return {
    folder,
    words,
    sync: (...more) => opac([...words, ...more]),
    async lines(kind = 'objects') {
      const text = gunzipSync(await readFile(join(folder, `${kind}.ndjson.gz`))).toString();
      return text === '' ? [] : text.trimEnd().split('\n').sort();
    },
    async changeLogs() {
      const names = (await readdir(join(folder, 'changes')).catch(() => [])).sort();
      return Promise.all(
        names.map(async (name) => {
          const text = await readFile(join(folder, 'changes', name), 'utf8');
          return {
            name,
            changes: text
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line)),
          };
        }),
      );
    },
  };
}

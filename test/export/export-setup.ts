/** A museum, a client and a folder for one test, and a function that exports records from the museum to the folder. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createClient } from '../../src/client/client.js';
import {
  createSlicedSource,
  type SlicedOptions,
} from '../../src/export/collect/source/slices/sliced-source.js';
import type { FormatOptions } from '../../src/export/convert/formats.js';
import { type ExportOptions, exportRecords } from '../../src/export/export-records.js';
import { type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import type { Clock } from '../../src/system/clock.js';

export type ExportSetupOptions = Partial<Omit<ExportOptions, 'formatOptions' | 'source'>> &
  Partial<FormatOptions> &
  Pick<SlicedOptions, 'limit' | 'offset' | 'pageSize' | 'concurrency' | 'window' | 'part' | 'onPlan'>;

/** Returns a clock that jumps instead of sleeping, so that retries and pauses take no time. */
function createInstantClock(): Clock {
  let slept = 0;
  return {
    now: () => Date.now() + slept,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      slept += milliseconds;
    },
  };
}

export interface ExportSetup {
  readonly folder: string;
  readonly path: (name: string) => string;
  /** Returns the decompressed text of a file. `http://museum` replaces the URL of the museum, which differs in each test. */
  readonly text: (name: string) => Promise<string>;
  readonly run: (name: string, options?: ExportSetupOptions) => ReturnType<typeof exportRecords>;
}

/** Calls `act` with a new museum, and closes the museum when `act` returns. */
export async function withMuseum(museumOptions: MuseumOptions, act: (setup: ExportSetup) => Promise<void>) {
  await withService(await startMuseum(museumOptions), act);
}

/** Like `withMuseum`, but with any service. */
export async function withService(
  museum: Pick<Museum, 'url' | 'close'>,
  act: (setup: ExportSetup) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-export-'));
  const client = createClient({ baseUrl: museum.url, timeout: 2, clock: createInstantClock() });
  const path = (name: string) => join(folder, name);
  try {
    await act({
      folder,
      path,
      text: async (name) => {
        const bytes = await readFile(path(name));
        return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
          .toString()
          .replaceAll(museum.url, 'http://museum');
      },
      run: (name, options = {}) => {
        const {
          kind = 'objects',
          limit,
          offset,
          pageSize = 20,
          concurrency = 3,
          window,
          part,
          onPlan,
          ...rest
        } = options;
        const query = rest.query ?? [['view', 'detail']];
        return exportRecords({
          target: path(name),
          deployment: museum.url,
          command: 'opac objects export',
          source: createSlicedSource({
            client,
            kind,
            query,
            limit,
            offset,
            pageSize,
            concurrency,
            window,
            part,
            onPlan,
          }),
          formatOptions: { format: 'ndjson', ...rest, kind },
          checkpointEvery: 0,
          ...rest,
          query,
        });
      },
    });
  } finally {
    await client.close();
    await museum.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates an empty folder, calls `act`, and removes the folder. */
export async function withFolder(
  act: (path: (name: string) => string, text: (name: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-export-'));
  const path = (name: string) => join(folder, name);
  try {
    await act(path, (name) => readFile(path(name), 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

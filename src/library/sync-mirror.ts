/** Creates and updates a mirror, as `opac sync` does. */
import type { Client } from '../client/client.js';
import { createSearchSource } from '../export/collect/source/search-source.js';
import { type SyncOutcome, syncMirror as updateMirror } from '../mirror/sync-mirror.js';
import { SNAPSHOT_EXTENSIONS, type SyncOptions } from '../mirror/sync-options.js';
import { assertChoices, assertIntegers, assertTexts } from '../service/assert-options.js';
import { UsageError } from '../service/errors.js';
import { RECORD_KINDS, type RecordKind } from '../service/kinds.js';
import { type QueryParameters, searchParameters } from '../service/search/record-search.js';

const DEFAULT_FULL_EVERY = 7;

/** The mirror folder, its records, and the options of the run. */
export interface MirrorOptions
  extends Pick<SyncOptions, 'client' | 'folder' | 'deliver'>,
    Partial<Pick<SyncOptions, 'keep' | 'fullEvery' | 'strict' | 'signal' | 'onProgress'>> {
  /** Default: objects, persons and venues, if the deployment offers them. */
  readonly kinds?: readonly RecordKind[] | undefined;
  /** The search, which must be the same in every run. Default: all records with all fields. */
  readonly query?: QueryParameters | undefined;
  /** The file extension of the snapshots. Default: the extension in the mirror, or `ndjson.gz` for a new mirror. */
  readonly ending?: (typeof SNAPSHOT_EXTENSIONS)[number] | undefined;
  /**
   * A field whose value increases with every edit. With this field, a run reads only the pages with the newest edits, but at
   * least every nth run
   * reads all records (n: `fullEvery`, default 7).
   */
  readonly newestFirst?: string | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Creates or updates the mirror. If reading the records fails, the mirror stays unchanged. Throws an OpacError or the reason of
 * the signal. If `deliver` returns an error, the result contains it as `undelivered`, and the next run calls `deliver` again.
 */
export async function syncMirror(options: MirrorOptions): Promise<SyncOutcome> {
  const { kinds = RECORD_KINDS, query = searchParameters({ terms: {}, view: 'detail' }) } = options;
  const { ending, keep = 0, fullEvery = DEFAULT_FULL_EVERY, newestFirst } = options;
  const { client, folder, deliver, signal = new AbortController().signal } = options;
  assertChoices('kinds', kinds, RECORD_KINDS);
  assertTexts({ folder });
  assertIntegers(0, { keep });
  assertIntegers(1, { fullEvery });
  if (ending !== undefined && !SNAPSHOT_EXTENSIONS.includes(ending))
    throw new UsageError(
      `"${ending}" is not a file extension of snapshots`,
      `use ${SNAPSHOT_EXTENSIONS.join(', ')}`,
    );
  return updateMirror({
    folder,
    client,
    deployment: client.baseUrl,
    kinds,
    skipsMissingKinds: options.kinds === undefined,
    query,
    sourceOf: (kind, watched) => createSource(watched, kind, query),
    ending,
    keep,
    newestFirst,
    fullEvery,
    strict: options.strict,
    signal,
    deliver,
    note: options.onNotice ?? (() => undefined),
    warn: options.onNotice ?? (() => undefined),
    onProgress: options.onProgress ?? (() => undefined),
  });
}

async function createSource(client: Client, kind: RecordKind, query: QueryParameters) {
  const search = { client, kind, query };
  return { ...createSearchSource(search), search };
}

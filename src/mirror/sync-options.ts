/** The options of a mirror run, and its results for each kind. */
import type { Client } from '../client/client.js';
import type { RecordSource, ResultSearch } from '../export/collect/source/record-source.js';
import type { InvalidUtf8Counter } from '../records/json/invalid-utf8.js';
import type { OpacError } from '../service/errors.js';
import type { RecordKind } from '../service/kinds.js';
import type { QueryParameters } from '../service/search/record-search.js';

export interface MirrorSource extends RecordSource {
  readonly search: ResultSearch;
}

export interface KindReading {
  readonly kind: RecordKind;
  readonly source: MirrorSource;
  /** Counts the records with invalid UTF-8 that an incremental run reads. */
  readonly notUtf8: InvalidUtf8Counter;
  readonly signal: AbortSignal;
}

/** File extensions of snapshots, the default first. */
export const SNAPSHOT_EXTENSIONS = ['ndjson.gz', 'ndjson.zst', 'ndjson'] as const;

export interface SyncOptions {
  readonly folder: string;
  readonly client: Client;
  readonly deployment: string;
  readonly kinds: readonly RecordKind[];
  /** Whether to skip a kind that neither the deployment nor the mirror has. */
  readonly skipsMissingKinds: boolean;
  readonly query: QueryParameters;
  readonly sourceOf: (kind: RecordKind, client: Client) => Promise<MirrorSource>;
  /** The file extension of the snapshots. Default: the extension in the mirror, or `ndjson.gz` for a new mirror. */
  readonly ending: string | undefined;
  /** The number of old snapshots of each kind to keep. */
  readonly keep: number;
  /** A field that changes with each edit. If set, a run may be incremental: it reads only the newest records and all ids. */
  readonly newestFirst: string | undefined;
  /** With `newestFirst`: 7 means that every seventh run reads all records. */
  readonly fullEvery: number;
  /** Whether smaller problems also make the run fail, for example records without fields or with invalid UTF-8. */
  readonly strict?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds to wait for another run. Default 0. */
  readonly waitLock?: number | undefined;
  readonly onLockWait?: ((error: OpacError) => void) | undefined;
  readonly note: (text: string) => void;
  /** Prints a warning about missing or damaged data, also with `--quiet`. */
  readonly warn: (text: string) => void;
  readonly onProgress: (written: number, total: number | undefined) => void;
  /** Processes a change log. If `deliver` returns an error, the next run calls `deliver` again with the same change log. */
  readonly deliver?: ((file: string) => Promise<OpacError | undefined>) | undefined;
}

export interface ResolvedSyncOptions extends SyncOptions {
  readonly ending: string;
}

export interface Counts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** The number of changed records whose `newestFirst` field is unchanged. Only a run that reads all records finds them. */
  readonly missed: number;
}

/** The number of records of one kind in the mirror, and the numbers of changes. */
export interface KindOutcome extends Counts {
  readonly kind: RecordKind;
  readonly records: number;
  /** Whether the mirror had no snapshot of the kind before. */
  readonly isFirst: boolean;
}

/** What a run of a mirror is given, and what it says of each kind. */
import type { Client } from '../client/client.js';
import type { RecordSource, ResultSearch } from '../export/collect/source/record-source.js';
import type { InvalidUtf8Counter } from '../records/json/invalid-utf8.js';
import type { OpacError } from '../service/errors.js';
import type { RecordKind } from '../service/kinds.js';
import type { QueryParameters } from '../service/search/record-search.js';

/** The records of a kind that belong to a mirror, and the search whose ids are listed. */
export interface MirrorSource extends RecordSource {
  readonly search: ResultSearch;
}

/** What reading a kind takes. */
export interface KindReading {
  readonly kind: RecordKind;
  readonly source: MirrorSource;
  /** Counts the records of an incremental run. */
  readonly notUtf8: InvalidUtf8Counter;
  readonly signal: AbortSignal;
}

export interface SyncOptions {
  readonly folder: string;
  readonly client: Client;
  readonly deployment: string;
  readonly kinds: readonly RecordKind[];
  /** Whether a kind that the deployment does not offer is skipped. */
  readonly isAnyKind: boolean;
  /** What tells this search from others: a mirror holds the same one always. */
  readonly query: QueryParameters;
  readonly sourceOf: (kind: RecordKind, client: Client) => Promise<MirrorSource>;
  readonly ending: string;
  /** Old snapshots that stay. */
  readonly keep: number;
  readonly newestFirst: string | undefined;
  /** Every so many runs everything is read. */
  readonly fullEvery: number;
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
  readonly onProgress: (written: number, total: number | undefined) => void;
  /** Takes a file of changes; gives the error when that failed, and it is offered again by the next run. */
  readonly deliver?: ((file: string) => Promise<OpacError | undefined>) | undefined;
}

export interface Counts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Edits that `newestFirst` did not show; 0 where that was not checked. */
  readonly missed: number;
}

export interface KindOutcome extends Counts {
  readonly kind: RecordKind;
  readonly records: number;
  readonly isFirst: boolean;
}

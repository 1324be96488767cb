/** Finds the records of a snapshot by kind and id. */
import { UsageError } from '../service/errors.js';
import { KIND_KEYS, type Kind } from '../service/kinds.js';
import type { Entry, Snapshot } from './snapshot.js';
import type { SnapshotRecord } from './snapshot-record.js';

export class SnapshotIndex {
  readonly snapshot: Snapshot;
  readonly #defaultKind: Kind;
  readonly #entries = new Map<string, Entry>();

  /** Throws a UsageError for a duplicate id. `defaultKind` is the kind of records that do not state their kind. */
  constructor(snapshot: Snapshot, entries: readonly Entry[], defaultKind: Kind = 'records') {
    this.snapshot = snapshot;
    this.#defaultKind = defaultKind;
    for (const entry of entries) {
      const key = this.#createKey(entry);
      if (this.#entries.has(key)) throw this.#createDuplicateError(entry);
      this.#entries.set(key, entry);
    }
  }

  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Finds the record with the id of an entry of the other snapshot. A row without an id matches no record. */
  find(entry: Pick<Entry, 'kind' | 'id' | 'row'>): Entry | undefined {
    return entry.row === undefined ? this.#entries.get(this.#createKey(entry)) : undefined;
  }

  read({ kind = this.#defaultKind, id, start, end, row }: Entry): SnapshotRecord {
    const record = this.snapshot.read(start, end, kind);
    return row === undefined ? record : { ...record, id };
  }

  bytes({ start, end }: Entry): Buffer {
    return this.snapshot.file.bytes(start, end);
  }

  #createKey({ kind = this.#defaultKind, id, row }: Pick<Entry, 'kind' | 'id' | 'row'>): string {
    return row === undefined ? `${kind}:${id}` : `${kind} in row ${row}`;
  }

  #createDuplicateError({ kind = this.#defaultKind, id, start }: Entry): UsageError {
    const { path, file } = this.snapshot;
    return new UsageError(
      `duplicate ${KIND_KEYS[kind].recordType} ${id} in "${path}" (line ${file.lineNumberAt(start)})`,
      'export the records again, or remove one of the two records',
    );
  }
}

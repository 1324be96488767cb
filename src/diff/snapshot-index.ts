/** The records of a snapshot by kind and id. */
import { UsageError } from '../service/errors.js';
import { KIND_KEYS, type Kind } from '../service/kinds.js';
import type { Entry, Snapshot } from './snapshot.js';
import type { SnapshotRecord } from './snapshot-record.js';

export class SnapshotIndex {
  readonly snapshot: Snapshot;
  readonly #assumed: Kind;
  /** In the order of the snapshot. */
  readonly #entries = new Map<string, Entry>();

  /** `assumed`: the kind of records that do not state one. Throws a UsageError for an id that is there twice. */
  constructor(snapshot: Snapshot, entries: readonly Entry[], assumed: Kind = 'records') {
    this.snapshot = snapshot;
    this.#assumed = assumed;
    for (const entry of entries) {
      const name = this.#nameOf(entry);
      if (this.#entries.has(name)) throw this.#duplicateError(entry);
      this.#entries.set(name, entry);
    }
  }

  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  find(entry: Pick<Entry, 'kind' | 'id'>): Entry | undefined {
    return this.#entries.get(this.#nameOf(entry));
  }

  read({ kind = this.#assumed, start, end }: Entry): SnapshotRecord {
    return this.snapshot.read(start, end, kind);
  }

  bytes({ start, end }: Entry): Buffer {
    return this.snapshot.file.bytes(start, end);
  }

  #nameOf({ kind = this.#assumed, id }: Pick<Entry, 'kind' | 'id'>): string {
    return `${kind}:${id}`;
  }

  #duplicateError({ kind = this.#assumed, id, start }: Entry): UsageError {
    const { path, file } = this.snapshot;
    return new UsageError(
      `"${path}" holds the ${KIND_KEYS[kind].recordType} ${id} twice, again in line ${file.lineNumberAt(start)}`,
      'export it again, or remove one of the two',
    );
  }
}

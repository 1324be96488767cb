/** Where each record of a snapshot lies, by kind and id. */
import { UsageError } from '../service/errors.js';
import { KIND_WORDS, type Kind } from '../service/kinds.js';
import type { Snapshot } from './snapshot.js';
import type { SnapshotRecord } from './snapshot-record.js';

export class SnapshotIndex {
  readonly snapshot: Snapshot;
  /** In the order of the snapshot; undefined where nothing says it. */
  readonly kinds: (Kind | undefined)[] = [];
  readonly #byId = new Map<Kind | undefined, Map<string, number>>();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Two numbers of 48 bits for each record. */
  readonly #digests: number[] = [];

  private constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  /** Throws a UsageError for an id that is there twice. */
  static async of(snapshot: Snapshot, signal: AbortSignal): Promise<SnapshotIndex> {
    const index = new SnapshotIndex(snapshot);
    await snapshot.each((kind, { id, start, end }, digest) => {
      signal.throwIfAborted();
      if (index.find(kind, id) !== undefined) throw twice(snapshot, kind, id, start);
      const ids = index.#byId.get(kind) ?? new Map<string, number>();
      index.#byId.set(kind, ids.set(id, index.kinds.length));
      index.kinds.push(kind);
      index.#starts.push(start);
      index.#ends.push(end);
      index.#digests.push(digest.readUIntBE(0, 6), digest.readUIntBE(6, 6));
    });
    return index;
  }

  /** An unknown kind goes with any kind, as long as there is one. */
  find(kind: Kind | undefined, id: string): number | undefined {
    const [first, ...others] = this.#byId.values();
    const any = others.length === 0 && kind === undefined ? first : undefined;
    return this.#byId.get(kind)?.get(id) ?? (any ?? this.#byId.get(undefined))?.get(id);
  }

  hasDigest(place: number, digest: Buffer): boolean {
    const [first, second] = [this.#digests[2 * place], this.#digests[2 * place + 1]];
    return first === digest.readUIntBE(0, 6) && second === digest.readUIntBE(6, 6);
  }

  ids(kind: Kind): Iterable<string> {
    return this.#byId.get(kind)?.keys() ?? [];
  }

  read(place: number, assumed: Kind = 'records'): SnapshotRecord {
    return this.snapshot.read(...this.#range(place), this.kinds[place] ?? assumed);
  }

  bytes(place: number): Buffer {
    return this.snapshot.file.bytes(...this.#range(place));
  }

  #range(place: number): [start: number, end: number] {
    return [this.#starts[place] as number, this.#ends[place] as number];
  }
}

export function twice(snapshot: Snapshot, kind: Kind = 'records', id: string, at: number): UsageError {
  return new UsageError(
    `"${snapshot.path}" holds the ${KIND_WORDS[kind].recordType} ${id} twice, again in line ${snapshot.file.line(at)}`,
    'export it again, or remove one of the two',
  );
}

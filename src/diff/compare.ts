/** Compares two snapshots: which records were added, removed and changed, and what changed in them. */
import { inOrder } from '../client/paging/prefetch.js';
import { createSeenIds } from '../client/paging/seen-ids.js';
import { UsageError } from '../service/errors.js';
import type { Kind } from '../service/kinds.js';
import { type ChangeOptions, changesBetween } from './changes.js';
import type { Difference } from './difference.js';
import { NumberList } from './numbers.js';
import type { Snapshot } from './snapshot.js';
import { SnapshotIndex, twice } from './snapshot-index.js';
import type { SnapshotRecord } from './snapshot-record.js';
import { newTally, type Tally, tallyOf } from './tally.js';

export interface CompareOptions extends ChangeOptions {
  readonly context: readonly string[];
  /** Whether records are compared of which this is the older or the newer state. */
  readonly isWanted: (record: SnapshotRecord) => boolean;
  readonly signal: AbortSignal;
  /** Asks for a removed record by its id, several at once. */
  readonly ask?:
    | ((kind: Kind, id: string, signal: AbortSignal) => Promise<'withdrawn' | 'missed'>)
    | undefined;
  readonly concurrency?: number | undefined;
}

export interface Comparison {
  /** Grows while differences are taken. */
  readonly tally: Tally;
  /** Those of the newer snapshot in its order, then removed records in the order of the older. */
  readonly differences: AsyncIterable<Difference>;
}

/** Throws a UsageError for two that hold no records of one kind, and for an id that one holds twice. */
export async function compareSnapshots(
  older: Snapshot,
  newer: Snapshot,
  options: CompareOptions,
): Promise<Comparison> {
  const index = await SnapshotIndex.of(older, options.signal);
  const found = await differing(index, older, newer, options.signal);
  const tally = newTally();
  const assumed = assumedKind(older, newer, index, found);
  for (const kind of index.kinds) tallyOf(tally, kind ?? assumed).older++;
  for (const [kind, count] of found.counts) tallyOf(tally, kind ?? assumed).newer += count;
  refuseStrangers(older, newer, tally);
  return { tally, differences: differences({ older, newer, index, found, tally, assumed }, options) };
}

const NONE = -1;

interface Found {
  readonly counts: Map<Kind | undefined, number>;
  /** Of records of the newer snapshot that are new, or whose bytes differ. */
  readonly starts: NumberList;
  readonly ends: NumberList;
  readonly kinds: (Kind | undefined)[];
  /** Their places in the older one, or NONE. */
  readonly matches: NumberList;
  /** 1 for each record of the older snapshot that the newer one has as well. */
  readonly kept: Uint8Array;
}

async function differing(
  index: SnapshotIndex,
  older: Snapshot,
  newer: Snapshot,
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = {
    counts: new Map(),
    starts: new NumberList(),
    ends: new NumberList(),
    kinds: [],
    matches: new NumberList(),
    kept: new Uint8Array(index.kinds.length),
  };
  const isLike = newer.isLike(older);
  const added = createSeenIds();
  await newer.each((kind, { id, start, end }, digest) => {
    signal.throwIfAborted();
    found.counts.set(kind, (found.counts.get(kind) ?? 0) + 1);
    const match = index.find(kind, id) ?? NONE;
    const isAgain = match === NONE ? !added.add(`${kind}:${id}`) : found.kept[match] === 1;
    if (isAgain) throw twice(newer, kind, id, start);
    if (match !== NONE) found.kept[match] = 1;
    if (match !== NONE && isLike && index.digests.equals(match, digest)) return;
    found.starts.push(start);
    found.ends.push(end);
    found.kinds.push(kind);
    found.matches.push(match);
  });
  return found;
}

interface Sides {
  readonly older: Snapshot;
  readonly newer: Snapshot;
  readonly index: SnapshotIndex;
  readonly found: Found;
  readonly tally: Tally;
  /** Of records that do not say their kind. */
  readonly assumed: Kind;
}

async function* differences(
  { older, newer, index, found, tally, assumed }: Sides,
  options: CompareOptions,
): AsyncGenerator<Difference> {
  const { isWanted, signal, context } = options;
  const tables = [newer.table, older.table];
  const told = (difference: Difference) => {
    tally.add(difference);
    return difference;
  };
  for (let n = 0; n < found.matches.length; n++) {
    signal.throwIfAborted();
    const after = newer.read(found.starts.at(n), found.ends.at(n), found.kinds[n] ?? assumed);
    const match = found.matches.at(n);
    const before = match === NONE ? undefined : index.read(match, assumed);
    const changes = before ? changesBetween(before, after, tables, options) : [];
    if (before && changes.length === 0) continue;
    if (!isWanted(after) && !(before && isWanted(before))) continue;
    yield told({
      ...nameOf(after, context),
      change: before ? 'changed' : 'added',
      changes,
      older: before,
      newer: after,
    });
  }
  for await (const { before, asked } of asRemoved(removed(), options)) {
    const gone = { change: 'removed', changes: [], older: before, newer: undefined } as const;
    yield told({ ...nameOf(before, context), ...gone, ...(asked && { asked }) });
  }

  function* removed(): Generator<SnapshotRecord> {
    for (let n = 0; n < index.kinds.length; n++) {
      if (found.kept[n] === 1) continue;
      const before = index.read(n, assumed);
      if (isWanted(before)) yield before;
    }
  }
}

/** Records that are gone, with what the deployment says of them. */
function asRemoved(records: Iterable<SnapshotRecord>, { ask, concurrency, signal }: CompareOptions) {
  const waiting = records[Symbol.iterator]();
  return inOrder({
    concurrency,
    signal,
    next: (own) => {
      const { value: before, done } = waiting.next();
      if (done) return undefined;
      const asking = ask?.(before.kind, before.id, own) ?? Promise.resolve(undefined);
      return asking.then((asked) => ({ before, asked }));
    },
  });
}

function nameOf(record: SnapshotRecord, context: readonly string[]) {
  const { kind, id, title } = record;
  return {
    kind,
    id,
    title,
    context: Object.fromEntries(context.map((name) => [name, record.values(name) ?? []])),
  };
}

/** The kind of all records that say theirs, for those that do not. Throws a UsageError where there are several. */
function assumedKind(older: Snapshot, newer: Snapshot, { kinds }: SnapshotIndex, { counts }: Found): Kind {
  const all = new Set([...kinds, ...counts.keys()]);
  const isUnknown = all.delete(undefined);
  const [only = 'records', ...others] = all;
  if (isUnknown && others.length > 0) {
    const { path } = counts.has(undefined) ? newer : older;
    throw new UsageError(
      `"${path}" does not say which records are ${[...all].join(', ')}`,
      'export it with the column recordType, or compare one kind',
    );
  }
  return only as Kind;
}

function refuseStrangers(older: Snapshot, newer: Snapshot, { kinds }: Tally): void {
  const held = [...kinds];
  const isApart =
    held.length > 1 && held.every(([, { older: one, newer: other }]) => one === 0 || other === 0);
  if (!isApart) return;
  const [olds, news] = (['older', 'newer'] as const).map((side) =>
    held
      .filter(([, counts]) => counts[side] > 0)
      .map(([kind]) => kind)
      .join(', '),
  );
  if (olds === '' || news === '') return;
  throw new UsageError(
    `"${older.path}" holds ${olds}, "${newer.path}" holds ${news}`,
    'compare exports of the same kind',
  );
}

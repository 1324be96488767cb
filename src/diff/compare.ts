/** Compares two snapshots: which records were added, removed and changed, and what changed in them. */
import { inOrder } from '../client/paging/prefetch.js';
import { createSeenIds } from '../client/paging/seen-ids.js';
import { UsageError } from '../service/errors.js';
import type { Kind } from '../service/kinds.js';
import { type ChangeOptions, changesBetween } from './changes.js';
import type { Difference } from './difference.js';
import type { Snapshot } from './snapshot.js';
import { SnapshotIndex, twice } from './snapshot-index.js';
import type { SnapshotRecord } from './snapshot-record.js';
import { Tally } from './tally.js';

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
  const found = await findDifferent(index, newer, options.signal);
  const assumed = assumedKind(index, newer, found);
  const tally = new Tally();
  for (const kind of index.kinds) tally.of(kind ?? assumed).older++;
  for (const [kind, count] of found.counts) tally.of(kind ?? assumed).newer += count;
  refuseStrangers(older, newer, tally);
  return { tally, differences: differences(index, newer, { ...options, found, assumed, tally }) };
}

interface Found {
  /** Records of the newer snapshot by kind. */
  readonly counts: Map<Kind | undefined, number>;
  /** Where those lie that are new or whose bytes differ; `match` is their place in the index of the older one. */
  readonly places: { kind: Kind | undefined; start: number; end: number; match: number | undefined }[];
  /** 1 for each record of the older snapshot that the newer one has as well. */
  readonly kept: Uint8Array;
}

async function findDifferent(index: SnapshotIndex, newer: Snapshot, signal: AbortSignal): Promise<Found> {
  const counts: Found['counts'] = new Map();
  const places: Found['places'] = [];
  const kept = new Uint8Array(index.kinds.length);
  const isLike = newer.isLike(index.snapshot);
  const added = createSeenIds();
  await newer.each((kind, { id, start, end }, digest) => {
    signal.throwIfAborted();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const match = index.find(kind, id);
    const isAgain = match === undefined ? !added.add(`${kind}:${id}`) : kept[match] === 1;
    if (isAgain) throw twice(newer, kind, id, start);
    if (match !== undefined) kept[match] = 1;
    if (match === undefined || !isLike || !index.hasDigest(match, digest))
      places.push({ kind, start, end, match });
  });
  return { counts, places, kept };
}

async function* differences(
  index: SnapshotIndex,
  newerSnapshot: Snapshot,
  options: CompareOptions & { readonly found: Found; readonly assumed: Kind; readonly tally: Tally },
): AsyncGenerator<Difference> {
  const { isWanted, signal, context, found, assumed, tally } = options;
  const tables = [newerSnapshot.table, index.snapshot.table];
  for (const { kind, start, end, match } of found.places) {
    signal.throwIfAborted();
    const newer = newerSnapshot.read(start, end, kind ?? assumed);
    const older = match === undefined ? undefined : index.read(match, assumed);
    const changes = older ? changesBetween(older, newer, tables, options) : [];
    if (older && changes.length === 0) continue;
    if (!isWanted(newer) && !(older && isWanted(older))) continue;
    const change = older ? 'changed' : 'added';
    yield counted({ ...nameOf(newer, context), change, changes, older, newer });
  }
  for await (const { older, asked } of asRemoved(removed(), options)) {
    const gone = { change: 'removed', changes: [], older, newer: undefined } as const;
    yield counted({ ...nameOf(older, context), ...gone, ...(asked && { asked }) });
  }

  function counted(difference: Difference): Difference {
    tally.add(difference);
    return difference;
  }

  function* removed(): Generator<SnapshotRecord> {
    for (const [n, isKept] of found.kept.entries()) {
      if (isKept) continue;
      const older = index.read(n, assumed);
      if (isWanted(older)) yield older;
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
      const { value: older, done } = waiting.next();
      if (done) return undefined;
      const asking = ask?.(older.kind, older.id, own) ?? Promise.resolve(undefined);
      return asking.then((asked) => ({ older, asked }));
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
function assumedKind({ kinds, snapshot }: SnapshotIndex, newer: Snapshot, { counts }: Found): Kind {
  const all = new Set(kinds);
  for (const kind of counts.keys()) all.add(kind);
  const isUnknown = all.delete(undefined);
  const [only = 'records', ...others] = all;
  if (isUnknown && others.length > 0) {
    const { path } = counts.has(undefined) ? newer : snapshot;
    throw new UsageError(
      `"${path}" does not say which records are ${[...all].join(', ')}`,
      'export it with the column recordType, or compare one kind',
    );
  }
  return only as Kind;
}

/** Throws a UsageError where each kind is in one of the two only. */
function refuseStrangers(older: Snapshot, newer: Snapshot, { kinds }: Tally): void {
  const heldBy = (side: 'older' | 'newer') =>
    [...kinds].filter(([, counts]) => counts[side] > 0).map(([kind]) => kind);
  const [olds, news] = [heldBy('older'), heldBy('newer')];
  if (olds.length === 0 || news.length === 0 || olds.some((kind) => news.includes(kind))) return;
  throw new UsageError(
    `"${older.path}" holds ${olds.join(', ')}, "${newer.path}" holds ${news.join(', ')}`,
    'compare exports of the same kind',
  );
}

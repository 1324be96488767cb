/** Compares two snapshots: which records were added, removed and changed, and what changed in them. */
import { inOrder } from '../client/paging/prefetch.js';
import { UsageError } from '../service/errors.js';
import type { Kind } from '../service/kinds.js';
import { type ChangeOptions, changesBetween } from './changes.js';
import type { Difference } from './difference.js';
import type { Snapshot } from './snapshot.js';
import { SnapshotIndex } from './snapshot-index.js';
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
  const before = await SnapshotIndex.of(older, options.signal);
  const after = await SnapshotIndex.of(newer, options.signal);
  const assumed = assumedKind(before, after);
  const tally = new Tally();
  for (const kind of before.kinds) tally.of(kind ?? assumed).older++;
  for (const kind of after.kinds) tally.of(kind ?? assumed).newer++;
  refuseStrangers(older, newer, tally);
  return { tally, differences: differences(before, after, { ...options, assumed, tally }) };
}

async function* differences(
  before: SnapshotIndex,
  after: SnapshotIndex,
  options: CompareOptions & { readonly assumed: Kind; readonly tally: Tally },
): AsyncGenerator<Difference> {
  const { isWanted, signal, context, assumed, tally } = options;
  const tables = [after.snapshot.table, before.snapshot.table];
  const isLike = after.snapshot.isLike(before.snapshot);
  for (const [n, id] of after.recordIds.entries()) {
    signal.throwIfAborted();
    const match = before.find(after.kinds[n], id);
    if (match !== undefined && isLike && after.isSame(n, before, match)) continue;
    const newer = after.read(n, assumed);
    const older = match === undefined ? undefined : before.read(match, assumed);
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
    for (const [n, id] of before.recordIds.entries()) {
      if (after.find(before.kinds[n], id) !== undefined) continue;
      const older = before.read(n, assumed);
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
function assumedKind(before: SnapshotIndex, after: SnapshotIndex): Kind {
  const all = new Set(before.kinds);
  for (const kind of after.kinds) all.add(kind);
  const isUnknown = all.delete(undefined);
  const [only = 'records', ...others] = all;
  if (isUnknown && others.length > 0) {
    const { path } = (after.kinds.includes(undefined) ? after : before).snapshot;
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

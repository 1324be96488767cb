/** Compares two snapshots: finds added, removed and changed records, and the changes of their fields. */
import { setImmediate } from 'node:timers/promises';
import { runInOrder } from '../client/paging/prefetch.js';
import { describeRowsWithoutId } from '../records/files/table-locations.js';
import { UsageError } from '../service/errors.js';
import type { Kind } from '../service/kinds.js';
import type { FieldLabels } from '../service/search/field-labels.js';
import { type ChangeOptions, findChangesInSteps } from './changes.js';
import type { Entry, Snapshot } from './snapshot.js';
import { SnapshotIndex } from './snapshot-index.js';
import type { SnapshotRecord } from './snapshot-record.js';
import { type Difference, Tally } from './tally.js';

export interface CompareOptions extends ChangeOptions {
  /** Columns to include in each difference, even if their values did not change. */
  readonly context?: readonly string[] | undefined;
  readonly labels?: FieldLabels | undefined;
  /** Reports a difference only if this returns true for the older or newer version of the record. Default: all differences. */
  readonly isWanted?: ((record: SnapshotRecord) => boolean) | undefined;
  readonly signal: AbortSignal;
  /** Looks up a removed record. Returns `missed` if the deployment still has it. Several calls may run at the same time. */
  readonly lookUpRemoved?:
    | ((kind: Kind, id: string, signal: AbortSignal) => Promise<'withdrawn' | 'missed'>)
    | undefined;
  readonly concurrency?: number | undefined;
}

export interface Comparison {
  /** The counts of differences are complete after the last difference. */
  readonly tally: Tally;
  /** Added and changed records in the order of the newer snapshot, then removed records in the order of the older snapshot. */
  readonly differences: AsyncGenerator<Difference, void>;
  /** One message for each snapshot that has rows without an id. */
  readonly rowsWithoutId: readonly string[];
}

export async function compareSnapshots(
  older: Snapshot,
  newer: Snapshot,
  options: CompareOptions,
): Promise<Comparison> {
  const [before, after] = [await older.list(options.signal), await newer.list(options.signal)];
  const defaultKind = findDefaultKind(older, newer, before, after);
  const tally = new Tally(true, options.labels);
  for (const { kind = defaultKind } of before) tally.getOrAdd(kind).older++;
  for (const { kind = defaultKind } of after) tally.getOrAdd(kind).newer++;
  assertCommonRecords(older, newer, tally);
  const olderIndex = new SnapshotIndex(older, before, defaultKind);
  const newerIndex = new SnapshotIndex(newer, after, defaultKind);
  const differences = findDifferences(olderIndex, newerIndex, options, tally);
  const rowsWithoutId = [
    listRowsWithoutId(olderIndex, 'removed'),
    listRowsWithoutId(newerIndex, 'new'),
  ].flat();
  return { tally, differences, rowsWithoutId };
}

function listRowsWithoutId({ entries, snapshot: { path } }: SnapshotIndex, change: string): string[] {
  const rows = [...entries].flatMap(({ row }) => row ?? []);
  const as = rows.length === 1 ? `a ${change} record` : `${change} records`;
  return rows.length > 0 ? [`${describeRowsWithoutId(path, rows)}; compared as ${as}`] : [];
}

async function* findDifferences(
  olderIndex: SnapshotIndex,
  newerIndex: SnapshotIndex,
  options: CompareOptions,
  tally: Tally,
): AsyncGenerator<Difference, void> {
  for (const find of [findChanged, findRemoved])
    for await (const difference of find(olderIndex, newerIndex, options)) {
      tally.add(difference);
      yield difference;
    }
}

/** After this time or this number of records, the comparison pauses, so that opac can handle signals and deadlines. */
const MS_BETWEEN_PAUSES = 50;
const RECORDS_BETWEEN_PAUSES = 1000;

async function* findChanged(
  olderIndex: SnapshotIndex,
  newerIndex: SnapshotIndex,
  options: CompareOptions,
): AsyncGenerator<Difference> {
  const { isWanted = () => true, signal, context } = options;
  const tables = [newerIndex.snapshot.table, olderIndex.snapshot.table];
  const hasSameFormat = JSON.stringify(tables[0]) === JSON.stringify(tables[1]);
  let resumed = performance.now();
  for (const entry of newerIndex.entries) {
    if (performance.now() - resumed > MS_BETWEEN_PAUSES) {
      await setImmediate();
      resumed = performance.now();
    }
    signal.throwIfAborted();
    const match = olderIndex.find(entry);
    if (match && hasSameFormat && match.digest === entry.digest) continue;
    const [newer, older] = [newerIndex.read(entry), match && olderIndex.read(match)];
    const changes = older ? await finish(findChangesInSteps(older, newer, tables, options), signal) : [];
    if (older && changes.length === 0) continue;
    if (!isWanted(newer) && !(older && isWanted(older))) continue;
    yield { ...readContext(newer, context), change: older ? 'changed' : 'added', changes, newer };
  }
}

async function finish<Result>(steps: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
    signal.throwIfAborted();
  }
}

async function* findRemoved(
  olderIndex: SnapshotIndex,
  newerIndex: SnapshotIndex,
  { isWanted = () => true, lookUpRemoved, context, concurrency, signal }: CompareOptions,
): AsyncGenerator<Difference> {
  function* read(): Generator<SnapshotRecord & { readonly hasId: boolean }> {
    for (const entry of olderIndex.entries) {
      const record = newerIndex.find(entry) ? undefined : olderIndex.read(entry);
      if (record && isWanted(record)) yield { ...record, hasId: entry.row === undefined };
    }
  }
  const waiting = read();
  let found = 0;
  yield* runInOrder({
    concurrency,
    signal,
    next: (own) => {
      const { value: record } = waiting.next();
      if (!record) return undefined;
      const removed = {
        ...readContext(record, context),
        change: 'removed',
        changes: [],
        newer: undefined,
      } as const;
      const pause =
        found++ % RECORDS_BETWEEN_PAUSES === 0 ? setImmediate(undefined) : Promise.resolve(undefined);
      const asking = record.hasId ? lookUpRemoved?.(record.kind, record.id, own) : undefined;
      return (asking ?? pause).then((asked) => ({ ...removed, asked }));
    },
  });
}

function readContext(record: SnapshotRecord, context: readonly string[] = []) {
  const { kind, id, title } = record;
  const values = context.map((name) => [name, record.values(name) ?? []]);
  const [accessionNumber] = record.values('accession_no') ?? [];
  return { kind, id, title, accessionNumber, context: Object.fromEntries(values) };
}

/** Returns the kind of records that do not state their kind. Throws a UsageError if the other records have several kinds. */
function findDefaultKind(
  older: Snapshot,
  newer: Snapshot,
  before: readonly Entry[],
  after: readonly Entry[],
): Kind {
  const all = new Set([...before, ...after].map(({ kind }) => kind));
  const isUnknown = all.delete(undefined);
  const [only = 'records', ...others] = all;
  if (isUnknown && others.length > 0) {
    const { path } = after.some(({ kind }) => kind === undefined) ? newer : older;
    throw new UsageError(
      `some records in "${path}" do not state their kind, and the files contain several kinds: ${[...all].join(', ')}`,
      'export it with the column recordType, or compare only one kind',
    );
  }
  return only as Kind;
}

function assertCommonRecords(older: Snapshot, newer: Snapshot, { kinds }: Tally): void {
  const listKinds = (side: 'older' | 'newer') =>
    [...kinds].filter(([, counts]) => counts[side] > 0).map(([kind]) => kind);
  const [before, after] = [listKinds('older'), listKinds('newer')];
  if (before.length === 0 || after.length === 0 || before.some((kind) => after.includes(kind))) return;
  throw new UsageError(
    `"${older.path}" contains ${before.join(', ')}, "${newer.path}" contains ${after.join(', ')}`,
    'compare exports of the same kind',
  );
}

/** Runs `opac diff`: opens both sides, compares them, and writes what differs. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import { matchesFieldName } from '../../../diff/changes.js';
import { type CompareOptions, compareSnapshots } from '../../../diff/compare-snapshots.js';
import { NOISE } from '../../../diff/noise.js';
import { formatKindCounts } from '../../../diff/reports/report.js';
import { findManifest, Snapshot } from '../../../diff/snapshot.js';
import type { Table } from '../../../diff/snapshot-record.js';
import type { Difference } from '../../../diff/tally.js';
import { createSearchSource } from '../../../export/collect/source/search-source.js';
import { exportRecords } from '../../../export/export-records.js';
import { findSnapshots } from '../../../mirror/mirror-state.js';
import { AS_WINDOWS_1252 } from '../../../records/files/encoding.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import { KIND_KEYS, type Kind } from '../../../service/kinds.js';
import { type QueryParameters, searchParameters } from '../../../service/search/record-search.js';
import { assertNotInput } from '../../../system/output-path.js';
import type { Context } from '../../context.js';
import { collectItems } from '../../description/result.js';
import { writeOutput } from '../../output/write-output.js';
import { createExportProgress } from '../search/progress.js';
import { fetchEndpointPages } from '../search/search-pages.js';
import { writeDiff } from './formats.js';
import { type DiffInput, formatOf } from './options.js';
import { createRecordMatcher } from './record-matcher.js';

/** Compares two exports. Throws an OpacError of kind `different` with `--exit-code`. */
export async function diffFiles(
  context: Context,
  input: DiffInput & { readonly new: string },
): Promise<void> {
  const { signal, globalOptions } = context;
  if (globalOptions.output !== undefined) await assertNotInput(globalOptions.output, [input.old, input.new]);
  const { old: one, new: other } = input;
  const [path, otherPath] = [await findSnapshotFile(one), await findSnapshotFile(other)];
  const likely = await findManifest(otherPath);
  await Snapshot.use(path, { signal, likely }, (older) =>
    Snapshot.use(otherPath, { signal, likely: older.manifest }, (newer) =>
      diff(context, input, older, newer, other),
    ),
  );
}

/** Compares an export with what the deployment has now. */
export async function diffWithDeployment(context: Context, input: DiffInput, kind: Kind): Promise<void> {
  const { old: file } = input;
  const { globalOptions, signal } = context;
  if (globalOptions.output !== undefined) await assertNotInput(globalOptions.output, [file]);
  await Snapshot.use(await findSnapshotFile(file, kind), { kind, signal }, async (older) => {
    const query = queryOf(older, kind);
    const paging = { limit: undefined, offset: 0, pageSize: DEFAULT_PAGE_SIZE };
    if (context.dryRunLog)
      return void (await collectItems(
        (
          await fetchEndpointPages(context, `${kind}.search`, query, paging)
        ).pages,
      ));
    const name = (await deploymentName(context)) ?? globalOptions.from.join(', ');
    const folder = await mkdtemp(join(tmpdir(), 'opac-'));
    context.addCleanup(() => rm(folder, { recursive: true, force: true }));
    const target = join(folder, `${kind}.ndjson`);
    await exportNow(context, kind, query, target);
    await Snapshot.use(target, { kind }, (newer) => diff(context, input, older, newer, name));
  });
}

/** The file itself, or the snapshot in the folder of a mirror. Throws a UsageError when the folder holds none, or several. */
async function findSnapshotFile(path: string, kind?: Kind): Promise<string> {
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return path;
  const held = await findSnapshots(path);
  const wanted = kind === undefined ? held : held.filter((file) => basename(file).startsWith(`${kind}.`));
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) return only;
  const fact =
    wanted.length === 0 ? `holds no snapshot${kind ? ` of ${kind}` : ''}` : 'holds several snapshots';
  throw new UsageError(`"${path}" ${fact}`, 'name a file in it');
}

/** The search of the older export; without its manifest all records, as one that matches no more is not removed. */
function queryOf({ manifest }: Snapshot, kind: Kind): QueryParameters {
  return manifest?.job.kind === kind ? manifest.job.query : searchParameters({ terms: {}, view: 'detail' });
}

async function exportNow(
  context: Context,
  kind: Kind,
  query: QueryParameters,
  target: string,
): Promise<void> {
  const { signal, globalOptions } = context;
  const client = await context.client();
  const progress = createExportProgress(context);
  const { complete, reasons } = await exportRecords({
    source: createSearchSource({ client, kind, query, concurrency: globalOptions.concurrency }),
    shape: { kind, format: 'ndjson' },
    target,
    deployment: (await deploymentName(context)) ?? UNKNOWN,
    query,
    signal,
    command: undefined,
    onProgress: ({ written: done, total }) => progress.update(done, total),
  }).finally(progress.done);
  if (complete) return;
  throw new OpacError('incomplete', `not all ${kind} were received: ${reasons.join('; ')}`, {
    hint: 'nothing was compared; try again',
  });
}

/** What manifests call the deployment; undefined for files of `--from` that do not say where they come from. */
async function deploymentName(context: Context): Promise<string | undefined> {
  const { mock, from } = context.globalOptions;
  if (from.length > 0) return (await context.files()).deployment;
  return mock ? 'the built-in museum' : (await context.client()).baseUrl;
}

const UNKNOWN = 'files without a manifest';

async function diff(
  context: Context,
  input: DiffInput,
  older: Snapshot,
  newer: Snapshot,
  newerName: string,
): Promise<void> {
  assertComparable(context, input, older, newer);
  const left = notCompared(older, newer);
  if (left !== undefined) context.note(left);
  const { differences, tally } = await compareSnapshots(
    older,
    newer,
    await compareOptions(context, input, [older, newer]),
  );
  const output = {
    older: basename(older.path),
    newer: newerName.includes('://') ? newerName : basename(newerName),
    tally,
    context: input.context,
    notCompared: left,
    differences: input.show.length === 0 ? differences : filterShown(differences, input.show),
  };
  const format = input.delta ? 'delta' : formatOf(context);
  const { texts, clean } = writeDiff(format, output, context);
  await writeOutput(context, texts, clean);
  const { countDifferences } = tally;
  if (countDifferences === 0) context.note('no records differ');
  else if (format !== 'table') for (const line of formatKindCounts(tally)) context.note(line);
  if (input.exitCode && countDifferences > 0)
    throw new OpacError(
      'different',
      `${formatCount(countDifferences, 'record')} ${countDifferences === 1 ? 'differs' : 'differ'}`,
    );
}

async function* filterShown(differences: AsyncIterable<Difference>, show: readonly string[]) {
  for await (const difference of differences) if (show.includes(difference.change)) yield difference;
}

async function compareOptions(
  context: Context,
  input: DiffInput,
  snapshots: readonly Snapshot[],
): Promise<CompareOptions> {
  const { noise, ignore, fields, ask } = input;
  const { signal, globalOptions } = context;
  return {
    include: new Set(noise.includes('all') ? NOISE : noise.filter((each) => each !== 'all')),
    isCompared: (field) =>
      !matchesFieldName(field, ignore) && (fields.length === 0 || matchesFieldName(field, fields)),
    columns: fields,
    isWanted: await createRecordMatcher(context, input, snapshots),
    context: input.context,
    signal,
    concurrency: globalOptions.concurrency,
    fetchRemoved: ask ? await createRemovedRecordFetcher(context) : undefined,
  };
}

/** Asks for a record by its id. */
async function createRemovedRecordFetcher(
  context: Context,
): Promise<NonNullable<CompareOptions['fetchRemoved']>> {
  const client = await context.client();
  return async (kind, id, signal) => {
    if (kind === 'records')
      throw new UsageError('--ask needs the kind of each record; some records have none');
    try {
      await client.get(`${kind}.get`, { path: { [KIND_KEYS[kind].idKey]: id }, signal });
      return 'missed';
    } catch (error) {
      if (error instanceof OpacError && error.kind === 'not-found') return 'withdrawn';
      throw error;
    }
  };
}

/** Refuses what cannot be compared, and says what may mislead. */
function assertComparable(
  { note }: Context,
  { anyDeployment, delta }: DiffInput,
  older: Snapshot,
  newer: Snapshot,
): void {
  const [one, other] = [older.manifest?.job, newer.manifest?.job];
  if (delta && newer.table)
    throw new UsageError(
      `"${newer.path}" is a table, which holds no whole records`,
      'give --delta NDJSON or JSON',
    );
  if (one && other && other.deployment !== UNKNOWN && one.deployment !== other.deployment && !anyDeployment)
    throw new UsageError(
      `"${older.path}" comes from ${one.deployment}, the other from ${other.deployment}`,
      'to compare them anyway, add --any-deployment',
    );
  for (const { path, manifest, table } of [older, newer]) {
    if (manifest && !manifest.complete) note(`"${path}" is incomplete: what it lacks looks added or removed`);
    if (table?.encoding === 'windows-1252') note(`"${path}" ${AS_WINDOWS_1252}`);
  }
  if (one && other && JSON.stringify(one.query) !== JSON.stringify(other.query))
    note(
      `the two were exported by different searches: ${formatQuery(one.query)} and ${formatQuery(other.query)}`,
    );
}

/** What of the two files was not compared, in words; undefined for all of it. */
function notCompared(older: Snapshot, newer: Snapshot): string | undefined {
  const [one, other] = [older.table, newer.table];
  if (one && other) {
    const isHeld = ({ columns, hasAllColumns }: Table, name: string) =>
      columns.includes(name) || hasAllColumns;
    const apart = [...one.columns, ...other.columns].filter(
      (name) => !(isHeld(one, name) && isHeld(other, name)),
    );
    return apart.length > 0
      ? `not compared, as only one of the two has them: ${[...new Set(apart)].join(', ')}`
      : undefined;
  }
  const table = one ?? other;
  return table && `compared only by the columns of the table: ${table.columns.join(', ')}`;
}

function formatQuery(query: QueryParameters): string {
  return `"${query.map((pair) => pair.join('=')).join('&')}"`;
}

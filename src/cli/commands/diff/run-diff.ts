/** Runs `opac diff` and `opac <kind> diff`. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createFieldTest } from '../../../diff/changes.js';
import {
  assertSameDeployment,
  describeSkippedColumns,
  listMisleadingFacts,
  UNKNOWN_DEPLOYMENT,
} from '../../../diff/comparability.js';
import { type CompareOptions, compareSnapshots } from '../../../diff/compare-snapshots.js';
import { NOISE } from '../../../diff/noise.js';
import { findManifest, Snapshot } from '../../../diff/snapshot.js';
import { createExactSource } from '../../../export/collect/source/exact-source.js';
import { createSearchSource } from '../../../export/collect/source/search-source.js';
import { exportRecords } from '../../../export/export-records.js';
import { mapHeadersToColumns } from '../../../export/verify/manifest.js';
import { findSnapshots } from '../../../mirror/mirror-state.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { KIND_KEYS, type Kind } from '../../../service/kinds.js';
import { hasUnknownRelationshipPart } from '../../../service/records/columns.js';
import type { CollectionRecord } from '../../../service/records/record.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import { type QueryParameters, searchParameters } from '../../../service/search/record-search.js';
import { assertNotInput } from '../../../system/output-path.js';
import type { Context } from '../../context.js';
import { collectItems } from '../../description/result.js';
import { getDeploymentName } from '../search/deployment-name.js';
import { fetchEndpointPages } from '../search/endpoint-pages.js';
import { createReadProgress } from '../search/progress.js';
import { ALL_RECORDS, fetchPublishedFields } from '../search/search-pages.js';
import { hasLabels } from './formats.js';
import { findHeaderNames } from './header-names.js';
import { type DiffInput, findDiffFormat } from './options.js';
import { createRecordMatcher } from './record-matcher.js';
import { assertKnownColumns, findAddedColumns, findExtraColumns } from './table-columns.js';
import { writeComparison } from './write-comparison.js';

/** Compares two exports. With `--exit-code`, throws an OpacError of kind `different` if records differ. */
export async function diffFiles(
  context: Context,
  input: DiffInput & { readonly new: string },
): Promise<void> {
  const { signal, globalOptions } = context;
  if (globalOptions.output !== undefined) await assertNotInput(globalOptions.output, [input.old, input.new]);
  const [olderPath, newerPath] = [await findSnapshotFile(input.old), await findSnapshotFile(input.new)];
  const fallbackManifest = await findManifest(newerPath);
  const [getOlderColumn, getNewerColumn] = [
    await findHeaderNames(olderPath, newerPath),
    await findHeaderNames(newerPath, olderPath),
  ];
  await Snapshot.use(olderPath, { signal, fallbackManifest, getColumn: getOlderColumn }, (older) =>
    Snapshot.use(
      newerPath,
      { signal, fallbackManifest: older.manifest, getColumn: getNewerColumn },
      async (newer) => {
        const extra = await listExtraColumns(context, older, newer);
        const compared = { ...input, ignore: [...input.ignore, ...extra] };
        await diff(context, compared, readLabels(older, newer), older, newer, { newer: basename(input.new) });
      },
    ),
  );
}

async function listExtraColumns(context: Context, older: Snapshot, newer: Snapshot): Promise<string[]> {
  const [inOlder, inNewer] = [await findExtraColumns(older, newer), await findExtraColumns(newer, older)];
  if (inOlder.length > 0) context.warn(describeMissingColumns(newer.path, inOlder));
  if (inNewer.length > 0) context.warn(describeMissingColumns(older.path, inNewer));
  return [...inOlder, ...inNewer];
}

function describeMissingColumns(name: string, columns: readonly string[]): string {
  return `not compared, because "${name}" does not have these columns: ${columns.join(', ')}`;
}

/** Throws the errors of `diffFiles`, and an OpacError of kind `incomplete` if the deployment does not return all records. */
export async function diffWithDeployment(context: Context, input: DiffInput, kind: Kind): Promise<void> {
  const { old: file } = input;
  const { globalOptions, signal } = context;
  if (globalOptions.output !== undefined) await assertNotInput(globalOptions.output, [file]);
  const labels = new FieldLabels(context.dryRunLog ? [] : await fetchPublishedFields(context, kind));
  const path = await findSnapshotFile(file, kind);
  const getHeaderName = await findHeaderNames(path);
  const options = { kind, signal, getColumn: (header: string) => labels.getName(getHeaderName(header)) };
  await Snapshot.use(path, options, async (older) => {
    const query = getSearchQuery(older, kind);
    const isWanted = older.isEdited ? await createSelectionTest(older, kind) : undefined;
    if (context.dryRunLog) {
      const { pages } = await fetchEndpointPages(context, `${kind}.search`, query, ALL_RECORDS);
      await collectItems(pages);
      return;
    }
    const name =
      (await getDeploymentName(context)) ?? globalOptions.from.map((path) => basename(path)).join(', ');
    const folder = await mkdtemp(join(tmpdir(), 'opac-'));
    context.addCleanup(() => rm(folder, { recursive: true, force: true }));
    const target = join(folder, `${kind}.ndjson`);
    await exportDeployment(context, kind, query, target, isWanted);
    const direction = input.reverse ? '' : '; the file is the old version (with --reverse, the new version)';
    if (isWanted)
      context.note(`only the records in "${file}" were compared, so deleted rows are not shown${direction}`);
    await Snapshot.use(target, { kind }, async (newer) => {
      const skipped = await findAddedColumns(older, newer, labels);
      const others = older.table?.columns.filter((column) => column !== 'id' && !skipped.includes(column));
      if (skipped.length > 0 && others?.length === 0)
        throw new UsageError(
          `"${name}" has none of the columns of "${file}": ${skipped.join(', ')}`,
          `use the original headers, or copy the manifest of the export to "${file}.manifest.json"`,
        );
      if (skipped.length > 0) context.warn(describeMissingColumns(name, skipped));
      const compared = { ...input, ignore: [...input.ignore, ...skipped] };
      await (input.reverse
        ? diff(context, compared, labels, newer, older, { older: name })
        : diff(context, compared, labels, older, newer, { newer: name }));
    });
  });
}

/**
 * Returns the path of a file unchanged. For a mirror, returns the path of its snapshot (of this `kind`). Throws a UsageError if
 * the mirror has no such snapshot or several.
 */
async function findSnapshotFile(path: string, kind?: Kind): Promise<string> {
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return path;
  const found = await findSnapshots(path);
  const [only, ...others] = kind ? found.filter((file) => basename(file).startsWith(`${kind}.`)) : found;
  if (only !== undefined && others.length === 0) return only;
  const content = only === undefined ? `no snapshot${kind ? ` of ${kind}` : ''}` : 'several snapshots';
  const [example] = found;
  throw new UsageError(
    `"${path}" contains ${content}`,
    `name a file in the folder${example ? `, such as ${example}` : ''}`,
  );
}

/**
 * Returns the query in the manifest, because records outside this query would count as added. If the file is edited, or has no
 * manifest for this kind, returns a query for all records.
 */
function getSearchQuery({ manifest, isEdited }: Snapshot, kind: Kind): QueryParameters {
  return manifest?.job.kind === kind && !isEdited
    ? manifest.job.query
    : searchParameters({ terms: {}, view: 'detail' });
}

async function createSelectionTest(
  table: Snapshot,
  kind: Kind,
): Promise<(record: CollectionRecord) => boolean> {
  const getKey = (of: Kind, id: string) => `${KIND_KEYS[of].recordType} ${id}`;
  const listed = new Set((await table.list()).map(({ kind: own = kind, id }) => getKey(own, id)));
  return ({ recordType, id }) => listed.has(`${recordType} ${id}`) || listed.has(getKey(kind, id));
}

async function exportDeployment(
  context: Context,
  kind: Kind,
  query: QueryParameters,
  target: string,
  isWanted?: (record: CollectionRecord) => boolean,
): Promise<void> {
  const { signal, globalOptions } = context;
  const client = await context.client();
  const progress = createReadProgress(context);
  const source = createSearchSource({ client, kind, query, concurrency: globalOptions.concurrency });
  const { complete, reasons } = await exportRecords({
    source: isWanted ? createExactSource(source, kind, isWanted) : source,
    formatOptions: { kind, format: 'ndjson' },
    target,
    deployment: (await getDeploymentName(context)) ?? UNKNOWN_DEPLOYMENT,
    query,
    signal,
    command: undefined,
    onProgress: ({ written, total }) => progress.update(written, total),
  }).finally(progress.done);
  if (complete) return;
  throw new OpacError('incomplete', `not all ${kind} were received: ${reasons.join('; ')}`, {
    hint: 'opac compared nothing; try again',
  });
}

function readLabels(...snapshots: readonly Snapshot[]): FieldLabels {
  const headers = snapshots.flatMap(({ manifest }) => [...(manifest ? mapHeadersToColumns(manifest) : [])]);
  return new FieldLabels(
    headers.map(([label, identifier]) => ({ identifier, label: label === identifier ? '' : label })),
  );
}

function resolveLabels({ search, ...input }: DiffInput, { getName }: FieldLabels): DiffInput {
  const { terms, valueFile } = search;
  const where = (terms.where ?? []).map(({ field, value }) => ({ field: getName(field), value }));
  const file = valueFile && { ...valueFile, field: getName(valueFile.field) };
  const [ignore, fields, context] = [input.ignore, input.fields, input.context].map((names) =>
    names.map(getName),
  ) as [string[], string[], string[]];
  const resolved = { ...search, terms: { ...terms, where }, valueFile: file };
  return { ...input, ignore, fields, context, search: resolved };
}

async function diff(
  context: Context,
  given: DiffInput,
  labels: FieldLabels,
  older: Snapshot,
  newer: Snapshot,
  names: { readonly older?: string; readonly newer?: string } = {},
): Promise<void> {
  const format = given.delta ? 'delta' : findDiffFormat(context);
  const named = resolveLabels(given, labels);
  const isSheet = format === 'xlsx' && named.context.length === 0;
  const input = isSheet ? { ...named, context: ['accession_no'] } : named;
  assertComparable(context, input, older, newer);
  const shown = hasLabels(format) ? labels : undefined;
  const notCompared = describeSkippedColumns(
    older,
    newer,
    createFieldTest(input.fields, input.ignore),
    shown?.format,
  );
  if (notCompared !== undefined) context.note(notCompared);
  const { differences, tally, rowsWithoutId } = await compareSnapshots(older, newer, {
    ...(await createCompareOptions(context, input, [older, newer])),
    labels: shown,
  });
  for (const text of rowsWithoutId) context.warn(text);
  const [from, to] = [names.older ?? basename(older.path), names.newer ?? basename(newer.path)];
  const facts = {
    title: `Changes from ${from} to ${to}`,
    tally,
    notCompared,
    labels,
    differences,
  };
  const known = [...input.ignore, ...labels.names];
  await assertKnownColumns(older, newer, { table: from, other: to }, known);
  await assertKnownColumns(newer, older, { table: to, other: from }, known);
  try {
    await writeComparison(context, input, facts);
  } finally {
    // Waits until opac has read the current record, because the caller then closes the files.
    await differences.return();
  }
}

async function createCompareOptions(
  context: Context,
  input: DiffInput,
  snapshots: readonly Snapshot[],
): Promise<CompareOptions> {
  const { noise, fields, ask } = input;
  const { signal, globalOptions } = context;
  return {
    include: new Set(noise.includes('all') ? NOISE : noise.filter((each) => each !== 'all')),
    isCompared: createFieldTest(input.fields, input.ignore),
    // `--fields` also accepts the name of a related record, such as relationship.maker.77. No column has this name.
    columns: fields.filter((name) => !hasUnknownRelationshipPart(name)),
    isWanted: await createRecordMatcher(context, input, snapshots),
    context: input.context,
    signal,
    concurrency: globalOptions.concurrency,
    lookUpRemoved: ask ? await createRemovedRecordFetcher(context) : undefined,
  };
}

async function createRemovedRecordFetcher(
  context: Context,
): Promise<NonNullable<CompareOptions['lookUpRemoved']>> {
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

function assertComparable(
  { warn }: Context,
  { anyDeployment, delta }: DiffInput,
  older: Snapshot,
  newer: Snapshot,
): void {
  if (delta && newer.table)
    throw new UsageError(
      `"${newer.path}" is a table, but --delta needs NDJSON or JSON`,
      'export the records to a .ndjson file',
    );
  assertSameDeployment(older, newer, anyDeployment);
  for (const fact of listMisleadingFacts(older, newer)) warn(fact);
}

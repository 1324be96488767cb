/** Runs `opac <kind> export`. */
import { basename, dirname, join } from 'node:path';
import { createExactSource } from '../../../../export/collect/source/exact-source.js';
import { createIdListSource, describeIdList } from '../../../../export/collect/source/id-list-source.js';
import type { RecordSource } from '../../../../export/collect/source/record-source.js';
import {
  createSlicedSource,
  type SlicedOptions,
} from '../../../../export/collect/source/slices/sliced-source.js';
import { selectFormatOptions } from '../../../../export/convert/format-options.js';
import {
  assertKnownExtension,
  DEFAULT_FORMAT,
  EXPORT_FORMATS,
  type ExportFormat,
  FORMATS,
  type FormatOptions,
  findFormatByName,
  parseExportFormat,
} from '../../../../export/convert/formats.js';
import { type ExportOptions, exportRecords } from '../../../../export/export-records.js';
import { type StreamOptions, streamRecords } from '../../../../export/stream-records.js';
import { getUnsplitPath } from '../../../../export/verify/verify-files.js';
import { parseMultiValueRule } from '../../../../records/cells/multi-value-rule.js';
import { UsageError } from '../../../../service/errors.js';
import type { Kind } from '../../../../service/kinds.js';
import { isComparedByRecord, RecordFilter } from '../../../../service/search/exact-match.js';
import { FieldLabels } from '../../../../service/search/field-labels.js';
import { getValueList, splitIntoBatches, withValues } from '../../../../service/search/id-batches.js';
import type { SearchTerms } from '../../../../service/search/query.js';
import {
  type RecordSearch,
  searchParameters,
  withoutColumns,
} from '../../../../service/search/record-search.js';
import { assertNotInput } from '../../../../system/output-path.js';
import type { Context } from '../../../context.js';
import type { ExportInput } from '../../../options/export.js';
import {
  hasValueList,
  type PagingInput,
  type SearchInput,
  selectsNamedRecords,
} from '../../../options/search.js';
import { createOutputError } from '../../../output/print.js';
import { escapeJsonForTerminal, replaceUnsafeForTerminal } from '../../../output/terminal/sanitize.js';
import { getDataOutput } from '../../../output/write-output.js';
import { noteEmptyResultHint } from '../../hints/nothing-found.js';
import { getDeploymentName } from '../../search/deployment-name.js';
import { createReadProgress, getExpectedCount } from '../../search/progress.js';
import { resolveSearch } from '../../search/resolve-search.js';
import { fetchPublishedFields, noteUnknownDates, requestPages } from '../../search/search-pages.js';
import { assertNotFoundFile, writeNotFoundFile } from '../not-found-file.js';
import { canReadSequentially, resolveColumns } from './columns.js';
import { divideRate, notePlan, printPlan } from './plan.js';
import { reportFile, reportStart, reportStream } from './report.js';

export interface ExportCommand {
  readonly search: SearchInput;
  readonly paging: PagingInput;
  readonly options: ExportInput;
}

type ExportContent = Pick<ExportOptions, 'source' | 'query' | 'selection'>;
type CommonOptions = ExportContent &
  Pick<StreamOptions, 'strict' | 'sourceReasons' | 'signal' | 'onProgress'>;
type SlicedPaging = PagingInput & Pick<ExportInput, 'window' | 'part'>;

/** Throws an OpacError of kind `incomplete` if records are missing, and a UsageError for options that cannot be used together. */
export async function runExport(
  own: Context,
  kind: Kind,
  { search: input, paging, options }: ExportCommand,
): Promise<void> {
  const context = divideRate(own, options.part);
  const { globalOptions, signal } = context;
  const { strict, excel, multi, sqlNames, plainText, singleLine, window, plan, part } = options;
  assertCompatibleOptions(context, input, paging, options);
  assertCompatibleComparison(input.terms, paging, options);
  const files = globalOptions.from.length > 0 ? await context.files() : undefined;
  if (files?.changed) throw files.changed;
  const withoutManifest = (files?.unchecked ?? []).map(
    (path) =>
      `"${path}" has no manifest, so opac cannot check whether it is part of a split export with missing files`,
  );
  const unchecked = [...withoutManifest, ...(strict && files ? files.warnings : [])];
  if (!strict) unchecked.forEach(context.warn);
  const { isByDate, ...search } = await resolveSearch(input, context, kind);
  assertCompatibleComparison(search.terms, paging, options);
  if (isByDate)
    context.note(
      `the export has the order of the service, which may sort "${search.sort}" as text; to sort by date, use opac ${kind} list --all`,
    );
  if (context.dryRunLog) return requestPages(context, kind, search, paging);
  const sliced = { ...paging, window, part };
  if (plan) return printPlan(await createSlicedOptions(context, kind, search, sliced), context);
  const formats = resolveFormats(context);
  const notLines = part && formats.find((format) => FORMATS[format].json !== 'lines');
  if (notLines) throw new UsageError(`--part writes NDJSON, not ${notLines}`, JOIN_PARTS);
  const split = listSplitFields(options);
  const chosen = await resolveColumns(context, kind, search, split);
  const content = await createExportContent(context, kind, search, sliced);
  const progress = createReadProgress(context, true);
  const common: CommonOptions = {
    ...content,
    strict,
    sourceReasons: files && [...files.incomplete, ...(strict ? unchecked : [])],
    signal,
    onProgress: ({ written, total }) => progress.update(written, getExpectedCount(total, paging)),
  };
  const { flat } = globalOptions;
  const named = split.length > 0 ? `rows=${chosen.split.join(',')}` : multi;
  const isLabelled = options.labels ?? (formats.includes('xlsx') && !sqlNames && !chosen.isFromTable);
  const labels = isLabelled ? new FieldLabels(await fetchPublishedFields(context, kind)) : undefined;
  const texts = { excel, multi: named, sqlNames, plainText, singleLine };
  const format = {
    kind,
    columns: chosen.columns,
    flat,
    ...texts,
    labels: options.labels ? labels : undefined,
  };
  const all = selectFormatOptions(formats, format);
  const shapes: typeof all = all.map((each) => (each.format === 'xlsx' ? { ...each, labels } : each));
  const exportShapes = globalOptions.output === undefined ? exportToStandardOutput : exportToFiles;
  const written = await exportShapes(context, common, shapes as FileFormats, options).finally(progress.done);
  await noteEmptyResultHint(context, kind, search, { written });
}

const JOIN_PARTS = "export the parts to .ndjson, then join them: --from 'part-*.ndjson' -o all.csv";

function assertCompatibleOptions(
  { globalOptions }: Context,
  search: SearchInput,
  { limit }: PagingInput,
  { resume, split, part, window, plan, notFound }: ExportInput,
): void {
  const slicing = plan ? '--plan' : part ? '--part' : window === undefined ? undefined : '--window';
  const isLimited = limit !== undefined;
  const isStream = globalOptions.output === undefined;
  if (slicing) {
    refuseIf(isLimited, `--limit cannot be used with ${slicing}`, 'select fewer records with --where');
    refuseIf(
      globalOptions.from.length > 0,
      `--from cannot be used with ${slicing}`,
      'omit --window, --plan or --part',
    );
    refuseIf(selectsNamedRecords(search), `a list cannot be used with ${slicing}`, 'split the list instead');
  }
  refuseIf(
    part && !plan && isStream,
    '--part requires a file',
    `name it with -o part-${part?.number}.ndjson`,
  );
  const isOfFile = resume || split !== undefined;
  refuseIf(isStream && isOfFile, '--resume and --split require a file', 'name one with -o <file>');
  refuseIf(
    notFound !== undefined && !hasValueList(search),
    '--not-found needs a list of ids or values',
    'add --external-id @<file> or --where <field>=@<file>',
  );
  refuseIf(
    notFound !== undefined && isStream,
    '--not-found requires a file',
    'name the export with -o <file>',
  );
  refuseIf(isLimited && hasValueList(search), '--limit cannot be used with a list', 'shorten the list');
  refuseIf(
    isLimited && selectsNamedRecords(search),
    '--limit cannot be used with --changed-since',
    'choose a later day',
  );
}

function refuseIf(isWrong: boolean | undefined, message: string, hint: string): void {
  if (isWrong) throw new UsageError(message, hint);
}

/** Throws a UsageError for options that cannot be used if opac itself compares the records with the search. */
function assertCompatibleComparison(
  terms: SearchTerms,
  { limit }: PagingInput,
  { part }: Pick<ExportInput, 'part'>,
): void {
  if (!isComparedByRecord(terms)) return;
  const field = terms.columns?.[0]?.field;
  const names = field === 'image.count' ? '--no-images or --where image.count' : `--where ${field}`;
  const option = terms.exact ? '--exact' : names;
  const afterwards = 'export the parts without it, then use it when you join the parts with --from';
  refuseIf(part !== undefined, `${option} cannot be used with --part`, afterwards);
  const isLimited = limit !== undefined;
  refuseIf(isLimited, `--limit cannot be used with ${option}`, 'use opac <kind> list with -o <file>');
}

function resolveFormats(context: Context): readonly ExportFormat[] {
  const { globalOptions } = context;
  const [first, ...others] = globalOptions.outputs;
  if (first === undefined || others.length === 0) return [resolveFormat(context)];
  if (globalOptions.format !== undefined)
    throw new UsageError(
      '-f cannot be used with several files',
      'their extensions set the formats: -o all.csv -o all.parquet',
    );
  return globalOptions.outputs.map((output) =>
    resolveFormat({
      ...context,
      format: findFormatByName(output),
      globalOptions: { ...globalOptions, output },
    }),
  );
}

function resolveFormat({ format: asked, globalOptions, terminal }: Context): ExportFormat {
  if (asked === undefined && globalOptions.output !== undefined) assertKnownExtension(globalOptions.output);
  const format = asked ?? DEFAULT_FORMAT;
  const known = parseExportFormat(format);
  if (known === undefined) {
    throw new UsageError(
      `an export cannot be written as ${format}`,
      `choose from ${EXPORT_FORMATS.join(', ')}; to write ${format}, use list`,
    );
  }
  if (!FORMATS[known].isText && globalOptions.output === undefined && terminal.isTerminal)
    throw new UsageError(`${known} cannot be shown on a terminal`, 'name a file with -o, or use a pipe');
  return known;
}

function listSplitFields({ multi }: ExportInput): readonly string[] {
  const rule = parseMultiValueRule(multi);
  return rule.rule === 'rows' ? rule.fields : [];
}

async function createSlicedOptions(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  paging: SlicedPaging,
): Promise<SlicedOptions> {
  const client = await context.client();
  const { concurrency } = context.globalOptions;
  return { client, kind, query: searchParameters(withoutColumns(search)), ...paging, concurrency };
}

async function createExportContent(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  paging: SlicedPaging,
): Promise<ExportContent> {
  const { limit, window, part } = paging;
  const { terms } = search;
  const { exact, columns, oneOf } = terms;
  const selection = {
    limit: limit ?? null,
    ...(context.globalOptions.from.length > 0 && { from: (await context.files()).versions }),
    ...(window !== undefined && { window }),
    ...(part && { part: `${part.number}/${part.of}` }),
    ...(exact && { exact }),
    ...(columns && { compared: columns.map(({ field, value }) => `${field}=${value}`) }),
  };
  if (await canReadSequentially(context, search)) {
    const { createFileSource } = await import('../../../from/file-source.js');
    const files = await context.files();
    const source = createFileSource({ files, kind, limit });
    return { query: searchParameters(search), selection, source };
  }
  const filter = new RecordFilter(terms);
  const noteUnknown = () => noteUnknownDates(filter, context.note);
  const filterSource = (source: RecordSource) =>
    isComparedByRecord(terms)
      ? createExactSource(source, kind, (record) => filter.isKept(record), noteUnknown)
      : source;
  const options = await createSlicedOptions(context, kind, search, paging);
  if (getValueList(terms) === undefined) {
    const source = createSlicedSource({ ...options, onPlan: (plan) => notePlan(plan, context) });
    return { query: options.query, selection, source: filterSource(source) };
  }
  const { client, concurrency } = options;
  const sent = withoutColumns(search);
  const batches = splitIntoBatches(sent.terms);
  const field = oneOf?.field;
  const query = (ids: readonly string[]) => searchParameters(withValues(sent, ids));
  const source = createIdListSource({ client, kind, batches, field, query, concurrency });
  return {
    query: query([]),
    selection: { ...selection, ...describeIdList(batches, field) },
    source: filterSource(source),
  };
}

type FileFormats = readonly [FormatOptions, ...FormatOptions[]];

async function exportToStandardOutput(
  context: Context,
  common: CommonOptions,
  [formatOptions]: FileFormats,
  { excel }: ExportInput,
): Promise<number> {
  const clean = FORMATS[formatOptions.format].json ? escapeJsonForTerminal : replaceUnsafeForTerminal;
  const output = getDataOutput(context, clean);
  const outcome = await streamRecords({ ...common, formatOptions, output }).catch((error: unknown) => {
    throw createOutputError(
      error,
      'incomplete',
      'and run the command again; with -o <file>, opac can resume the export',
    );
  });
  const isSafe = excel || !FORMATS[formatOptions.format].runsFormulas;
  reportStream(outcome, context, isSafe);
  return outcome.records;
}

/** Throws a UsageError if an input is a piece (`--split`) of an output, because an export replaces the old pieces. */
async function assertNoPieces(outputs: readonly string[], inputs: readonly string[]): Promise<void> {
  for (const input of inputs) {
    const name = basename(input);
    for (const output of outputs)
      if (getUnsplitPath(name) === basename(output))
        await assertNotInput(join(dirname(output), name), [input]);
  }
}

async function exportToFiles(
  context: Context,
  common: CommonOptions,
  [formatOptions, ...others]: FileFormats,
  { split, resume, waitLock, notFound }: ExportInput,
): Promise<number> {
  if (notFound !== undefined) await assertNotFoundFile(notFound, context);
  const { outputs, force, from } = context.globalOptions;
  if (from.length > 0) await assertNoPieces(outputs, (await context.files()).paths);
  const [target = '', ...further] = outputs;
  const outcome = await exportRecords({
    ...common,
    target,
    formatOptions,
    additionalFiles: further.map((file, n) => ({ target: file, formatOptions: others[n] ?? formatOptions })),
    split,
    resume,
    force,
    waitLock,
    deployment: (await getDeploymentName(context)) ?? context.globalOptions.from.join(', '),
    command: context.commandLine,
    onStart: (prior) => reportStart(prior, target, context, resume === true),
    onLockWait: ({ message }) => context.note(`${message}; waiting for it`),
    onTakeover: context.note,
  });
  if (notFound !== undefined) await writeNotFoundFile(outcome.manifest.notFound, notFound, context);
  reportFile(outcome, context);
  return outcome.manifest.records;
}

/** Runs an export for the person: progress while it goes on, and in the end what came of it. */

import { type ExportOutcome, exportRecords } from '../../../export/export-records.js';
import { EXPORT_FORMATS, type ExportFormat, exportFormat, FORMATS } from '../../../export/formats.js';
import type { Progress as ExportProgress } from '../../../export/run/file-run.js';
import type { Manifest } from '../../../export/run/manifest.js';
import type { Beginning } from '../../../export/run/prior-run.js';
import { resumeCommand } from '../../../export/run/resume-command.js';
import { idListJob, idListSource } from '../../../export/source/id-list-source.js';
import { searchSource } from '../../../export/source/source.js';
import { streamRecords } from '../../../export/stream-records.js';
import { parseMulti } from '../../../export/table/multi.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Kind } from '../../../service/kinds.js';
import { idBatches } from '../../../service/search/id-batches.js';
import { type QueryParameters, searchParameters } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import type { ExportInput } from '../../options/export.js';
import type { PagingInput, SearchInput } from '../../options/search.js';
import { outputError } from '../../output/output-error.js';
import { bytes, count, duration } from '../../output/terminal/numbers.js';
import { checkedColumns } from './export-columns.js';
import { exportProgress } from './export-progress.js';
import { refuseEmptyByMistake } from './known-fields.js';
import { matchingPages } from './pages.js';
import { type ResolvedSearch, resolveSearch } from './resolve.js';

export interface ExportAsked {
  readonly search: SearchInput;
  readonly paging: PagingInput;
  readonly wishes: ExportInput;
}

/** Exports, and says how it went. Throws an OpacError of kind `incomplete` when records are missing. */
export async function runExport(
  context: Context,
  kind: Kind,
  { search, paging, wishes }: ExportAsked,
): Promise<void> {
  const { settings, signal } = context;
  const { resume, strict, split: recordsPerFile, ...rules } = wishes;
  if (settings.output === undefined && (resume || recordsPerFile !== undefined)) {
    throw new UsageError('--resume and --split are for files', 'name one with -o <file>');
  }
  const format = formatOf(context);
  if (!FORMATS[format].isText && settings.output === undefined && context.terminal.isTerminal) {
    throw new UsageError(`${format} cannot be shown on a terminal`, 'name a file with -o, or use a pipe');
  }
  const resolved = await resolveSearch(search, context);
  if (context.dryRunLog) {
    const { pages } = await matchingPages(context, kind, resolved, paging);
    for await (const _ of pages);
    return;
  }
  const rule = parseMulti(rules.multi, rules.multiTogether);
  const overRows = rule.rule === 'rows' ? rule.fields : [];
  const columns = await checkedColumns(context, kind, resolved, overRows);
  await refuseEmptyByMistake(context, kind, resolved);
  const client = await context.client();
  const query = queryOf(resolved);
  const { externalIds } = resolved;
  const lists = externalIds && idBatches(externalIds, resolved.terms);
  if (lists && (paging.limit !== undefined || paging.offset > 0)) {
    throw new UsageError('--limit and --offset do not go with --external-id', 'shorten the list of ids');
  }
  const isSafe = rules.excel || !FORMATS[format].runsFormulas;
  const progress = exportProgress(context);
  const asked = {
    source: lists
      ? idListSource({
          client,
          kind,
          batches: lists,
          query: (ids) => queryOf(resolved, ids),
          concurrency: settings.concurrency,
        })
      : searchSource({ client, kind, query, ...paging, concurrency: settings.concurrency }),
    shape: { kind, format, columns, flat: settings.flat, ...rules },
    query,
    strict,
    signal,
    onProgress: ({ written, total }: ExportProgress) => progress.update(written, total),
  };
  try {
    if (settings.output === undefined) {
      const outcome = await streamRecords({ ...asked, output: context.stdout }).catch((error) =>
        Promise.reject(
          outputError(error, 'incomplete', 'and run it again; with -o <file> it can be resumed'),
        ),
      );
      progress.done();
      remark({ ...outcome, isSafe }, context);
      const records = counted(outcome.records);
      if (!outcome.complete)
        throw incomplete(outcome.reasons, `${records} came; with -o <file> it can be resumed`);
      return;
    }
    const outcome = await exportRecords({
      ...asked,
      target: settings.output,
      // Its address is another one each time.
      deployment: settings.mock ? 'the built-in museum' : client.baseUrl,
      also: { offset: paging.offset, limit: paging.limit ?? null, ...(lists && idListJob(lists)) },
      split: recordsPerFile,
      resume,
      onBegin: (beginning) => remarkOnBeginning(beginning, settings.output ?? '', context),
      command: context.commandLine,
    });
    progress.done();
    report(outcome, context, isSafe);
  } finally {
    progress.done();
  }
}

/** The query parameters of the search, for these of the ids where it is for a list of them. */
function queryOf({ externalIds: _, ...resolved }: ResolvedSearch, ids?: readonly string[]): QueryParameters {
  return searchParameters({ ...resolved, terms: { ...resolved.terms, externalIds: ids } });
}

function formatOf({ format = 'csv' }: Context): ExportFormat {
  const known = exportFormat(format);
  if (known) return known;
  throw new UsageError(
    `an export cannot be written as ${format}`,
    `choose from ${EXPORT_FORMATS.join(', ')}; for a ${format} use list`,
  );
}

function remarkOnBeginning({ resumed, discarded }: Beginning, file: string, context: Context): void {
  if (resumed !== undefined) context.detail(`going on behind the first ${counted(resumed)} of "${file}"`);
  else if (discarded === 0)
    context.detail(`there is no unfinished run of "${file}": beginning at the first record`);
  else {
    context.note(
      `an earlier run had left ${counted(discarded)} of "${file}": this one begins anew, --resume would have gone on`,
    );
  }
}

/** What came of it, on standard error. Throws when it is not everything. */
function report(outcome: ExportOutcome, context: Context, isSafe: boolean): void {
  const { complete, reasons, warnings, files, manifestPath, manifest } = outcome;
  const { records, formulas, elapsed } = manifest;
  remark({ warnings, complete, records, formulas, isSafe }, context);
  const size = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const where = files.length === 1 ? files[0] : `${files.length} files, ${files[0]} to ${files.at(-1)}`;
  if (!complete) {
    const next = isOnlyStrict(manifest)
      ? '--resume would bring no more: run it again, or without --strict'
      : `get the rest with: ${resumeCommand(context.commandLine)}`;
    throw incomplete(reasons, `${counted(records)} ${records === 1 ? 'is' : 'are'} in ${where}; ${next}`);
  }
  context.note(
    `${counted(records)} in ${where} (${bytes(size)}, ${duration(elapsed / 1000)}); manifest: ${manifestPath}`,
  );
}

/** Whether nothing is missing but what --strict alone asks for: a total that stands still, and every id of the list. */
function isOnlyStrict({ reasons, totals, notFound }: Manifest): boolean {
  return reasons.length === Number(totals.drift.length > 1) + Number(notFound.length > 0);
}

interface Remarkable {
  readonly complete: boolean;
  readonly warnings: readonly string[];
  readonly records: number;
  readonly formulas: number;
  /** Whether no spreadsheet runs what begins like a formula. */
  readonly isSafe: boolean;
}

function remark({ warnings, complete, records, formulas, isSafe }: Remarkable, context: Context): void {
  for (const warning of warnings) context.note(`warning: ${warning}`);
  if (records === 0 && complete) context.note('no records match');
  if (formulas > 0 && !isSafe) {
    context.note(
      `${formulas === 1 ? '1 cell begins' : `${count(formulas)} cells begin`} with = + - @ or a tab: for a spreadsheet, use --excel`,
    );
  }
}

function incomplete(reasons: readonly string[], hint: string): OpacError {
  return new OpacError('incomplete', `the export is incomplete: ${reasons.join('; ')}`, { hint });
}

function counted(records: number): string {
  return `${count(records)} ${records === 1 ? 'record' : 'records'}`;
}

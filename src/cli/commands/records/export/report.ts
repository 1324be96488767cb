/** Prints the start and the outcome of an export to standard error. */
import type { PriorRun } from '../../../../export/collect/checkpoint.js';
import { resumeCommand } from '../../../../export/collect/run-errors.js';
import { FORMATS, parseExportFormat } from '../../../../export/convert/formats.js';
import type { ExportedFiles, ExportOutcome } from '../../../../export/export-records.js';
import type { StreamOutcome } from '../../../../export/stream-records.js';
import { getResumeBlockedHint } from '../../../../export/verify/completeness.js';
import { OpacError } from '../../../../service/errors.js';
import { formatCount } from '../../../../service/format-numbers.js';
import type { Context } from '../../../context.js';
import { count, formatBytes, formatDuration } from '../../../output/terminal/numbers.js';

/** `isAsked`: the user gave `--resume`. */
export function reportStart(
  { resumed, discarded }: PriorRun,
  file: string,
  context: Context,
  isAsked: boolean,
): void {
  const start = 'starting from the first record';
  if (discarded > 0)
    context.note(
      `"${file}": ${start}; discarded ${formatCount(discarded, 'record')} of an unfinished export`,
    );
  else if (resumed === undefined) context.noteVerbose(`nothing to resume for "${file}"; ${start}`);
  else {
    const resuming = `resuming "${file}" after ${formatCount(resumed, 'record')}`;
    if (isAsked) context.noteVerbose(resuming);
    else context.note(`${resuming}; to start again, use --force`);
  }
}

/** Throws an OpacError if records are missing. `isSafe` is true if spreadsheets do not run the cells as formulas. */
export function reportStream(outcome: StreamOutcome, context: Context, isSafe: boolean): void {
  noteWarnings({ ...outcome, formulas: isSafe ? 0 : outcome.formulas }, context);
  if (outcome.complete) return;
  const received = `${formatCount(outcome.records, 'record')} ${outcome.records === 1 ? 'was' : 'were'} received`;
  const next = outcome.resumeBlocked ?? 'with -o <file>, the export can be resumed';
  throw createIncompleteError(outcome.reasons, `${received}; ${next}`);
}

/** If records are missing, throws an OpacError with the command to resume, or with advice if resuming would not help. */
export function reportFile(outcome: ExportOutcome, context: Context): void {
  const { complete, reasons, warnings, repaired, manifest, outputs } = outcome;
  const { records } = manifest;
  const isPart = manifest.plan !== undefined && manifest.plan.total > 0;
  noteWarnings(
    {
      complete,
      warnings,
      repaired,
      records,
      formulas: Math.max(...outputs.map(countFormulas)),
      idCheck: manifest.idCheck,
    },
    context,
    isPart ? 'this part has no records' : undefined,
  );
  if (!complete) {
    const blocked = getResumeBlockedHint(manifest, outcome);
    const resume = blocked === undefined ? resumeCommand(context.commandLine) : undefined;
    const next =
      resume === undefined
        ? `--resume would not find more records; ${blocked}`
        : `export the rest with: ${resume}`;
    const received = `${formatCount(records, 'record')} ${records === 1 ? 'is' : 'are'} in ${outputs.map(formatFiles).join(' and ')}`;
    throw createIncompleteError(reasons, `${received}; ${next}`, resume);
  }
  for (const output of outputs) context.note(formatOutput(output));
}

function formatOutput(output: ExportedFiles): string {
  const { manifest, manifestPath } = output;
  const { records, rows, elapsed, files, replaces } = manifest;
  const size = files.reduce((sum, file) => sum + file.bytes, 0);
  const lines = rows === undefined ? '' : `, ${count(rows)} rows,`;
  const replaced = replaces > 0 ? `; replaced an export of ${formatCount(replaces, 'record')}` : '';
  return `${formatCount(records, 'record')}${lines} in ${formatFiles(output)} (${formatBytes(size)}, ${formatDuration(elapsed / 1000)}); manifest: ${manifestPath}${replaced}`;
}

function formatFiles({ files }: ExportedFiles): string {
  return files.length === 1 ? (files[0] as string) : `${files.length} files, ${files[0]} to ${files.at(-1)}`;
}

function countFormulas({ manifest: { job, formulas } }: ExportedFiles): number {
  const format = parseExportFormat(job.format);
  return job.excel !== true && format && FORMATS[format].runsFormulas ? formulas : 0;
}

function noteWarnings(
  {
    warnings,
    repaired,
    complete,
    records,
    formulas,
    idCheck,
  }: Omit<StreamOutcome, 'reasons' | 'resumeBlocked' | 'isOnlyStrict'>,
  context: Context,
  emptyMessage = 'no records match',
): void {
  for (const warning of warnings)
    if (!repaired.includes(warning)) context.warn(warning);
    else context.note(`warning: ${warning}`);
  const isEmpty = records === 0 && complete;
  if (idCheck && !isEmpty && idCheck.unlisted === undefined) {
    const { requests, added, dropped } = idCheck;
    context.note(
      `compared the export with all ids of the search (${formatCount(requests, 'request')}): ${formatCount(added, 'record')} added, ${count(dropped)} removed`,
    );
  }
  if (isEmpty) context.note(emptyMessage);
  if (formulas > 0) {
    context.note(
      `${formulas === 1 ? '1 cell starts' : `${count(formulas)} cells start`} with a character such as =, +, - or @, so that spreadsheets may run ${formulas === 1 ? 'it as a formula' : 'them as formulas'}; to prevent this, use --excel`,
    );
  }
}

function createIncompleteError(reasons: readonly string[], hint: string, resume?: string): OpacError {
  return new OpacError('incomplete', `the export is incomplete: ${reasons.join('; ')}`, { hint, resume });
}

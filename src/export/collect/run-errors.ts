/** Errors of an export that ended early: what is kept, and how to resume. */

import { OpacError } from '../../service/errors.js';
import { formatCount } from '../../service/format-numbers.js';
import { pathExists } from '../../system/error-code.js';
import { FileError } from '../../system/file-error.js';
import type { ExportPaths } from '../export-paths.js';
import { readRecordCount } from './checkpoint.js';

const ELSEWHERE = 'name a file elsewhere with -o';

export interface PartialExport {
  readonly records: number;
  readonly path: string;
}

export async function findPartialExport({
  checkpoint,
  partialFile: path,
}: ExportPaths): Promise<PartialExport | undefined> {
  const records = await readRecordCount(checkpoint);
  return records > 0 && (await pathExists(path)) ? { records, path } : undefined;
}

/**
 * For a run whose files were open. The command comes last in the line, for copying. Returns other errors unchanged.
 */
export function addResumeHint(error: unknown, kept: PartialExport | undefined, command: string): unknown {
  if (error instanceof FileError) return unusable(error) ? error : fileRunError(error, kept, command);
  if (!kept) return error;
  const resume = resumeCommand(command);
  const goOn = `${isIn(kept)}; resume with: ${resume}`;
  if (error instanceof OpacError) {
    // A service that refuses deeper offsets will refuse again.
    const next = error.kind === 'incomplete' ? `${isIn(kept)}; ${error.hint}` : joinHints(error.hint, goOn);
    const kind = ['auth', 'internal', 'interrupted'].includes(error.kind) ? error.kind : 'incomplete';
    return new OpacError(kind, error.message, { hint: next, code: error.code, resume, cause: error });
  }
  const isAbort = error instanceof Error && error.name === 'AbortError';
  const message = isAbort ? 'the export was interrupted' : `the export failed: ${String(error)}`;
  return new OpacError(isAbort ? 'interrupted' : 'internal', message, { hint: goOn, resume, cause: error });
}

/**
 * For a run that could not open its files: `internal` when the path is wrong and nothing is left of earlier runs, else
 * `incomplete`.
 */
export function createOpenError(
  error: FileError,
  kept: PartialExport | undefined,
  command: string,
): OpacError {
  if (unusable(error)) return error;
  if (kept) return fileRunError(error, kept, command);
  const { fault, message } = error;
  if (!fault?.isDiskProblem) return error;
  const hint = `${fault.remedy}, or ${ELSEWHERE}`;
  return new OpacError('incomplete', message, { hint, code: fault.code, cause: error });
}

function fileRunError(error: FileError, kept: PartialExport | undefined, command: string): OpacError {
  const { fault, message } = error;
  const remedy = fault?.remedy;
  const next = kept
    ? joinHints(remedy, `${isIn(kept)}; resume with: ${resumeCommand(command)}`)
    : `no records were kept: ${remedy ? `${remedy}, or ` : ''}${ELSEWHERE}, and run it again`;
  const resume = kept && resumeCommand(command);
  return new OpacError('incomplete', message, { hint: next, code: error.code, resume, cause: error });
}

function unusable({ hint }: FileError): boolean {
  return hint !== undefined;
}

function isIn({ records, path }: PartialExport): string {
  return `${formatCount(records, 'record')} ${records === 1 ? 'is' : 'are'} in "${path}"`;
}

function joinHints(first: string | undefined, second: string): string {
  return first ? `${first}; ${second}` : second;
}

/** The command with --resume among its options, which end at `--`. */
export function resumeCommand(command: string): string {
  const words = [...command.matchAll(SHELL_WORD)];
  const end = words.find(([word]) => word === '--')?.index ?? command.length;
  if (words.some(([word], n) => word === '--resume' && (words[n]?.index ?? 0) < end)) return command;
  const [before, behind] = [command.slice(0, end).trimEnd(), command.slice(end)];
  return `${before} --resume${behind === '' ? '' : ` ${behind}`}`;
}

/** A word of a POSIX shell: pieces in quotes, escaped characters and plain ones. */
const SHELL_WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs;

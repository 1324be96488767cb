/** The errors of an export that ended early. They say where the saved records are, and how to resume. */
import { type ErrorKind, OpacError } from '../../service/errors.js';
import { formatCount } from '../../service/format-numbers.js';
import { pathExists } from '../../system/error-code.js';
import { FileError } from '../../system/file-error.js';
import type { ExportPaths } from '../export-paths.js';
import { readRecordCount } from './checkpoint.js';

const OTHER_FOLDER = 'write to another folder with -o';

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

/** Errors of these kinds keep their kind, even if records were saved. */
const OWN_KINDS: ReadonlySet<ErrorKind> = new Set(['auth', 'internal', 'usage', 'interrupted']);

/**
 * For errors after the run opened its files. The hint says where the `kept` records are, and how to resume. If this run received
 * no records, an error of kind `deployment` keeps its kind.
 */
export function addResumeHint(
  error: unknown,
  kept: PartialExport | undefined,
  command: string,
  hasReceivedRecords = true,
): unknown {
  if (error instanceof FileError)
    return error.hint === undefined ? createFileRunError(error, kept, command) : error;
  if (!kept) return error;
  const resume = resumeCommand(command);
  const next = `${formatPlace(kept)}; resume with: ${resume}`;
  if (error instanceof OpacError) {
    // After an `incomplete` error, for example a refused offset, a resumed run would often fail again.
    const hint =
      error.kind === 'incomplete' ? `${formatPlace(kept)}; ${error.hint}` : joinHints(error.hint, next);
    const isIncomplete = error.kind === 'deployment' ? hasReceivedRecords : !OWN_KINDS.has(error.kind);
    const kind = isIncomplete ? 'incomplete' : error.kind;
    return new OpacError(kind, error.message, { hint, code: error.code, resume, cause: error });
  }
  const isAbort = error instanceof Error && error.name === 'AbortError';
  const message = isAbort ? 'the export was interrupted' : `the export failed: ${String(error)}`;
  return new OpacError(isAbort ? 'interrupted' : 'internal', message, { hint: next, resume, cause: error });
}

export function createOpenError(
  error: FileError,
  kept: PartialExport | undefined,
  command: string,
): OpacError {
  if (error.hint !== undefined) return error;
  if (kept) return createFileRunError(error, kept, command);
  const { fault, message } = error;
  if (!fault?.isDiskProblem) return error;
  const hint = `${fault.remedy}, or ${OTHER_FOLDER}`;
  return new OpacError('incomplete', message, { hint, code: fault.code, cause: error });
}

function createFileRunError(error: FileError, kept: PartialExport | undefined, command: string): OpacError {
  const { fault, message } = error;
  const remedy = fault?.remedy;
  const next = kept
    ? joinHints(remedy, `${formatPlace(kept)}; resume with: ${resumeCommand(command)}`)
    : `no records were saved; ${remedy ? `${remedy}, or ` : ''}${OTHER_FOLDER}, and run the command again`;
  const resume = kept && resumeCommand(command);
  return new OpacError('incomplete', message, { hint: next, code: error.code, resume, cause: error });
}

function formatPlace({ records, path }: PartialExport): string {
  return `${formatCount(records, 'record')} ${records === 1 ? 'is' : 'are'} in "${path}"`;
}

function joinHints(first: string | undefined, second: string): string {
  return first ? `${first}; ${second}` : second;
}

/** Adds --resume before `--`, or at the end. */
export function resumeCommand(command: string): string {
  const words = [...command.matchAll(SHELL_WORD)];
  const end = words.find(([word]) => word === '--')?.index ?? command.length;
  if (words.some(([word], n) => word === '--resume' && (words[n]?.index ?? 0) < end)) return command;
  return `${command.slice(0, end).trimEnd()} --resume ${command.slice(end)}`.trimEnd();
}

/** A word of a POSIX shell. */
const SHELL_WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs;

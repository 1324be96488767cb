/** The option `--report <format>=<file>`, and the writing of what it asks for. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Report } from '../../../check/report.js';
import { REPORTS, type ReportFormat } from '../../../check/reports.js';
import { UsageError } from '../../../service/errors.js';
import { didYouMean } from '../../../service/nearest.js';
import type { Context } from '../../context.js';
import { writeAll } from '../../output/write.js';

export interface ReportTarget {
  readonly format: ReportFormat;
  /** `-` for standard output. */
  readonly file: string;
}

const FORMATS = Object.keys(REPORTS) as ReportFormat[];

/** Reads `junit=results.xml`. Throws a UsageError. */
export function parseReport(value: string): ReportTarget {
  const [name = '', ...rest] = value.split('=');
  const format = FORMATS.find((each) => each === name);
  if (format === undefined)
    throw new UsageError(
      `invalid report "${name}"`,
      didYouMean(name, FORMATS) ?? `choose from ${FORMATS.join(', ')}`,
    );
  const file = rest.join('=');
  if (file === '')
    throw new UsageError(`--report ${name} needs a file`, `for example: --report ${name}=report.${name}`);
  return { format, file };
}

/** Throws a UsageError for a file whose folder is not there: better now than after the run. */
export async function checkTargets(targets: readonly { readonly file: string }[]): Promise<void> {
  for (const { file } of targets) {
    if (file === '-' || file === '') continue;
    const folder = dirname(file);
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw new UsageError(`there is no folder "${folder}" for "${file}"`);
  }
}

/** Writes every report asked for, also after an interruption. */
export async function writeReports(
  context: Context,
  targets: readonly ReportTarget[],
  report: Report,
  strict: boolean,
): Promise<void> {
  for (const { format, file } of targets) {
    const text = REPORTS[format](report, strict);
    const output = file === '-' ? undefined : file;
    const settings = { ...context.settings, output };
    await writeAll({ ...context, settings, signal: new AbortController().signal }, oneText(text));
  }
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

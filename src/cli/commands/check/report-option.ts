/** Parses `--report` and writes the reports. */
import { appendFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { REPORT_FORMATS, REPORT_RENDERERS, type ReportFormat } from '../../../check/reports/formats.js';
import type { Report } from '../../../check/reports/report-text.js';
import { UsageError } from '../../../service/errors.js';
import { didYouMean } from '../../../service/suggest-name.js';
import { fileError } from '../../../system/file-error.js';
import type { Context } from '../../context.js';
import { writeOutput } from '../../output/write-output.js';

export interface ReportTarget {
  readonly format: ReportFormat;
  /** `-` for standard output. */
  readonly file: string;
}

/** Parses `junit=results.xml`. Throws a UsageError for an unknown format or without a file name. `github` needs no file name. */
export function parseReport(value: string): ReportTarget {
  const [name = '', ...rest] = value.split('=');
  const format = REPORT_FORMATS.find((each) => each === name);
  if (!format)
    throw new UsageError(
      `invalid report "${name}"`,
      `${didYouMean(name, REPORT_FORMATS)}; for example: --report html=check.html`,
    );
  const file = rest.join('=') || (format === 'github' ? '-' : '');
  if (file === '')
    throw new UsageError(`--report ${name} needs a file`, 'for example: --report junit=check.xml');
  return { format, file };
}

/** Throws a UsageError if two targets are the same file, or if the folder of a file does not exist. Skips an empty `file`. */
export async function assertReportFolders(targets: readonly { readonly file: string }[]): Promise<void> {
  const places = new Set<string>();
  for (const { file } of targets) {
    if (file === '') continue;
    const place = STANDARD_OUTPUT.test(file) ? '-' : resolve(file);
    if (places.size === places.add(place).size)
      throw place === '-'
        ? new UsageError('standard output is used twice', 'write one of the outputs to a file')
        : new UsageError(`"${file}" is used twice`, 'use different file names');
    if (place === '-') continue;
    const folder = dirname(file);
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw new UsageError(`folder "${folder}" for "${file}" does not exist`);
  }
}

const STANDARD_OUTPUT = /^(-|\/dev\/(stdout|fd\/1))$/;

export async function writeReports(
  context: Context,
  targets: readonly ReportTarget[],
  report: Report,
  strict: boolean,
): Promise<void> {
  for (const { format, file } of targets) {
    await writeReportText(context, file === '-' ? undefined : file, REPORT_RENDERERS[format](report, strict));
    if (format === 'github') await appendGithubSummary(context, report, strict);
  }
}

/** Without `output`, writes to standard output. A file appears only when it is complete. */
export async function writeReportText(
  context: Context,
  output: string | undefined,
  text: string,
): Promise<void> {
  // After an interruption, opac still writes the reports.
  const signal = context.signal.aborted ? new AbortController().signal : context.signal;
  const globalOptions = { ...context.globalOptions, output };
  await writeOutput({ ...context, globalOptions, signal }, [text]);
}

/** Appends to the job summary of GitHub Actions, because other commands also write to this file. */
async function appendGithubSummary(
  { environment, warn, globalOptions }: Context,
  report: Report,
  strict: boolean,
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = environment;
  if (!file || globalOptions.dryRun) return;
  await appendFile(file, REPORT_RENDERERS.markdown(report, strict)).catch((error) => {
    // Only a warning, because the report itself was written.
    warn(`${fileError(error, 'write', file).message} (GITHUB_STEP_SUMMARY)`);
  });
}

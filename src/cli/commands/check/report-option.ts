/** The option `--report <format>=<file>`, and the writing of what it asks for. */
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

/** Reads `junit=results.xml`; `github` goes to standard output unless a file is named. Throws a UsageError. */
export function parseReport(value: string): ReportTarget {
  const [name = '', ...rest] = value.split('=');
  const format = REPORT_FORMATS.find((each) => each === name);
  if (format === undefined) {
    const hint = didYouMean(name, REPORT_FORMATS) ?? `choose from ${REPORT_FORMATS.join(', ')}`;
    throw new UsageError(`invalid report "${name}"`, hint);
  }
  const file = rest.join('=') || (format === 'github' ? '-' : '');
  if (file === '')
    throw new UsageError(`--report ${name} needs a file`, 'for example: --report junit=check.xml');
  return { format, file };
}

/** Throws a UsageError for an output whose folder is not there, or that is named twice: better now than after the run. */
export async function assertReportFolders(targets: readonly { readonly file: string }[]): Promise<void> {
  const named = new Set<string>();
  for (const { file } of targets) {
    if (file === '') continue;
    const place = STANDARD_OUTPUT.test(file) ? '-' : resolve(file);
    if (named.size === named.add(place).size)
      throw place === '-'
        ? new UsageError('standard output is named for two reports', 'write one of them to a file')
        : new UsageError(`"${file}" is named for two files`, 'give each a name of its own');
    if (place === '-') continue;
    const folder = dirname(file);
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw new UsageError(`there is no folder "${folder}" for "${file}"`);
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

/** Writes a text to a file, whole or not at all, or to standard output. */
export async function writeReportText(
  context: Context,
  output: string | undefined,
  text: string,
): Promise<void> {
  // A run that was interrupted writes its reports whole all the same.
  const signal = context.signal.aborted ? new AbortController().signal : context.signal;
  await writeOutput(
    { ...context, globalOptions: { ...context.globalOptions, output }, signal },
    oneText(text),
  );
}

/** The summary of a job of GitHub Actions is a file that each step adds to. */
async function appendGithubSummary(
  { environment, note, globalOptions }: Context,
  report: Report,
  strict: boolean,
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = environment;
  if (!file || globalOptions.dryRun) return;
  await appendFile(file, REPORT_RENDERERS.markdown(report, strict)).catch((error) => {
    // The report itself is written, and its verdict counts.
    note(`warning: ${fileError(error, 'write', file).message} (GITHUB_STEP_SUMMARY)`);
  });
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

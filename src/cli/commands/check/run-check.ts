/** Runs `opac check`, and writes the reports and the baseline. */
import type { Check, Verdict } from '../../../check/check.js';
import { CHECK_RETRIES, createCheckedDeployment } from '../../../check/checked-deployment.js';
import { createChecks, selectChecks } from '../../../check/checks.js';
import { parseKnownDeviations } from '../../../check/known-deviations.js';
import { CheckNotApplicable } from '../../../check/probe/deviation.js';
import { type CheckedDeployment, type Probe, RequestFailed } from '../../../check/probe/probe.js';
import { Recorder } from '../../../check/probe/recorder.js';
import { type CheckResult, isFailure, type Report } from '../../../check/reports/report-text.js';
import { runChecks } from '../../../check/run-checks.js';
import { parseBaseline, serializeBaseline } from '../../../check/samples/baseline.js';
import { takeCensus } from '../../../check/samples/census.js';
import type { Expectations } from '../../../check/samples/expectations.js';
import { findFormat } from '../../../export/convert/formats.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { createDeploymentClient, openDeployment, retryUntilAvailable } from '../../connect.js';
import type { Context } from '../../context.js';
import type { CommandResult } from '../../description/result.js';
import { formatCurlCommand } from '../../dry-run/curl.js';
import { assertFormatSupported } from '../../options/output-kind.js';
import { toItemsResult } from '../../output/item-schemas.js';
import type { CheckInput } from './options.js';
import { renderResult, renderSummary } from './render-result.js';
import { assertReportFolders, writeReports, writeReportText } from './report-option.js';

export async function listChecks({ only, skip, expectations }: CheckInput): Promise<CommandResult> {
  const chosen = selectChecks(createChecks(expectations), { only, skip });
  const items = chosen.map(({ id, promise, warning, source }) => ({
    id,
    promise,
    deviation: warning === undefined ? 'fail' : 'warn',
    source,
  }));
  return toItemsResult(items, 'check', { emptyMessage: 'no checks' });
}

export async function runCheck(context: Context, input: CheckInput): Promise<CommandResult> {
  const { report: reports, failOnWarning: strict, known: file } = input;
  const hasRows = isTableFormat(context);
  assertFormatSupported(hasRows ? 'report' : 'value', context.globalOptions);
  const baseline = await readBaseline(context, input);
  const all = createChecks({ ...input.expectations, baseline });
  const checks = selectChecks(all, input);
  if (!baseline && checks.every(({ id }) => id.startsWith('baseline.')))
    throw new UsageError('the selected checks need a baseline', 'add --baseline <file>');
  assertExpectationsSelected(input, checks);
  const known = file === undefined ? [] : parseKnownDeviations(await context.readText(file), file, all);
  await assertReportFolders([
    ...reports,
    ...[input.baseline, file, findOutputFile(context)].map((file = '') => ({ file })),
  ]);
  const deployment = await connectChecks(context);
  if (input.wait !== undefined) await waitForDeployment(context, deployment, input.wait);
  deployment.recorder.clear();
  const idWidth = Math.max(...checks.map(({ id }) => id.length));
  const showResult = createLiveList(context, input, idWidth);
  let baselineError: OpacError | undefined;
  const { report, error } = await runChecks({
    checks,
    deployment,
    known,
    clock: context,
    onResult: showResult,
    afterwards: async (probe) => {
      if (input.updateBaseline) baselineError = await updateBaseline(context, input.baseline ?? '', probe);
    },
  });
  await writeReports(context, reports, report, strict);
  const failure = error ?? createFailure(report, strict) ?? baselineError;
  if (hasRows) return toItemsResult(report.checks.map(createRow), 'checkResult', { failure: () => failure });
  const shown = showResult
    ? []
    : listShownResults(report).filter(({ verdict }) => isShown(verdict, context, strict));
  const lines = shown.map((result) => renderResult(result, idWidth, context.terminal));
  const isSilent =
    reports.some(({ file: target }) => target === '-') || (context.globalOptions.quiet && !failure);
  return {
    kind: 'value',
    text: isSilent ? '' : [...lines, renderSummary(report, context.terminal)].join('\n'),
    json: report as unknown as Json,
    indent: 2,
    failure: () => failure,
  };
}

/** Throws a UsageError for a baseline or an expectation that no selected check needs. */
function assertExpectationsSelected(
  { baseline, updateBaseline, expectations: { minimums, fields, maxLatency } }: CheckInput,
  checks: readonly Check[],
): void {
  const given: Readonly<Record<string, readonly [option: string, isGiven: boolean]>> = {
    baseline: ['--baseline', baseline !== undefined && !updateBaseline],
    'expected.min': ['--expect <kind>=<number>', minimums.size > 0],
    'expected.fields': ['--expect <kind>=<fields>', fields.size > 0],
    latency: ['--expect latency', maxLatency !== undefined],
  };
  for (const [name, [option, isGiven]] of Object.entries(given))
    if (isGiven && !checks.some(({ id }) => id === name || id.startsWith(`${name}.`)))
      throw new UsageError(
        `${option} has no effect, because its check is not selected`,
        `omit it, or add --only ${name}`,
      );
}

async function connectChecks(context: Context): Promise<CheckedDeployment> {
  const { globalOptions, signal } = context;
  const found = await openDeployment(context);
  const { scheme } = found;
  const recorder = new Recorder((request, caller) =>
    formatCurlCommand(found.baseUrl, caller === 'none' ? 'anonymous' : scheme, request).replace(
      caller === 'invalid' ? /\$OPAC_\w+/ : /$^/,
      'wrong',
    ),
  );
  const retries = globalOptions.retries ?? CHECK_RETRIES;
  return createCheckedDeployment(scheme, recorder, signal, (options) =>
    createDeploymentClient(context, found, { retries, ...options }),
  );
}

/** Returns true for csv, tsv and xlsx, which have a row for each check. JSON contains the complete report. */
function isTableFormat({ format }: Context): boolean {
  return findFormat(format)?.table !== undefined;
}

/**
 * Returns the file of the results (`-`: standard output). Without -o and -f, returns undefined, because a report on standard
 * output then replaces the results.
 */
function findOutputFile({ format, globalOptions }: Context): string | undefined {
  return globalOptions.output ?? (format === undefined ? undefined : '-');
}

function createRow({ id, verdict, promise, milliseconds, reason, deviations, source }: CheckResult): Json {
  return {
    id,
    verdict,
    promise,
    milliseconds,
    reason,
    expected: deviations.map(({ expected }) => expected),
    received: deviations.map(({ received }) => received),
    curl: deviations.map(({ request }) => request?.curl ?? ''),
    source,
  };
}

function isShown(verdict: Verdict, { globalOptions }: Context, strict: boolean): boolean {
  return !globalOptions.quiet || isFailure(verdict, strict);
}

/** Omits skipped checks if the run stopped before any check passed, because the deployment was probably not usable. */
function listShownResults({ checks, ended, summary }: Report): readonly CheckResult[] {
  const isUnreachable = ended !== 'finished' && summary.pass === 0;
  return isUnreachable ? checks.filter(({ verdict }) => verdict !== 'skip') : checks;
}

async function readBaseline(
  context: Context,
  { baseline: file, updateBaseline: isUpdated }: CheckInput,
): Promise<Expectations['baseline']> {
  if (file === undefined || isUpdated) return undefined;
  return parseBaseline(await context.readText(file), file);
}

async function updateBaseline(context: Context, file: string, probe: Probe): Promise<OpacError | undefined> {
  try {
    await writeReportText(context, file, serializeBaseline(await takeCensus(probe)));
    context.note(`wrote the baseline to ${file}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof CheckNotApplicable || error instanceof RequestFailed)) throw error;
    const message = `the baseline was not written: ${error.message}`;
    context.note(message);
    return new OpacError('incomplete', message, { hint: 'run all checks to find the cause: opac check' });
  }
}

/** Repeats a request for up to `timeout` milliseconds while it fails with an error of kind `deployment`. */
async function waitForDeployment(
  context: Context,
  { clients }: CheckedDeployment,
  timeout: number,
): Promise<void> {
  const { signal } = context;
  const request = () => clients.user.getPath('/opacrecords', { query: [['limit', '0']], signal });
  await retryUntilAvailable(context, timeout, request).catch((error) => {
    // The checks report errors of the deployment, so the command continues.
    if (signal.aborted || !(error instanceof OpacError)) throw error;
  });
}

/** Returns a function that prints each result immediately; undefined if the terminal does not show the results as text. */
function createLiveList(
  context: Context,
  { report: reports, failOnWarning: strict }: CheckInput,
  idWidth: number,
): ((result: CheckResult) => void) | undefined {
  const { terminal, format, globalOptions, stdout } = context;
  if (!terminal.isTerminal || globalOptions.output !== undefined || format !== undefined) return undefined;
  if (reports.some(({ file }) => file === '-')) return undefined;
  let isFirst = true;
  let isUnreachable = false;
  return (result) => {
    isUnreachable ||= isFirst && result.verdict === 'fail';
    isFirst = false;
    if (isUnreachable && result.verdict === 'skip') return;
    if (isShown(result.verdict, context, strict))
      stdout.write(`${renderResult(result, idWidth, terminal)}\n`);
  };
}

function createFailure({ checks, summary }: Report, strict: boolean): OpacError | undefined {
  const failed = checks.filter(({ verdict }) => isFailure(verdict, strict)).length;
  if (failed === 0) return undefined;
  const completed = checks.length - summary.skip;
  return new OpacError(
    'check',
    `${failed} of ${completed} checks ${strict ? 'failed or warned' : 'failed'}`,
    {
      hint: 'to accept known deviations, list them in a file and add --known <file>',
    },
  );
}

/** `opac check`: does a deployment keep the promises of this interface, and does it publish what it published before? */

import type { Verdict } from '../../check/check.js';
import type { Probe } from '../../check/probe/probe.js';
import { type CheckResult, isFailure, type Report } from '../../check/reports/report-text.js';
import type { Expectations } from '../../check/samples/expectations.js';
import { findFormat } from '../../export/convert/formats.js';
import { OpacError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import type { Context } from '../context.js';
import { defineCommand } from '../description/command.js';
import { type CommandResult, toSinglePage } from '../description/result.js';
import { refuseFormat } from '../options/output-kind.js';
import { itemSchema } from '../output/item-schemas.js';
import { CHECK_OPTIONS, type CheckInput, parseCheck } from './check/options.js';
import { renderResult, renderSummary } from './check/render-result.js';
import { assertReportFolders, writeReports, writeReportText } from './check/report-option.js';

export const commands = [
  defineCommand({
    name: 'check',
    summary: 'check that a deployment behaves as the API documentation says; exit 7 if it does not',
    options: CHECK_OPTIONS,
    examples: {
      'check the deployment in use': 'opac check --mock',
      'write a JUnit report for CI': 'opac check --mock --report junit=check.xml',
      'check only paging and searching': 'opac check --mock --only paging,search',
      'list what is checked, and why': 'opac check --list',
    },
    endpoints: [],
    output: 'report',
    parse: parseCheck,
    run: async (context, input) => (input.list ? list(input) : run(context, input)),
  }),
];

async function list({ only, skip, expectations }: CheckInput): Promise<CommandResult> {
  const { createChecks, selectChecks } = await import('../../check/checks.js');
  const chosen = selectChecks(createChecks(expectations), { only, skip });
  const items = chosen.map(({ id, promise, deviation = 'fail', source }) => ({
    id,
    promise,
    deviation,
    source,
  }));
  return {
    kind: 'items',
    pages: toSinglePage(items),
    schema: itemSchema('check'),
    emptyMessage: 'there are no checks',
  };
}

async function run(context: Context, input: CheckInput): Promise<CommandResult> {
  const [{ runChecks }, { createChecks, selectChecks }, { parseKnownDeviations }, { connectChecks }] =
    await Promise.all([
      import('../../check/run-checks.js'),
      import('../../check/checks.js'),
      import('../../check/known-deviations.js'),
      import('./check/connect-checks.js'),
    ]);
  const { report: reports, failOnWarning: strict, known: file } = input;
  const hasRows = wantsRows(context);
  refuseFormat(hasRows ? 'report' : 'value', context.globalOptions);
  const baseline = await keptBaseline(context, input);
  const all = createChecks({ ...input.expectations, baseline });
  const checks = selectChecks(all, input);
  const known = file === undefined ? [] : parseKnownDeviations(await context.readText(file), file, all);
  await assertReportFolders([
    ...reports,
    ...[input.baseline, file, dataTarget(context)].map((file = '') => ({ file })),
  ]);
  const deployment = await connectChecks(context);
  if (input.wait !== undefined) await waitFor(context, deployment, input.wait);
  const idWidth = Math.max(...checks.map(({ id }) => id.length));
  const showResult = liveList(context, input, idWidth);
  const { report, error } = await runChecks({
    checks,
    deployment,
    known,
    clock: context,
    onResult: showResult,
    afterwards: async (probe) => {
      if (input.updateBaseline) await updateBaseline(context, input.baseline ?? '', probe);
    },
  });
  await writeReports(context, reports, report, strict);
  const failure = error ?? failureOf(report, strict);
  if (hasRows)
    return {
      kind: 'items',
      pages: toSinglePage(report.checks.map(rowOf)),
      schema: itemSchema('checkResult'),
      emptyMessage: '',
      failure: () => failure,
    };
  const shown = showResult ? [] : shownOf(report).filter(({ verdict }) => isShown(verdict, context, strict));
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

/** Other formats show the report: as a list for people, or as JSON. */
function wantsRows({ format }: Context): boolean {
  return findFormat(format)?.table !== undefined;
}

/** Where a format that was asked for goes. */
function dataTarget({ format, globalOptions }: Context): string | undefined {
  return globalOptions.output ?? (format === undefined ? undefined : '-');
}

function rowOf({ id, verdict, promise, milliseconds, reason, deviations, source }: CheckResult): Json {
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

/** Checks that were skipped because the deployment did not respond at all are not shown. */
function shownOf({ checks, ended, summary }: Report): readonly CheckResult[] {
  const isNothingMade = ended !== 'finished' && summary.pass === 0;
  return isNothingMade ? checks.filter(({ verdict }) => verdict !== 'skip') : checks;
}

async function keptBaseline(
  context: Context,
  { baseline: file, updateBaseline: isUpdated }: CheckInput,
): Promise<Expectations['baseline']> {
  if (file === undefined || isUpdated) return undefined;
  const { parseBaseline } = await import('../../check/samples/baseline.js');
  return parseBaseline(await context.readText(file), file);
}

async function updateBaseline(context: Context, file: string, probe: Probe): Promise<void> {
  const [{ serializeBaseline }, { takeCensus }, { CheckNotApplicable }, { RequestFailed }] =
    await Promise.all([
      import('../../check/samples/baseline.js'),
      import('../../check/samples/census.js'),
      import('../../check/probe/deviation.js'),
      import('../../check/probe/probe.js'),
    ]);
  try {
    await writeReportText(context, file, serializeBaseline(await takeCensus(probe)));
    context.note(`wrote the baseline to ${file}`);
  } catch (error) {
    // The check of what was not answered fails, so the run does.
    if (!(error instanceof CheckNotApplicable || error instanceof RequestFailed)) throw error;
    context.note(`the baseline is not written: ${error.message}`);
  }
}

/** Waits until the deployment answers: with anything but silence or a failure of its own. */
async function waitFor(
  context: Context,
  { clients }: Awaited<ReturnType<typeof import('./check/connect-checks.js').connectChecks>>,
  within: number,
): Promise<void> {
  const { retryUntilAvailable } = await import('../connect.js');
  const { signal } = context;
  const ask = () => clients.user.getPath('/opacrecords', { query: [['limit', '0']], signal });
  await retryUntilAvailable(context, within, ask).catch((error) => {
    // Whatever it is, the first check meets it too, and it then stands in the reports.
    if (signal.aborted || !(error instanceof OpacError)) throw error;
  });
}

/** On a terminal, results are shown as they come. */
function liveList(
  context: Context,
  { report: reports, failOnWarning: strict }: CheckInput,
  idWidth: number,
): ((result: CheckResult) => void) | undefined {
  const { terminal, format, globalOptions, stdout } = context;
  if (!terminal.isTerminal || globalOptions.output !== undefined || format !== undefined) return undefined;
  if (wantsRows(context) || reports.some(({ file }) => file === '-')) return undefined;
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

function failureOf({ checks, summary }: Report, strict: boolean): OpacError | undefined {
  const failed = checks.filter(({ verdict }) => isFailure(verdict, strict)).length;
  if (failed === 0) return undefined;
  const made = checks.length - summary.skip;
  return new OpacError('check', `${failed} of ${made} checks ${strict ? 'failed or warned' : 'failed'}`, {
    hint: 'accept what is known with --known',
  });
}

/** The report in Markdown: for merge requests, job summaries and mails. What a deployment said stands in code alone, where nothing is a command. */

import { type CheckResult, formatSummary, isFailure, MARKS, type Report } from './report-text.js';

export function markdownReport(report: Report, strict: boolean): string {
  const { checks, deployment, generator, started, requests, milliseconds, problem, latency } = report;
  const failed = checks.filter(({ verdict }) => isFailure(verdict, strict));
  const warned = checks.filter((each) => each.verdict === 'warn' && !failed.includes(each));
  const skipped = checks.filter(({ verdict }) => verdict === 'skip');
  const blocks = [
    `# Check of ${code(deployment)}`,
    `**${formatSummary(report)}**; ${requests} requests in ${(milliseconds / 1000).toFixed(1)} s, ${started}, ${generator}`,
    ...(problem === null ? [] : [`The run ended early: ${code(problem)}`]),
    ...section('Failures', failed.map(deviating)),
    ...section('Warnings', warned.map(deviating)),
    ...section('Skipped', [
      skipped.map(({ id, reason }) => `- ${code(id)}: ${code(reason ?? '')}`).join('\n'),
    ]),
    ...section('Latency', [
      [
        '| endpoint | requests | median | p95 | longest |',
        '| --- | ---: | ---: | ---: | ---: |',
        ...latency.map(
          ({ endpoint, requests: asked, median, p95, longest }) =>
            `| ${endpoint} | ${asked} | ${median} ms | ${p95} ms | ${longest} ms |`,
        ),
      ].join('\n'),
    ]),
    ...section('All checks', [
      checks.map(({ id, promise, verdict }) => `- ${MARKS[verdict]} ${code(id)} ${promise}`).join('\n'),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function section(title: string, blocks: readonly string[]): string[] {
  const filled = blocks.filter((block) => block !== '');
  return filled.length === 0 ? [] : [`## ${title}`, ...filled];
}

function deviating({ id, promise, source, deviations }: CheckResult): string {
  return [
    `### ${code(id)}`,
    `${promise} (${source})`,
    ...deviations.map(({ expected, received, request }) =>
      [
        `- expected ${code(expected)}`,
        `- received ${code(received)}`,
        ...(request ? [`\n${fence(request.curl, 'sh')}`, fence(request.response, '')] : []),
      ].join('\n'),
    ),
  ].join('\n\n');
}

/** The text as code, between more backticks than it holds (CommonMark section 6.1). */
function code(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  const space = /^`|`$|^ .* $/.test(text) || text === '' ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

function fence(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

/** Renders the report in Markdown. Writes text from the deployment as code, so that markup in it has no effect. */
import { formatCount } from '../../service/format-numbers.js';
import { type CheckResult, formatSummary, isFailure, type Report, VERDICT_SYMBOLS } from './report-text.js';

export function renderMarkdown(report: Report, strict: boolean): string {
  const { checks, deployment, generator, started, requests, milliseconds, problem } = report;
  const failed = checks.filter(({ verdict }) => isFailure(verdict, strict));
  const warned = checks.filter((each) => each.verdict === 'warn' && !failed.includes(each));
  const skipped = checks.filter(({ verdict }) => verdict === 'skip');
  const blocks = [
    `# Check of ${renderCode(deployment)}`,
    `**${formatSummary(report)}**; ${formatCount(requests, 'request')} in ${(milliseconds / 1000).toFixed(1)} s, ${started}, ${generator}`,
    ...(problem === null ? [] : [`The run ended early: ${renderCode(problem)}`]),
    ...renderSection('Failures', failed.map(renderCheck)),
    ...renderSection('Warnings', warned.map(renderCheck)),
    ...renderSection('Skipped', [
      skipped.map(({ id, reason }) => `- ${renderCode(id)}: ${renderCode(reason ?? '')}`).join('\n'),
    ]),
    ...renderSection('All checks', [
      checks
        .map(({ id, promise, verdict }) => `- ${VERDICT_SYMBOLS[verdict]} ${renderCode(id)} ${promise}`)
        .join('\n'),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderSection(title: string, blocks: readonly string[]): string[] {
  const filled = blocks.filter((block) => block !== '');
  return filled.length === 0 ? [] : [`## ${title}`, ...filled];
}

function renderCheck({ id, promise, source, deviations, verdict, reason }: CheckResult): string {
  return [
    `### ${renderCode(id)}`,
    `${promise} (${source})`,
    ...(verdict === 'warn' && reason !== null ? [`only a warning: ${reason}`] : []),
    ...deviations.map(({ expected, received, request }) =>
      [
        `- expected ${renderCode(expected)}`,
        `- received ${renderCode(received)}`,
        ...(request ? [`\n${renderFence(request.curl, 'sh')}`, renderFence(request.response, '')] : []),
      ].join('\n'),
    ),
  ].join('\n\n');
}

/** Returns a code span. Its delimiters are longer than any series of backticks in the text (CommonMark section 6.1). */
function renderCode(text: string): string {
  const ticks = '`'.repeat(countBackticksInRow(text) + 1);
  const space = /^`|`$|^ .* $/.test(text) || text === '' ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

function renderFence(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, countBackticksInRow(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

function countBackticksInRow(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

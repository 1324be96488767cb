/** Results of checks as lines of a terminal. */
import type { Verdict } from '../../../check/check.js';
import { type CheckResult, formatSummary, type Report } from '../../../check/reports/report-text.js';
import { count, formatDuration } from '../../output/terminal/numbers.js';
import { getStyles } from '../../output/terminal/styles.js';
import type { Terminal } from '../../output/terminal/terminal.js';
import { pad, truncate, wrap } from '../../output/terminal/text.js';

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  warn: 'warn',
  skip: 'skip',
};
const COLORS = { pass: 'green', fail: 'red', warn: 'yellow', skip: 'dim' } as const;

/** Columns of a time, the longest that a request may take included: `60,000 ms`. */
const TIME_WIDTH = 9;
const INDENT = 6;

/** The lines of a result; `idWidth` is that of the longest id. */
export function renderResult(result: CheckResult, idWidth: number, terminal: Terminal): string {
  const { id, promise, verdict, reason, milliseconds } = result;
  const paint = getStyles(terminal);
  const word = paint[COLORS[verdict]](VERDICT_WORDS[verdict]);
  const time = milliseconds === 0 ? '' : `${count(milliseconds)} ms`;
  const width = Math.max(terminal.width - INDENT - idWidth - TIME_WIDTH - 4, 10);
  const room = time === '' ? width + TIME_WIDTH + 2 : width;
  const said = truncate(verdict === 'skip' ? (reason ?? '') : promise, room, terminal);
  const line =
    `${word}  ${pad(id, idWidth)}  ${pad(said, width)}  ${pad(time, TIME_WIDTH, 'right')}`.trimEnd();
  return [line, ...(verdict === 'fail' || verdict === 'warn' ? details(result, terminal) : [])].join('\n');
}

function details({ deviations }: CheckResult, terminal: Terminal): string[] {
  const { dim } = getStyles(terminal);
  return deviations.flatMap(({ expected, received, request }) => [
    ...hanging('expected', expected, terminal),
    ...hanging('received', received, terminal),
    // A command is copied, so it is not broken into lines.
    ...(request?.curl ? [`${' '.repeat(INDENT)}${dim(request.curl)}`] : []),
  ]);
}

function hanging(name: string, text: string, terminal: Terminal): string[] {
  const [first = '', ...rest] = wrap(text, Math.max(terminal.width - INDENT - name.length - 2, 20));
  const space = ' '.repeat(INDENT);
  // A mark before each further line: logs of CI systems take a line that begins with `::` for a command.
  return [
    `${space}${name} ${first}`,
    ...rest.map((line) => `${space}${' '.repeat(name.length - 1)}| ${line}`),
  ];
}

export function renderSummary(report: Report, terminal: Terminal): string {
  const { summary, problem, milliseconds, requests } = report;
  const paint = getStyles(terminal);
  const color = summary.fail > 0 ? paint.red : summary.warn > 0 ? paint.yellow : paint.green;
  const took =
    milliseconds < 10_000 ? `${(milliseconds / 1000).toFixed(1)} s` : formatDuration(milliseconds / 1000);
  return [
    ...(problem === null ? [] : [paint.red(problem)]),
    `${color(formatSummary(report))}; ${count(requests)} requests in ${took}`,
  ].join('\n');
}

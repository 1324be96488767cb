/** Formats the results of checks for a terminal. */
import { type CheckResult, formatSummary, type Report } from '../../../check/reports/report-text.js';
import { formatCount } from '../../../service/format-numbers.js';
import { count, formatDuration } from '../../output/terminal/numbers.js';
import { getStyles } from '../../output/terminal/styles.js';
import type { Terminal } from '../../output/terminal/terminal.js';
import { pad, truncate, wrap } from '../../output/terminal/text.js';

const COLORS = { pass: 'green', fail: 'red', warn: 'yellow', skip: 'dim' } as const;

/** Fits `60,000 ms`. */
const TIME_WIDTH = 9;
const INDENT = 6;

/** `idWidth` is the width of the longest id of a check. */
export function renderResult(result: CheckResult, idWidth: number, terminal: Terminal): string {
  const { id, promise, verdict, reason, milliseconds } = result;
  const paint = getStyles(terminal);
  const word = paint[COLORS[verdict]](verdict === 'fail' ? 'FAIL' : verdict);
  const time = milliseconds === 0 ? '' : `${count(milliseconds)} ms`;
  const width = Math.max(terminal.width - INDENT - idWidth - TIME_WIDTH - 4, 10);
  const room = time === '' ? width + TIME_WIDTH + 2 : width;
  const text = truncate(verdict === 'skip' ? (reason ?? '') : promise, room, terminal);
  const line =
    `${word}  ${pad(id, idWidth)}  ${pad(text, width)}  ${pad(time, TIME_WIDTH, 'right')}`.trimEnd();
  return [line, ...(verdict === 'fail' || verdict === 'warn' ? formatDetails(result, terminal) : [])].join(
    '\n',
  );
}

function formatDetails({ deviations, verdict, reason }: CheckResult, terminal: Terminal): string[] {
  const { dim } = getStyles(terminal);
  const why = verdict === 'warn' && reason !== null ? formatIndented('warning', reason, terminal) : [];
  const details = deviations.flatMap(({ expected, received, request }) => [
    ...formatIndented('expected', expected, terminal),
    ...formatIndented('received', received, terminal),
    // Users copy the command, so it stays on one line.
    ...(request?.curl ? [`${' '.repeat(INDENT)}${dim(request.curl)}`] : []),
  ]);
  return [...details, ...why];
}

function formatIndented(name: string, text: string, terminal: Terminal): string[] {
  const [first = '', ...rest] = wrap(text, Math.max(terminal.width - INDENT - name.length - 2, 20));
  const space = ' '.repeat(INDENT);
  // Continuation lines start with `|`, because CI systems run lines that start with `::` as commands.
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
    `${color(formatSummary(report))}; ${formatCount(requests, 'request')} in ${took}`,
  ].join('\n');
}

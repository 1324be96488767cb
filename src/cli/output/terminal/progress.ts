/** The progress of a long run: one line on a terminal. */
import { formatNumber } from '../../../service/format-numbers.js';
import type { ErrorOutput } from './error-output.js';
import { formatDuration, formatPercent } from './numbers.js';
import { getGlyphs, getStyles, type StyledText } from './styles.js';
import type { Terminal } from './terminal.js';
import { displayWidth, truncate } from './text.js';

export interface Progress {
  /** `done`: number of records so far, including those of earlier runs. */
  update(done: number, total?: number): void;
  note(text: string): void;
  done(): void;
}

export interface ProgressOptions {
  readonly stderr: Pick<ErrorOutput, 'say' | 'draw'>;
  readonly terminal: Terminal;
  /** Milliseconds since any fixed time. */
  readonly now: () => number;
  /** Number of records from before the progress began. They do not count for the rate. Default: 0. */
  readonly from?: number | undefined;
}

const REDRAW_INTERVAL_MS = 100;
/** The rate of a shorter time is not meaningful. */
const MIN_SECONDS = 0.1;
const NOTHING: StyledText = { plain: '' };

/** Without a terminal, writes only notes, to keep logs short. */
export function createProgress({ stderr, terminal, now, from = 0 }: ProgressOptions): Progress {
  if (!terminal.isTerminal) return { update: () => {}, note: stderr.say, done: () => {} };
  const start = now();
  let shown = NOTHING;
  let drawnAt = Number.NEGATIVE_INFINITY;
  /** Replaces the drawn line. Uses spaces instead of escape sequences to clear the rest of a longer line. */
  const draw = (line: StyledText) => {
    if (line.plain === '' && shown.plain === '') return;
    const rest = ' '.repeat(Math.max(displayWidth(shown.plain) - displayWidth(line.plain), 0));
    stderr.draw(`\r${line.styled ?? line.plain}${rest}${line.plain === '' ? '\r' : ''}`);
    shown = line;
  };
  return {
    update: (done, total) => {
      if (now() - drawnAt < REDRAW_INTERVAL_MS) return;
      drawnAt = now();
      const seconds = (drawnAt - start) / 1000;
      const rate = seconds < MIN_SECONDS ? 0 : (done - from) / seconds;
      draw(renderLine({ done, total, seconds, rate }, terminal));
    },
    note: (text) => {
      const line = shown;
      draw(NOTHING);
      stderr.say(text);
      draw(line);
    },
    done: () => draw(NOTHING),
  };
}

const BAR_WIDTH = 20;
/** The last column stays empty, because many terminals start a new line after a character in it. */
const MARGIN = 1;
/** Before this time, the rate is too uncertain to estimate the time that is left. */
const MIN_SECONDS_FOR_REST = 3;

interface Figures {
  readonly done: number;
  readonly total: number | undefined;
  /** Since the progress began. */
  readonly seconds: number;
  /** Records per second. */
  readonly rate: number;
}

function renderLine(figures: Figures, terminal: Terminal): StyledText {
  const width = terminal.width - MARGIN;
  const text = formatFigures(figures, terminal);
  if (!figures.total || BAR_WIDTH + 1 + displayWidth(text) > width)
    return { plain: truncate(text, width, terminal) };
  const filled = Math.round(getFraction(figures.done, figures.total) * BAR_WIDTH);
  const [full, rest] = terminal.unicode ? ['█', '░'] : ['#', '.'];
  const { cyan, dim } = getStyles(terminal);
  return {
    plain: `${full.repeat(filled)}${rest.repeat(BAR_WIDTH - filled)} ${text}`,
    styled: `${cyan(full.repeat(filled))}${dim(rest.repeat(BAR_WIDTH - filled))} ${text}`,
  };
}

/** `45.0% · 2,300 of 5,109 · 312/s · 7 s so far · 9 s left` */
function formatFigures({ done, total, seconds, rate }: Figures, terminal: Terminal): string {
  const hasRest = total !== undefined && rate > 0 && seconds >= MIN_SECONDS_FOR_REST;
  return [
    ...(total ? [formatPercent(getFraction(done, total) * 100)] : []),
    total === undefined ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`,
    ...(rate > 0 ? [`${formatNumber(Number(rate.toFixed(rate < 10 ? 1 : 0)))}/s`] : []),
    `${formatDuration(seconds)} so far`,
    ...(hasRest ? [`${formatDuration(Math.max(total - done, 0) / rate)} left`] : []),
  ].join(` ${getGlyphs(terminal).dot} `);
}

/** Returns at most 1, because a deployment may return more records than its total. */
function getFraction(done: number, total: number): number {
  return Math.min(Math.max(done / total, 0), 1);
}

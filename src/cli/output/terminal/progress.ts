/**
 * The progress of a long run: one line on a terminal, drawn over itself. It has no timer, and so nothing to stop: it is
 * drawn when records come.
 */
import type { ErrorOutput } from './error-output.js';
import { count, formatDuration, formatPercent } from './numbers.js';
import { getGlyphs, getStyles, type StyledText } from './styles.js';
import type { Terminal } from './terminal.js';
import { displayWidth, truncate } from './text.js';

export interface Progress {
  /** `done` records so far, those of earlier runs included, of `total` if that is known. */
  update(done: number, total?: number): void;
  note(text: string): void;
  done(): void;
}

export interface ProgressOptions {
  readonly stderr: Pick<ErrorOutput, 'say' | 'draw'>;
  readonly terminal: Terminal;
  /** Milliseconds, from any beginning. */
  readonly now: () => number;
  /** Records that earlier runs have done, which say nothing about the rate of this one. 0 unless told. */
  readonly from?: number | undefined;
}

/** Without a terminal only notes are written, to keep logs short. */
export function createProgress(options: ProgressOptions): Progress {
  if (options.terminal.isTerminal) return new ProgressLine(options);
  return { update: () => {}, note: options.stderr.say, done: () => {} };
}

/** Milliseconds between two drawings on a terminal. */
const REDRAW_INTERVAL_MS = 100;
const NOTHING: StyledText = { plain: '' };

/** One line that is drawn over itself, without escape sequences: spaces clear what was longer. */
class ProgressLine implements Progress {
  readonly #options: ProgressOptions;
  readonly #from: number;
  readonly #begun: number;
  #shown = NOTHING;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#from = options.from ?? 0;
    this.#begun = options.now();
  }

  update(done: number, total?: number): void {
    const now = this.#options.now();
    if (now - this.#drawnAt < REDRAW_INTERVAL_MS) return;
    this.#drawnAt = now;
    const seconds = (now - this.#begun) / 1000;
    const rate = seconds < MIN_SECONDS ? 0 : (done - this.#from) / seconds;
    this.#draw(drawLine({ done, total, seconds, rate }, this.#options.terminal));
  }

  note(text: string): void {
    const shown = this.#shown;
    this.#draw(NOTHING);
    this.#options.stderr.say(text);
    this.#draw(shown);
  }

  done(): void {
    this.#draw(NOTHING);
  }

  #draw(line: StyledText): void {
    if (line.plain === '' && this.#shown.plain === '') return;
    const rest = ' '.repeat(Math.max(displayWidth(this.#shown.plain) - displayWidth(line.plain), 0));
    this.#options.stderr.draw(`\r${line.styled ?? line.plain}${rest}${line.plain === '' ? '\r' : ''}`);
    this.#shown = line;
  }
}

const BAR_WIDTH = 20;
/** The last column stays free: writing there moves many terminals on to the next line. */
const MARGIN = 1;
/** A shorter time says nothing about the rate. */
const MIN_SECONDS = 0.1;
/** The first pages come with the cost of connecting, so they say little about the time left. */
const MIN_SECONDS_FOR_REST = 3;

interface Pace {
  readonly done: number;
  readonly total: number | undefined;
  /** Since the run began. */
  readonly seconds: number;
  /** Records per second. */
  readonly rate: number;
}

function drawLine(pace: Pace, terminal: Terminal): StyledText {
  const width = terminal.width - MARGIN;
  const text = figures(pace, terminal);
  if (!pace.total || BAR_WIDTH + 1 + displayWidth(text) > width)
    return { plain: truncate(text, width, terminal) };
  const filled = Math.round(getFraction(pace.done, pace.total) * BAR_WIDTH);
  const [full, rest] = terminal.unicode ? ['█', '░'] : ['#', '.'];
  const { cyan, dim } = getStyles(terminal);
  return {
    plain: `${full.repeat(filled)}${rest.repeat(BAR_WIDTH - filled)} ${text}`,
    styled: `${cyan(full.repeat(filled))}${dim(rest.repeat(BAR_WIDTH - filled))} ${text}`,
  };
}

/** `45.0% · 2,300 of 5,109 · 312/s · 7 s so far · 9 s left` */
function figures({ done, total, seconds, rate }: Pace, terminal: Terminal): string {
  const hasRest = total !== undefined && rate > 0 && seconds >= MIN_SECONDS_FOR_REST;
  return [
    ...(total ? [formatPercent(getFraction(done, total) * 100)] : []),
    total === undefined ? count(done) : `${count(done)} of ${count(total)}`,
    ...(rate > 0 ? [`${count(Number(rate.toFixed(rate < 10 ? 1 : 0)))}/s`] : []),
    `${formatDuration(seconds)} so far`,
    ...(hasRest ? [`${formatDuration(Math.max(total - done, 0) / rate)} left`] : []),
  ].join(` ${getGlyphs(terminal).dot} `);
}

/** A part of 1: a deployment may well give more records than it promised. */
function getFraction(done: number, total: number): number {
  return Math.min(Math.max(done / total, 0), 1);
}

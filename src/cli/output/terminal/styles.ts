/** Colours and drawing characters, as far as a terminal shows them. */
import { Ansis } from 'ansis';
import type { Colors, Terminal } from './terminal.js';

const LEVELS: Readonly<Record<Colors, number>> = { 0: 0, 16: 1, 256: 2, 16777216: 3 };
const painters = new Map<Colors, Ansis>();

/** Styles for that terminal: `painter(terminal).bold('text')` is the bare text where there are no colours. */
export function getStyles(terminal: Pick<Terminal, 'colors'>): Ansis {
  const known = painters.get(terminal.colors) ?? new Ansis(LEVELS[terminal.colors]);
  painters.set(terminal.colors, known);
  return known;
}

/** A text with its styles, and without them for measuring. */
export interface StyledText {
  readonly plain: string;
  readonly styled?: string | undefined;
}

export interface Glyphs {
  readonly ellipsis: string;
  readonly rule: string;
  readonly bullet: string;
  readonly times: string;
  readonly dot: string;
}

const UNICODE: Glyphs = { ellipsis: '…', rule: '─', bullet: '•', times: '×', dot: '·' };
const ASCII: Glyphs = { ellipsis: '...', rule: '-', bullet: '-', times: 'x', dot: '|' };

export function getGlyphs(terminal: Pick<Terminal, 'unicode'>): Glyphs {
  return terminal.unicode ? UNICODE : ASCII;
}

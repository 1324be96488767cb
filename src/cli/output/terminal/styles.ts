/** Colours and drawing characters that a terminal can show. */
import { Ansis } from 'ansis';
import type { Colors, Terminal } from './terminal.js';

const STYLES: Readonly<Record<Colors, Ansis>> = {
  0: new Ansis(0),
  16: new Ansis(1),
  256: new Ansis(2),
  16777216: new Ansis(3),
};

/** Without colours, the styles add no escape sequences. */
export function getStyles({ colors }: Pick<Terminal, 'colors'>): Ansis {
  return STYLES[colors];
}

/** `plain` is the text without styles. It is needed to measure the text. */
export interface StyledText {
  readonly plain: string;
  readonly styled?: string | undefined;
}

const UNICODE = { ellipsis: '…', rule: '─', bullet: '•', times: '×', dot: '·' };
const ASCII: typeof UNICODE = { ellipsis: '...', rule: '-', bullet: '-', times: 'x', dot: '|' };

export function getGlyphs({ unicode }: Pick<Terminal, 'unicode'>): typeof UNICODE {
  return unicode ? UNICODE : ASCII;
}

export const SWATCH_WIDTH = 2;

/** Users can change the sixteen basic colours, so opac shows swatches only with 256 colours or more. */
export function showsSwatches({ colors }: Pick<Terminal, 'colors'>): boolean {
  return colors >= 256;
}

/** Returns two columns in a colour such as `b0c4de` or `#b0c4de`; spaces for other text; `''` if swatches are not shown. */
export function renderSwatch(hex: string, terminal: Pick<Terminal, 'colors'>): string {
  if (!showsSwatches(terminal)) return '';
  const block = ' '.repeat(SWATCH_WIDTH);
  const digits = parseHexDigits(hex);
  return digits ? getStyles(terminal).bgHex(digits)(block) : block;
}

/** Returns the six digits of a colour in lower case; undefined for any other text. */
export function parseHexDigits(text: string): string | undefined {
  return /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
}

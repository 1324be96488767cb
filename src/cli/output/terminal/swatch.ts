/** Colours as blocks where the terminal has enough colours, and as hexadecimal digits everywhere. */

import { sanitizeLine } from './sanitize.js';
import { getStyles } from './styles.js';
import type { Terminal } from './terminal.js';
import { displayWidth, pad, truncate } from './text.js';

export const SWATCH_WIDTH = 2;

/** Users choose the sixteen basic colours, so those cannot show a given colour. */
export function showsSwatches(terminal: Pick<Terminal, 'colors'>): boolean {
  return terminal.colors >= 256;
}

/** A block of two columns in that colour (`b0c4de` or `#b0c4de`); spaces for what is no colour, `''` without colours. */
export function swatch(hex: string, terminal: Pick<Terminal, 'colors'>): string {
  if (!showsSwatches(terminal)) return '';
  const block = ' '.repeat(SWATCH_WIDTH);
  const digits = hexDigits(hex);
  return digits ? getStyles(terminal).bgHex(digits)(block) : block;
}

/** The six digits of a colour in lower case; undefined for any other text. */
export function hexDigits(text: string): string | undefined {
  return /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
}

export interface PaletteColor {
  readonly hex: string;
  readonly name: string;
  readonly group: string;
}

const GAP = 3;

/**
 * A palette by groups, each in as many columns as fit, read downwards as in `ls`. Groups and colours in the order given.
 */
export function renderPalette(colors: readonly PaletteColor[], terminal: Terminal): string {
  const groups = new Map<string, PaletteColor[]>();
  for (const color of colors) {
    const group = sanitizeLine(color.group);
    groups.set(group, [...(groups.get(group) ?? []), color]);
  }
  const room = terminal.width - (showsSwatches(terminal) ? SWATCH_WIDTH + 1 : 0);
  const natural = colors.reduce((widest, color) => Math.max(widest, displayWidth(caption(color))), 1);
  const width = Math.min(natural, room);
  const bold = getStyles(terminal).bold;
  return [...groups]
    .map(([group, members]) => {
      const cells = members.map((color) => cell(color, width, terminal));
      const lines = inColumns(cells, terminal.width - room + width, terminal.width);
      const heading =
        group === '' ? [] : [bold(truncate(`${group} (${members.length})`, terminal.width, terminal))];
      return [...heading, ...lines].join('\n');
    })
    .join('\n\n');
}

function cell(color: PaletteColor, width: number, terminal: Terminal): string {
  const text = pad(truncate(caption(color), width, terminal), width);
  return showsSwatches(terminal) ? `${swatch(color.hex, terminal)} ${text}` : text;
}

function caption({ hex, name }: PaletteColor): string {
  const digits = hexDigits(hex);
  return `${digits ? `#${digits}` : sanitizeLine(hex)} ${sanitizeLine(name)}`.trim();
}

function inColumns(cells: readonly string[], width: number, room: number): string[] {
  const columns = Math.max(Math.floor((room + GAP) / (width + GAP)), 1);
  const height = Math.ceil(cells.length / columns);
  return Array.from({ length: height }, (_, row) =>
    cells
      .filter((_, index) => index % height === row)
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

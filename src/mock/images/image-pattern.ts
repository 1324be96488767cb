/** Draws patterns as the images of the museum, and counts the colours of their pixels. */
import { type CssColor, findNearestCssColor, hexToHsl } from '../../local/colors/css-colors.js';
import { seededRandom } from '../random.js';
import { encodePng } from './png.js';

/** The longer side of each derivative (image size) in pixels, in the order of the service. */
export const DERIVATIVES: Readonly<Record<string, number>> = {
  LARGE: 800,
  MEDIUM: 400,
  NANO: 35,
  SMALL: 150,
  TINY: 75,
  XLARGE: 1000,
};

export interface ImagePattern {
  /** Width divided by height. */
  readonly ratio: number;
  /** Colours, such as `ff8800`. */
  readonly palette: readonly string[];
  /** Returns an index in `palette`. Both coordinates are from 0 to 1. */
  readonly colorAt: (across: number, down: number) => number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const PATTERNS: readonly ((across: number, down: number, bands: number) => number)[] = [
  (across, _, bands) => across * bands,
  (_, down, bands) => down * bands,
  (across, down, bands) => (across + down) * bands,
  (across, down, bands) => Math.hypot(across - 0.5, down - 0.5) * 2 * bands,
  (across, down, bands) => Math.floor(across * bands) + Math.floor(down * bands),
];

const RATIOS = [3 / 4, 1, 4 / 3, 2 / 3] as const;

/** The same seed gives the same pattern. */
export function createPattern(seed: number): ImagePattern {
  const { below, pick } = seededRandom(seed);
  const palette = Array.from({ length: 3 + below(3) }, () => below(0x1000000).toString(16).padStart(6, '0'));
  const pattern = pick(PATTERNS);
  const bands = 4 + below(9);
  return {
    ratio: pick(RATIOS),
    palette,
    // The frame makes the first colour the most frequent one, like the background of a photograph.
    colorAt: (across, down) =>
      Math.min(across, down, 1 - across, 1 - down) < 0.12
        ? 0
        : Math.floor(pattern(across, down, bands)) % palette.length,
  };
}

export function getSize({ ratio }: ImagePattern, derivative: string): Size | undefined {
  const longest = DERIVATIVES[derivative];
  if (longest === undefined) return undefined;
  return ratio < 1
    ? { width: Math.round(longest * ratio), height: longest }
    : { width: longest, height: Math.round(longest / ratio) };
}

export function renderPng(pattern: ImagePattern, derivative: string): Buffer | undefined {
  const size = getSize(pattern, derivative);
  return size && encodePng(size.width, size.height, draw(pattern, size), pattern.palette);
}

function draw({ colorAt }: ImagePattern, { width, height }: Size): Uint8Array {
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels[y * width + x] = colorAt((x + 0.5) / width, (y + 0.5) / height);
  }
  return pixels;
}

/** Colours are counted in the smallest derivative, because it is drawn fastest. */
const COUNTED = 'NANO';

export function countColors(pattern: ImagePattern): { rawColors: object[]; cssColors: object[] } {
  const pixels = draw(pattern, getSize(pattern, COUNTED) as Size);
  const counts = pattern.palette.map(() => 0);
  for (const index of pixels) counts[index] = (counts[index] as number) + 1;
  const raw = new Map(pattern.palette.map((hex, index) => [hex, counts[index] as number]));
  const named = new Map<CssColor, number>();
  for (const [hex, count] of raw) {
    const color = findNearestCssColor(hex);
    named.set(color, (named.get(color) ?? 0) + count);
  }
  return {
    rawColors: rank(raw, pixels.length, (hex) => ({ hex, ...hexToHsl(hex) })),
    cssColors: rank(named, pixels.length, (color) => color),
  };
}

function rank<Key>(
  counts: ReadonlyMap<Key, number>,
  total: number,
  describe: (key: Key) => object,
): object[] {
  const ordered = [...counts].sort(([, one], [, other]) => other - one);
  return ordered.map(([key, count], index) => ({
    ...describe(key),
    rank: index + 1,
    presence: Math.round((count / total) * 10_000) / 100,
  }));
}

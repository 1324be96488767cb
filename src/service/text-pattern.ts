/** Finds all occurrences of a text in another text, also overlapping ones, in linear time (Knuth, Morris and Pratt, 1977). */

export interface TextPattern {
  readonly text: string;
  /** `borders[n]`: the length of the longest proper prefix of `text.slice(0, n + 1)` that is also its suffix. */
  readonly borders: Uint32Array;
}

export function createTextPattern(text: string): TextPattern {
  const borders = new Uint32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at++) {
    length = extendMatch(text, borders, length, text[at]);
    borders[at] = length;
  }
  return { text, borders };
}

/** Returns the length of the match that ends with `character`. `length` is the length of the match before this character. */
function extendMatch(text: string, borders: Uint32Array, length: number, character?: string): number {
  let matched = length;
  while (matched > 0 && text[matched] !== character) matched = borders[matched - 1] ?? 0;
  return text[matched] === character ? matched + 1 : 0;
}

/** Returns the parts of `searched` that match the pattern. Joins parts that overlap or touch. */
export function findCovered(searched: string, { text, borders }: TextPattern): [from: number, to: number][] {
  const found: [from: number, to: number][] = [];
  for (let at = 0, length = 0; at < searched.length; at++) {
    length = extendMatch(text, borders, length, searched[at]);
    if (length < text.length) continue;
    const from = at + 1 - length;
    const last = found.at(-1);
    if (last && last[1] >= from) last[1] = at + 1;
    else found.push([from, at + 1]);
    length = borders[length - 1] ?? 0;
  }
  return found;
}

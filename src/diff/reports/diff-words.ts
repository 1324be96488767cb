/** The words that changed, for reports and terminals: each value of a change in pieces. */
import { diffArrays, diffWordsWithSpace } from 'diff';
import type { EntryRewriter } from '../changes.js';

export interface DiffSegment {
  readonly text: string;
  readonly type: 'same' | 'old' | 'new';
}

/** Edits beyond which two values are shown whole, one after the other: to find the fewest takes the square of their number. */
const MAX_EDITS = 400;

/** A line for each value that changed; values that stayed are counted in a line of their own. */
export function diffWords({ old: before, new: after }: EntryRewriter): readonly (readonly DiffSegment[])[] {
  const lines: DiffSegment[][] = [];
  let same = 0;
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: [...before] },
    { removed: false, added: true, value: [...after] },
  ];
  for (const [n, { value, added, removed }] of parts.entries()) {
    const next = parts[n + 1];
    if (!added && !removed) same += value.length;
    else if (removed) lines.push(...replaced(value, next?.added ? next.value : []));
    else if (!parts[n - 1]?.removed) lines.push(...replaced([], value));
  }
  return same === 0 ? lines : [...lines, [piece(`${same} unchanged`, 'same')]];
}

function replaced(before: readonly string[], after: readonly string[]): DiffSegment[][] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, n) => {
    const [one, other] = [before[n], after[n]];
    if (one === undefined) return [piece(other ?? '', 'new')];
    return other === undefined ? [piece(one, 'old')] : diffText(one, other);
  });
}

function diffText(before: string, after: string): DiffSegment[] {
  const words = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  const isAlike = words?.some(({ added, removed, value }) => !added && !removed && value.trim() !== '');
  if (!words || !isAlike) return [piece(before, 'old'), piece(' ', 'same'), piece(after, 'new')];
  return words.map(({ value, added, removed }) => piece(value, added ? 'new' : removed ? 'old' : 'same'));
}

function piece(text: string, type: DiffSegment['type']): DiffSegment {
  return { text, type };
}

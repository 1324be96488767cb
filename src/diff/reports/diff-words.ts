/** Finds the changed words of each value, for reports and terminals. */
import { diffArrays, diffWordsWithSpace } from 'diff';
import { formatCount } from '../../service/format-numbers.js';
import type { FieldChange } from '../changes.js';

export interface DiffSegment {
  readonly text: string;
  readonly type: 'same' | 'old' | 'new';
}

/** opac stops a comparison after this number of edits, because the time grows with the square of the number of edits. */
const MAX_EDITS = 400;

/** opac does not compare the words of longer texts, and shows only their first MAX_CUT_CHARACTERS. */
const MAX_COMPARED_CHARACTERS = 20_000;
const MAX_CUT_CHARACTERS = 1000;

/** opac compares no words after this number of characters, because comparing a million characters takes a second. */
const MAX_TOTAL_CHARACTERS = 2_000_000;

/** Create one instance for each HTML report, and for each record on the terminal. */
export class WordDiff {
  #left = MAX_TOTAL_CHARACTERS;

  /** Returns one line per changed value. If some values are unchanged, the last line contains their number. */
  compare({ old: before, new: after }: FieldChange): readonly (readonly DiffSegment[])[] {
    const lines: DiffSegment[][] = [];
    let same = 0;
    const parts = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS }) ?? [
      { removed: true, added: false, value: [...before] },
      { removed: false, added: true, value: [...after] },
    ];
    for (const [n, { value, added, removed }] of parts.entries()) {
      const next = parts[n + 1];
      if (!added && !removed) same += value.length;
      else if (removed || !parts[n - 1]?.removed) {
        const [old, added] = removed ? [value, next?.added ? next.value : []] : [[], value];
        for (const line of this.#pairValues(old, added)) lines.push(line);
      }
    }
    return same === 0 ? lines : [...lines, [createSegment(`${same} unchanged`, 'same')]];
  }

  #pairValues(before: readonly string[], after: readonly string[]): DiffSegment[][] {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, n) => {
      const [one, other] = [before[n], after[n]];
      if (one === undefined) return [createSegment(other ?? '', 'new')];
      return other === undefined ? [createSegment(one, 'old')] : this.#compareTexts(one, other);
    });
  }

  #compareTexts(before: string, after: string): DiffSegment[] {
    this.#left -= before.length + after.length;
    const isLong = Math.max(before.length, after.length) > MAX_COMPARED_CHARACTERS || this.#left < 0;
    const words = isLong ? undefined : diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
    const isAlike = words?.some(({ added, removed, value }) => !added && !removed && value.trim() !== '');
    if (!words || !isAlike)
      return [createSegment(before, 'old'), createSegment(' ', 'same'), createSegment(after, 'new')];
    return joinPhrases(
      words.map(({ value, added, removed }) =>
        createSegment(value, added ? 'new' : removed ? 'old' : 'same'),
      ),
    );
  }
}

/** If only spaces separate changed words, joins the words into one old and one new phrase. */
function joinPhrases(words: readonly DiffSegment[]): DiffSegment[] {
  const joined: DiffSegment[] = [];
  let phrase = { old: '', new: '' };
  let gap = { old: '', new: '' };
  const endPhrase = () => {
    for (const type of ['old', 'new'] as const)
      if (phrase[type] !== '') joined.push(createSegment(phrase[type], type));
    phrase = { old: '', new: '' };
    gap = { old: '', new: '' };
  };
  for (const [n, { text, type }] of words.entries()) {
    const isGap = type === 'same' && text.trim() === '' && n > 0 && n < words.length - 1;
    if (type !== 'same') {
      phrase[type] += (phrase[type] && gap[type]) + text;
      gap[type] = '';
    } else if (isGap) gap = { old: text, new: text };
    else {
      // Both versions contain the spaces of the gap. Adds them to each phrase that does not contain them yet.
      if (phrase.old) phrase.old += gap.old;
      if (phrase.new) phrase.new += gap.new;
      endPhrase();
      joined.push(createSegment(text, 'same'));
    }
  }
  endPhrase();
  return joined;
}

function createSegment(text: string, type: DiffSegment['type']): DiffSegment {
  return { text: cutLongText(text), type };
}

/** Cuts a long text for HTML reports and terminals. Other formats contain the complete text. */
export function cutLongText(text: string): string {
  if (text.length <= MAX_COMPARED_CHARACTERS) return text;
  return `${text.slice(0, MAX_CUT_CHARACTERS)}… (${formatCount(text.length, 'character')})`;
}

/** Finds placeholders: texts that stand for a missing value in several records, such as "date not known" and "[no title]". */
import { fieldColumnName } from './columns.js';
import type { CollectionRecord } from './record.js';

const THING = '(?:title|name|date|place|maker|artist|material|value|data|information|provenance)';
const MISSING = '(?:not (?:known|recorded|stated|given)|unknown|unrecorded|unidentified)';
/** Matches the words of a text. */
const PLACEHOLDER = new RegExp(
  `^(?:${THING}? ?${MISSING}|${MISSING} ${THING}|no ${THING}|untitled|undated|blank|none|n ?a|tb[acd]|to be confirmed)$`,
  'i',
);

/** `?`, `--` and `[...]`, but not the title "+ -". */
const NO_WORDS = /^[\s[(]*[?.…–—_*/-]+[\s\])]*$/;

const MAX_LENGTH = 60;

/** The text must not be empty. */
export function isPlaceholder(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu);
  if (!words) return NO_WORDS.test(text);
  return text.length <= MAX_LENGTH && PLACEHOLDER.test(words.join(' '));
}

export class PlaceholderCensus {
  /** By column and text: the number of records that have only this text. */
  readonly #columns = new Map<string, Map<string, number>>();

  add({ fields }: CollectionRecord): void {
    for (const [identifier, values] of fields) {
      const [text = '', ...others] = new Set(values.map(({ value }) => value.trim()));
      if (text === '' || others.length > 0 || !isPlaceholder(text)) continue;
      const column = fieldColumnName(identifier);
      const texts = this.#columns.get(column) ?? new Map<string, number>();
      this.#columns.set(column, texts.set(text, (texts.get(text) ?? 0) + 1));
    }
  }

  /** The most frequent first, with the number of their records. */
  list(column: string): readonly (readonly [text: string, records: number])[] {
    const repeated = [...(this.#columns.get(column) ?? [])].filter(([, records]) => records > 1);
    return repeated.sort(([, one], [, other]) => other - one);
  }
}

/** Finds placeholders: texts that stand for a missing value in several records, such as "date not known" and "[no title]". */
import { fieldColumnName } from './columns.js';
import type { CollectionRecord } from './record.js';

const THING = '(?:title|name|date|place|maker|artist|material|value|data|information|provenance)';
const MISSING = '(?:not (?:known|recorded|stated|given)|unknown|unrecorded|unidentified)';
/** The words of a complete text; none for a text such as `?`. */
const PLACEHOLDER = new RegExp(
  `^(?:${THING}? ?${MISSING}|${MISSING} ${THING}|no ${THING}|untitled|undated|blank|none|n ?a|tb[acd]|to be confirmed|)$`,
  'i',
);

const MAX_LENGTH = 60;

/** Whether a text stands for a missing value. The text must not be empty. */
export function isPlaceholder(text: string): boolean {
  return text.length <= MAX_LENGTH && PLACEHOLDER.test(text.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? '');
}

export class PlaceholderCensus {
  /** The number of records in which a field has only this text. */
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

  /** Returns the placeholders of a column with the number of their records, the most frequent first. */
  list(column: string): readonly (readonly [text: string, records: number])[] {
    const repeated = [...(this.#columns.get(column) ?? [])].filter(([, records]) => records > 1);
    return repeated.sort(([, one], [, other]) => other - one);
  }
}

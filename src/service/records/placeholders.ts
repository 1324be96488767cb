/** Finds placeholders: texts that stand for a missing value in many records, such as "date not known" and "[no title]". */
import { fieldColumnName } from './columns.js';
import type { CollectionRecord } from './record.js';

export interface Placeholder {
  readonly text: string;
  /** The number of records in which the field has only this text. */
  readonly records: number;
}

const THING = '(?:title|name|date|place|maker|artist|material|value|data|information|provenance)';
const MISSING = '(?:not (?:known|recorded|stated|given)|unknown|unrecorded|unidentified)';
/** A complete text, without brackets and punctuation. */
const PLACEHOLDER = new RegExp(
  `^(?:${THING}? ?${MISSING}|${MISSING} ${THING}|no ${THING}|untitled|undated|blank|none|n/?a|tb[acd]|to be confirmed|)$`,
  'i',
);

/** In a field with mostly different texts, another text without digits is a placeholder if it is as frequent as this. */
const MIN_DISTINCT_SHARE = 0.7;
const MIN_FREQUENT_SHARE = 0.025;
const MIN_FREQUENT_RECORDS = 20;

/** For more texts, those of only one record are forgotten, so that memory does not grow with the number of records. */
const MAX_TEXTS = 20_000;

interface TextCounts {
  records: number;
  forgotten: number;
  readonly texts: Map<string, number>;
}

export class PlaceholderCensus {
  readonly #columns = new Map<string, TextCounts>();

  add({ fields }: CollectionRecord): void {
    for (const [identifier, values] of fields) {
      const [text = '', ...others] = new Set(values.map(({ value }) => value.trim()));
      if (text === '' || others.length > 0) continue;
      const column = fieldColumnName(identifier);
      const counts = this.#columns.get(column) ?? { records: 0, forgotten: 0, texts: new Map() };
      this.#columns.set(column, counts);
      counts.records++;
      counts.texts.set(text, (counts.texts.get(text) ?? 0) + 1);
      if (counts.texts.size > MAX_TEXTS) forgetRareTexts(counts);
    }
  }

  /** Returns the placeholders of a column, the most frequent first. */
  list(column: string): readonly Placeholder[] {
    const counts = this.#columns.get(column);
    if (!counts) return [];
    const isMostlyDistinct = counts.texts.size + counts.forgotten >= counts.records * MIN_DISTINCT_SHARE;
    const frequent = Math.max(MIN_FREQUENT_RECORDS, counts.records * MIN_FREQUENT_SHARE);
    return [...counts.texts]
      .map(([text, records]) => ({ text, records }))
      .filter(({ text, records }) =>
        isPlaceholder(text) ? records > 1 : isMostlyDistinct && records >= frequent && !/\d/.test(text),
      )
      .sort((one, other) => other.records - one.records);
  }
}

function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
}

function forgetRareTexts(counts: TextCounts): void {
  for (const [text, records] of counts.texts)
    if (records === 1) {
      counts.texts.delete(text);
      counts.forgotten++;
    }
}

/** Counts how many records have the same placeholder: a text that stands for a missing value. */
import { fieldColumnName } from './columns.js';
import { isPlaceholder } from './placeholder-text.js';
import type { CollectionRecord } from './record.js';

export class PlaceholderCensus {
  /** By column and text: the number of records in which the column contains only this text. */
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

  /** Returns the placeholders that occur in several records, the most frequent first. */
  list(column: string): readonly (readonly [text: string, records: number])[] {
    const repeated = [...(this.#columns.get(column) ?? [])].filter(([, records]) => records > 1);
    return repeated.sort(([, one], [, other]) => other - one);
  }
}

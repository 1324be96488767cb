/** Counts the dates that opac can read, and compares their texts with the attributes `earliest_date` and `latest_date`. */
import { fieldColumnName } from './columns.js';
import { readYear } from './date-range.js';
import { type DateRange, parseDateText } from './date-text.js';
import type { CollectionRecord, FieldValue } from './record.js';

export interface DateFigures {
  readonly column: string;
  readonly values: number;
  /** Values whose text opac can read. */
  readonly read: number;
  /** Values with both attributes: the sum of `equal`, `different` and `unread`. */
  readonly compared: number;
  readonly equal: number;
  readonly equalPercent: number;
  readonly different: number;
  readonly differentPercent: number;
  readonly unread: number;
  /** Some values whose text opac cannot read, or whose text and attributes differ. */
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 5;

interface Counts {
  values: number;
  withDigits: number;
  read: number;
  equal: number;
  different: number;
  unread: number;
  readonly differentExamples: Set<string>;
  readonly unreadExamples: Set<string>;
}

export class DateCensus {
  readonly #fields = new Map<string, Counts>();

  add(record: CollectionRecord): void {
    for (const [identifier, values] of record.fields)
      for (const value of values) if (value.value !== '') this.#addValue(identifier, record.id, value);
  }

  /** Returns the fields with dates. A field has dates if a value has both attributes, or if most values with digits are dates. */
  list(): readonly DateFigures[] {
    return [...this.#fields].flatMap(([identifier, counts]) => {
      const { values, withDigits, read, equal, different, unread } = counts;
      const compared = equal + different + unread;
      if (compared === 0 && (read === 0 || read * 2 < withDigits)) return [];
      const examples = [...counts.differentExamples, ...counts.unreadExamples].slice(0, MAX_EXAMPLES);
      const percent = (part: number) => (compared === 0 ? 0 : Math.round((part / compared) * 1000) / 10);
      return {
        ...{ column: fieldColumnName(identifier), values, read, compared },
        ...{ equal, equalPercent: percent(equal), different, differentPercent: percent(different) },
        ...{ unread, examples },
      };
    });
  }

  #addValue(identifier: string, id: string, { value, attributes }: FieldValue): void {
    const counts = this.#fields.get(identifier) ?? createCounts();
    this.#fields.set(identifier, counts);
    const text = parseDateText(value);
    counts.values++;
    if (/\d/.test(value)) counts.withDigits++;
    if (text) counts.read++;
    const from = readYear(attributes.get('earliest_date'));
    const to = readYear(attributes.get('latest_date'));
    if (from === undefined || to === undefined) return;
    const result = compareText(text, { from, to });
    counts[result]++;
    if (result === 'different') addExample(counts.differentExamples, `${id}: ${value} (${from}–${to})`);
    if (result === 'unread') addExample(counts.unreadExamples, `${id}: ${value}`);
  }
}

function compareText(text: DateRange | undefined, { from, to }: DateRange): 'equal' | 'different' | 'unread' {
  if (!text) return 'unread';
  return text.from === from && text.to === to ? 'equal' : 'different';
}

function addExample(examples: Set<string>, example: string): void {
  if (examples.size < MAX_EXAMPLES) examples.add(example);
}

function createCounts(): Counts {
  return {
    ...{ values: 0, withDigits: 0, read: 0, equal: 0, different: 0, unread: 0 },
    differentExamples: new Set(),
    unreadExamples: new Set(),
  };
}

/** Counts the dates that opac can read, and compares their texts with the attributes `earliest_date` and `latest_date`. */
import { fieldColumnName } from './columns.js';
import { findDateProblem, readYear } from './date-range.js';
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
  /** Some of the values that count as `different` or `unread`. */
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 5;

const RESULTS = { '': 'equal', different: 'different', unreadable: 'unread' } as const;

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

  /**
   * Returns only fields that contain dates. A field contains dates if opac can read at least half of its values with digits, or
   * if a value has both attributes.
   */
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

  #addValue(identifier: string, id: string, date: FieldValue): void {
    const counts = this.#fields.get(identifier) ?? createCounts();
    this.#fields.set(identifier, counts);
    const { value } = date;
    const problem = findDateProblem(date);
    counts.values++;
    if (/\d/.test(value)) counts.withDigits++;
    if (problem !== 'unreadable') counts.read++;
    const from = readYear(date.attributes.get('earliest_date'));
    const to = readYear(date.attributes.get('latest_date'));
    if (from === undefined || to === undefined) return;
    counts[RESULTS[problem]]++;
    if (problem === 'different') addExample(counts.differentExamples, `${id}: ${value} (${from}–${to})`);
    if (problem === 'unreadable') addExample(counts.unreadExamples, `${id}: ${value}`);
  }
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

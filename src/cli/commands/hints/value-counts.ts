/** Counts the values of a column, to suggest the most frequent values. */
import { formatCount, formatNumber } from '../../../service/format-numbers.js';

const MAX_VALUES_SHOWN = 5;
/** Limits the memory if every record has a different value, such as a caption. */
const MAX_COUNTED_VALUES = 1000;

export class ValueCounts {
  readonly #counts = new Map<string, number>();

  add(values: readonly string[]): void {
    for (const value of values)
      if (value !== '' && (this.#counts.size < MAX_COUNTED_VALUES || this.#counts.has(value)))
        this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
  }

  describe(what: string): string | undefined {
    const found = [...this.#counts].sort(([, one], [, other]) => other - one);
    if (found.length === 0) return undefined;
    const shown = found
      .slice(0, MAX_VALUES_SHOWN)
      .map(([value, times]) => `"${value}" (${formatNumber(times)})`);
    const left = found.length - shown.length;
    const isLimited = found.length >= MAX_COUNTED_VALUES;
    return `values of ${what}: ${shown.join(', ')}${left > 0 ? `, and ${isLimited ? 'at least ' : ''}${formatCount(left, 'other value')}` : ''}`;
  }
}

/** Whether values come in falling order. How a deployment sorts is not documented: every order that fits so far is kept. */

type Compare = (one: string, other: string) => number;

const { compare: byLocale } = new Intl.Collator('en');

/** A missing value is the lowest in each. */
const ORDERS: readonly Compare[] = [
  (one, other) => (one < other ? -1 : one > other ? 1 : 0),
  byLocale,
  (one, other) => (one === other ? 0 : numberOf(one) - numberOf(other)),
];

function numberOf(text: string): number {
  return text === '' ? Number.NEGATIVE_INFINITY : Number(text);
}

export class SortOrder {
  #orders = ORDERS;
  #last: string | undefined;

  /** False when no order fits any more. */
  take(value: string): boolean {
    const last = this.#last;
    this.#last = value;
    // A comparison with what is not a number is NaN, which fits nothing.
    if (last !== undefined) this.#orders = this.#orders.filter((compare) => compare(last, value) >= 0);
    return this.#orders.length > 0;
  }

  /** By every order that still fits. */
  isBefore(value: string, other: string): boolean {
    return this.#orders.every((compare) => compare(value, other) < 0);
  }
}

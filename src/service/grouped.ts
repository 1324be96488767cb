/** Numbers for people, the same in every locale so that they can be compared and searched. */

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** `1873` as `1,873`; `?` for what is no number. */
export function grouped(value: number): string {
  return Number.isFinite(value) ? GROUPED.format(value) : '?';
}

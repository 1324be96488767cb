/** Selects the values that a chart or a list shows. */

/** Returns the `top` rows with the highest counts, in their original order. NaN counts as 0. */
export function selectMostFrequent<Row extends { readonly count: number }>(
  rows: readonly Row[],
  top: number,
): Row[] {
  const byCount = rows.toSorted((one, other) => (other.count || 0) - (one.count || 0));
  const selected = new Set(byCount.slice(0, top));
  return rows.filter((row) => selected.has(row));
}

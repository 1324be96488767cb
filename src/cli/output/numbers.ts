/** Numbers as people read them. */

/** `1873` as `1,873`. */
export function count(value: number): string {
  return Number.isFinite(value) ? value.toLocaleString('en-US') : '?';
}

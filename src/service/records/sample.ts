/** Which pages of a result to ask for, to see a little of all of it: catalogues are filled in by the shelf, so neighbours are alike. */

export interface SamplePage {
  readonly offset: number;
  readonly limit: number;
}

/** Records of one page of a sample: few, so that there are many places, and enough to be worth a request. */
const PAGE = 20;

/** Pages that together have `size` records, spread evenly over a result of `total`; the whole of it when it has no more. */
export function samplePages(total: number, size: number): SamplePage[] {
  const wanted = Math.min(total, size);
  const pages = Math.ceil(wanted / PAGE);
  // Counted from 0, the last page ends where the result ends.
  const step = pages > 1 ? (total - PAGE) / (pages - 1) : 0;
  const whole = wanted === total;
  return Array.from({ length: pages }, (_, index) => ({
    offset: whole ? index * PAGE : Math.floor(index * step),
    limit: Math.min(PAGE, wanted - index * PAGE),
  }));
}

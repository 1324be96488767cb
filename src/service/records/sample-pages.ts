/** Chooses pages from all parts of a result, because neighbouring records are similar. */

interface SamplePage {
  readonly offset: number;
  readonly limit: number;
}

const SAMPLE_PAGE_SIZE = 20;

/** Returns pages with `size` records in total, or with all records if the result has fewer. The pages do not overlap. */
export function chooseSamplePages(total: number, size: number): SamplePage[] {
  const wanted = Math.min(total, size);
  const pages = Math.ceil(wanted / SAMPLE_PAGE_SIZE);
  const getLimit = (index: number) => Math.min(SAMPLE_PAGE_SIZE, wanted - index * SAMPLE_PAGE_SIZE);
  const step = pages > 1 ? (total - getLimit(pages - 1)) / (pages - 1) : 0;
  return Array.from({ length: pages }, (_, index) => ({
    offset: Math.floor(index * step),
    limit: getLimit(index),
  }));
}

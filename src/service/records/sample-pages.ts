/** Chooses pages from all parts of a result, because neighbouring records are similar. */

interface SamplePage {
  readonly offset: number;
  readonly limit: number;
}

const SAMPLE_PAGE_SIZE = 20;

export function chooseSamplePages(total: number, size: number): SamplePage[] {
  const wanted = Math.min(total, size);
  const pages = Math.ceil(wanted / SAMPLE_PAGE_SIZE);
  const step = pages > 1 ? (total - SAMPLE_PAGE_SIZE) / (pages - 1) : 0;
  const isComplete = wanted === total;
  return Array.from({ length: pages }, (_, index) => ({
    offset: isComplete ? index * SAMPLE_PAGE_SIZE : Math.floor(index * step),
    limit: Math.min(SAMPLE_PAGE_SIZE, wanted - index * SAMPLE_PAGE_SIZE),
  }));
}

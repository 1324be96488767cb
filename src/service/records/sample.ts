/** Chooses pages spread over a result, because neighbouring records are alike. */

interface SamplePage {
  readonly offset: number;
  readonly limit: number;
}

const PAGE = 20;

export function samplePages(total: number, size: number): SamplePage[] {
  const wanted = Math.min(total, size);
  const pages = Math.ceil(wanted / PAGE);
  const step = pages > 1 ? (total - PAGE) / (pages - 1) : 0;
  const whole = wanted === total;
  return Array.from({ length: pages }, (_, index) => ({
    offset: whole ? index * PAGE : Math.floor(index * step),
    limit: Math.min(PAGE, wanted - index * PAGE),
  }));
}

/** The topics of `opac help`. */

type Load = () => Promise<{ readonly default: string }>;

export const PAGES: Readonly<Record<string, Load>> = {
  'getting-started': () => import('../../../docs/getting-started.md'),
  tasks: () => import('../../../docs/tasks.md'),
  installing: () => import('../../../docs/installing.md'),
  searching: () => import('../../../docs/searching.md'),
  dates: () => import('../../../docs/dates.md'),
  exporting: () => import('../../../docs/exporting.md'),
  formats: () => import('../../../docs/formats.md'),
  copies: () => import('../../../docs/copies.md'),
  'downloading-images': () => import('../../../docs/downloading-images.md'),
  reports: () => import('../../../docs/reports.md'),
  'checks-in-ci': () => import('../../../docs/checks-in-ci.md'),
  'several-machines': () => import('../../../docs/several-machines.md'),
  engines: () => import('../../../docs/engines.md'),
  'logging-in': () => import('../../../docs/logging-in.md'),
  environment: () => import('../../../docs/environment.md'),
  errors: () => import('../../../docs/errors.md'),
  security: () => import('../../../docs/security.md'),
  library: () => import('../../../docs/library.md'),
  museum: () => import('../../../docs/museum.md'),
  contributing: () => import('../../../docs/contributing.md'),
  interface: () => import('../../../docs/service/INTERFACE.md'),
  'field-notes': () => import('../../../docs/service/FIELD-NOTES.md'),
};

/** Other names for pages, and names for sections of pages. */
const ALIASES: Readonly<Record<string, readonly [page: string, heading?: string]>> = {
  query: ['searching'],
  images: ['downloading-images'],
  excel: ['formats', 'Excel'],
  columns: ['formats', 'Columns'],
  export: ['exporting'],
  slices: ['several-machines'],
  'exit-codes': ['errors', 'Exit codes'],
  'check-report': ['checks-in-ci', 'JSON report'],
};

export const TOPICS: ReadonlyMap<string, () => Promise<string>> = new Map([
  ...Object.keys(PAGES).map((page) => [page, () => readTopic(page)] as const),
  ...Object.entries(ALIASES).map(
    ([name, [page, heading]]) => [name, () => readTopic(page, heading)] as const,
  ),
]);

async function readTopic(page: string, heading = ''): Promise<string> {
  const { default: text } = (await PAGES[page]?.()) ?? { default: '' };
  if (heading === '') return text;
  return text.slice(text.indexOf(`## ${heading}\n`)).split(/\n(?=## )/)[0] ?? '';
}

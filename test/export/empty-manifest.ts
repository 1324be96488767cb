import type { Manifest } from '../../src/export/verify/manifest.js';

/** The manifest of an export without records. */
export const EMPTY_MANIFEST: Manifest = {
  format: 1,
  tool: 'opac',
  command: '',
  job: { deployment: 'd', kind: 'objects', query: [], format: 'csv' },
  complete: true,
  reasons: [],
  warnings: [],
  files: [],
  started: '',
  finished: '',
  elapsed: 0,
  resumed: 0,
  totals: { first: null, last: null, drift: [] },
  received: 0,
  records: 0,
  duplicates: 0,
  withoutId: 0,
  replaces: 0,
  gaps: [],
  notFound: [],
  notUtf8: { records: 0, ids: [] },
  columns: [],
  formulas: 0,
  pages: [],
};

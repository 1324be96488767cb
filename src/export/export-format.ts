/** The formats of an export by name; src/export/formats.ts knows how each is written. */

export const EXPORT_FORMATS = ['csv', 'tsv', 'xlsx', 'json', 'ndjson', 'ids'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

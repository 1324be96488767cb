/** `opac <kind> export`: writes all matching records to files or standard output. */
import type { Kind } from '../../../service/kinds.js';
import { defineCommand } from '../../description/command.js';
import { EXPORT_OPTIONS } from '../../options/export.js';
import { OUTPUT_FORMATS } from '../../options/global.js';
import { limitOptions } from '../../options/limit.js';
import {
  ORDER_OPTIONS,
  parseSearch,
  resolvePaging,
  SEARCH_OPTIONS,
  TEXT_ARGUMENT,
} from '../../options/search.js';
import { PAGE_SIZE_OPTION } from '../../options/settings.js';

export const createExportCommand = (kind: Kind) =>
  defineCommand({
    name: 'export',
    summary: `export all ${kind} that match a search to a file`,
    arguments: [TEXT_ARGUMENT],
    options: [
      ...SEARCH_OPTIONS,
      ...ORDER_OPTIONS,
      ...limitOptions(undefined, 'records'),
      PAGE_SIZE_OPTION,
      ...EXPORT_OPTIONS,
    ],
    examples: {
      'export every field as CSV': `opac ${kind} export --mock -o ${kind}.csv`,
      'export some columns for Excel': `opac ${kind} export --mock --excel --columns id,title,image.url -o ${kind}.csv`,
      'export the original JSON, compressed, one record per line': `opac ${kind} export --mock -o ${kind}.ndjson.gz`,
      'request the records once, and write two formats': `opac ${kind} export --mock -o ${kind}.csv -o ${kind}.parquet`,
      'export the third of eight parts (join them later with --from)': `opac ${kind} export --mock --part 3/8 -o part-3.ndjson`,
    },
    formats: OUTPUT_FORMATS,
    endpoints: [`${kind}.search`],
    parse: (input) => ({ search: parseSearch(input), paging: resolvePaging(input), options: input }),
    async run(context, input) {
      const { runExport } = await import('./export/run-export.js');
      await runExport(context, kind, input);
    },
  });

/** `opac <kind> export`: every record that matches into a file, whole and proven, or resumable. */
import type { Kind } from '../../../service/kinds.js';
import { command } from '../../command/command.js';
import { EXPORT_OPTIONS, parseExport } from '../../options/export.js';
import {
  ORDER_OPTIONS,
  PAGING_OPTIONS,
  parsePaging,
  parseSearch,
  SEARCH_OPTIONS,
} from '../../options/search.js';
import { TEXT_ARGUMENT } from './list.js';

/** An export is of all records unless told otherwise. */
const LIMIT_OPTIONS = PAGING_OPTIONS.filter(({ flags }) => flags !== '--all').map((option) =>
  option.flags.startsWith('--limit') ? { ...option, summary: 'records at most; default: all' } : option,
);

export const exportRecords = (kind: Kind) =>
  command({
    name: 'export',
    summary: `write all matching ${kind} to a file, complete and provable`,
    arguments: [TEXT_ARGUMENT],
    options: [...SEARCH_OPTIONS, ...ORDER_OPTIONS, ...LIMIT_OPTIONS, ...EXPORT_OPTIONS],
    examples: [
      {
        purpose: 'everything, every field, for a program',
        command: `opac ${kind} export --mock -o ${kind}.csv`,
      },
      {
        purpose: 'some columns, for a spreadsheet',
        command: `opac ${kind} export --mock --excel --columns id,title,image.url -o ${kind}.csv`,
      },
      {
        purpose: 'as the service gives them, compressed',
        command: `opac ${kind} export --mock -o ${kind}.ndjson.gz`,
      },
    ],
    endpoints: [`${kind}.search`],
    parse: (input) => ({
      search: parseSearch(input),
      paging: parsePaging(input, undefined),
      options: parseExport(input),
    }),
    async run(context, input) {
      const { runExport } = await import('./run-export.js');
      await runExport(context, kind, input);
      return undefined;
    },
  });

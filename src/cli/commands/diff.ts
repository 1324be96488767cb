/** `opac diff`: what changed between two exports. */

import { command } from '../command/command.js';
import { parseSearch } from '../options/search.js';
import { ANY_DEPLOYMENT_OPTION, checkDelta, DIFF_FORMATS, DIFF_OPTIONS } from './diff/options.js';

export const commands = [
  command({
    name: 'diff',
    summary: 'show what changed between two exports',
    arguments: [
      {
        name: 'old',
        summary: 'the older export: NDJSON, JSON or CSV, also compressed',
        required: true,
        completes: 'file',
      },
      {
        name: 'new',
        summary: 'the newer one, in any of these forms and in any order',
        required: true,
        completes: 'file',
      },
    ],
    options: [...DIFF_OPTIONS, ANY_DEPLOYMENT_OPTION],
    formats: DIFF_FORMATS,
    examples: [
      { purpose: 'what changed since last month', command: 'opac diff objects-old.ndjson objects.ndjson' },
      {
        purpose: 'a report for a curator',
        command: 'opac diff objects-old.ndjson objects.ndjson -o changes.html',
      },
      {
        purpose: 'one line a changed value, with the number of each object',
        command: 'opac diff objects-old.ndjson objects.ndjson --context accession_no -f csv',
      },
      {
        purpose: 'whole records for a loader',
        command: 'opac diff objects-old.ndjson objects.ndjson --delta -o delta.ndjson',
      },
    ],
    output: 'value',
    parse: (input) => ({ ...input, search: parseSearch(input) }),
    async run(context, input) {
      checkDelta(input, context);
      const { diffFiles } = await import('./diff/run-diff.js');
      await diffFiles(context, input);
      return undefined;
    },
  }),
];

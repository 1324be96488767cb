/** `opac diff`: what changed between two exports. */
import { command } from '../command/command.js';
import { DIFF_FORMATS, DIFF_OPTIONS, parseDiff } from './diff/options.js';

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
    options: DIFF_OPTIONS,
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
    parse: (input) => parseDiff(input, ['old', 'new']),
    async run(context, input) {
      const { diffFiles } = await import('./diff/run-diff.js');
      await diffFiles(context, input);
      return undefined;
    },
  }),
];

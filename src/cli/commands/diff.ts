/** `opac diff`: compares two exports, or shows the changes of a mirror. */

import { UsageError } from '../../service/errors.js';
import { defineCommand } from '../description/command.js';
import { parseSearch } from '../options/search.js';
import {
  ANY_DEPLOYMENT_OPTION,
  checkDelta,
  DIFF_FORMATS,
  DIFF_OPTIONS,
  LOGS_SINCE_OPTION,
} from './diff/options.js';

export const commands = [
  defineCommand({
    name: 'diff',
    summary: 'show what changed between two exports, or in a mirror',
    arguments: [
      {
        name: 'old',
        summary:
          'the older export: NDJSON, JSON, CSV, TSV or XLSX, also compressed; or a mirror, or one of its change logs',
        required: true,
        completes: 'file',
      },
      {
        name: 'new',
        summary:
          'the newer export, in any of these formats; the order of its records does not matter; omit it for a mirror or a change log',
        completes: 'file',
      },
    ],
    options: [...DIFF_OPTIONS, ANY_DEPLOYMENT_OPTION, LOGS_SINCE_OPTION],
    formats: DIFF_FORMATS,
    examples: {
      'show the changes since last month': 'opac diff objects-old.ndjson objects.ndjson',
      'write a report for a curator': 'opac diff objects-old.ndjson objects.ndjson -o changes.html',
      'print one line per changed value, with the accession number':
        'opac diff objects-old.ndjson objects.ndjson --context accession_no -f csv',
      'write complete changed records, for import into another system':
        'opac diff objects-old.ndjson objects.ndjson --delta -o delta.ndjson',
    },
    output: 'value',
    parse: (input) => ({ ...input, search: parseSearch(input) }),
    async run(context, input) {
      checkDelta(input, context);
      const { new: newer } = input;
      const { assertNoChangeLogs, showChangeLogs } = await import('./diff/show-change-log.js');
      if (newer === undefined) {
        await showChangeLogs(context, input);
        return undefined;
      }
      if (input.changedSince)
        throw new UsageError(
          '--changed-since needs a mirror, not two exports',
          'opac diff <mirror> --changed-since <day>',
        );
      await assertNoChangeLogs([input.old, newer]);
      const { diffFiles } = await import('./diff/run-diff.js');
      await diffFiles(context, { ...input, new: newer });
      return undefined;
    },
  }),
];

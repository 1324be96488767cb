/** `opac <kind> diff`: compares an export with the current records of the deployment. */
import type { Kind } from '../../../service/kinds.js';
import { defineCommand } from '../../description/command.js';
import { parseSearch } from '../../options/search.js';
import { checkDelta, DIFF_FORMATS, DIFF_OPTIONS, REVERSE_OPTION } from '../diff/options.js';

export const createDiffCommand = (kind: Kind) =>
  defineCommand({
    name: 'diff',
    summary: 'show what changed since an export',
    arguments: [
      {
        name: 'old',
        summary: 'the export: NDJSON, JSON, CSV, TSV or XLSX, also compressed; or an edited copy',
        required: true,
        completes: 'file',
      },
    ],
    options: [...DIFF_OPTIONS, REVERSE_OPTION],
    formats: DIFF_FORMATS,
    examples: {
      'show the changes since the export': `opac ${kind} diff ${kind}-old.ndjson --mock`,
      'write a report for a curator; look up removed records by id': `opac ${kind} diff ${kind}-old.ndjson --mock --ask -o changes.html`,
      // `opac records diff` has no such example, because a table of all kinds needs the column recordType.
      ...(kind !== 'records' && {
        'show the edits that somebody made in a spreadsheet': `opac ${kind} diff edited.csv --mock --reverse`,
      }),
    },
    endpoints: [`${kind}.search`, ...(kind === 'records' ? [] : [`${kind}.get` as const])],
    output: 'value',
    parse: (input) => ({ ...input, search: parseSearch(input) }),
    async run(context, input) {
      checkDelta(input, context);
      const { diffWithDeployment } = await import('../diff/run-diff.js');
      await diffWithDeployment(context, input, kind);
    },
  });

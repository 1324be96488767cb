/** `opac <kind> diff`: what changed in a deployment since an export. */
import type { Kind } from '../../../service/kinds.js';
import { defineCommand } from '../../description/command.js';
import { parseSearch } from '../../options/search.js';
import { checkDelta, DIFF_FORMATS, DIFF_OPTIONS } from '../diff/options.js';

export const createDiffCommand = (kind: Kind) =>
  defineCommand({
    name: 'diff',
    summary: 'show what changed since an export',
    arguments: [
      {
        name: 'old',
        summary: 'the export: NDJSON, JSON or CSV, also compressed',
        required: true,
        completes: 'file',
      },
    ],
    options: DIFF_OPTIONS,
    formats: DIFF_FORMATS,
    examples: {
      'what changed since the export': `opac ${kind} diff ${kind}-old.ndjson --mock`,
      'a report for a curator; looks up removed records by id': `opac ${kind} diff ${kind}-old.ndjson --mock --ask -o changes.html`,
    },
    endpoints: [`${kind}.search`, ...(kind === 'records' ? [] : [`${kind}.get` as const])],
    output: 'value',
    parse: (input) => ({ ...input, search: parseSearch(input) }),
    async run(context, input) {
      checkDelta(input, context);
      const { diffWithDeployment } = await import('../diff/run-diff.js');
      await diffWithDeployment(context, input, kind);
      return undefined;
    },
  });

/** `opac objects report`: one HTML page about the matching objects. */
import { extname } from 'node:path';
import { UsageError } from '../../../service/errors.js';
import { defineCommand } from '../../description/command.js';
import { OUTPUT_HEADING } from '../../options/groups.js';
import { parseSearch, SEARCH_OPTIONS, TEXT_ARGUMENT } from '../../options/search.js';

export const reportCommand = defineCommand({
  name: 'report',
  summary: 'create a report: one HTML page with figures and charts that you can print or send',
  arguments: [TEXT_ARGUMENT],
  options: [
    ...SEARCH_OPTIONS,
    {
      group: OUTPUT_HEADING,
      flags: '--title <text>',
      summary: 'heading of the report',
      defaultText: 'the search',
    },
    { group: OUTPUT_HEADING, flags: '--no-thumbnails', summary: 'do not download and embed thumbnails' },
    {
      group: OUTPUT_HEADING,
      flags: '-o, --output <file>',
      summary: 'HTML file, written when complete',
      defaultText: 'standard output, if it is not a terminal',
      completes: 'file',
    },
  ] as const,
  examples: {
    'report on all objects': 'opac objects report --mock -o collection.html',
    'report on a collection': 'opac objects report --mock --collection 3 -o collection-3.html',
  },
  endpoints: ['objects.search', 'objects.views'],
  output: 'file',
  parse: (input) => ({ search: parseSearch(input), title: input.title, thumbnails: input.thumbnails }),
  async run(context, input) {
    const { output, dryRun } = context.globalOptions;
    if (output === undefined && context.terminal.isTerminal && !dryRun)
      throw new UsageError(
        'a report cannot be shown on a terminal',
        'write it to a file with -o report.html',
      );
    if (!/^(\.html?|\.gz|\.zst|)$/i.test(extname(output ?? '')))
      throw new UsageError('a report is an HTML page', 'write it to a file with -o report.html');
    const { runReport } = await import('./run-report.js');
    await runReport(context, input);
  },
});

/** `opac objects report`: creates one HTML page about the matching objects. */
import { defineCommand } from '../../description/command.js';
import { OUTPUT_HEADING } from '../../options/groups.js';
import { assertHtmlOutput, HTML_OUTPUT_OPTION } from '../../options/html-output.js';
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
    HTML_OUTPUT_OPTION,
  ] as const,
  examples: {
    'report on all objects': 'opac objects report --mock -o collection.html',
    'report on a collection': 'opac objects report --mock --collection 3 -o collection-3.html',
  },
  endpoints: ['objects.search', 'objects.views'],
  output: 'file',
  parse: (input) => ({ search: parseSearch(input), title: input.title, thumbnails: input.thumbnails }),
  async run(context, input) {
    assertHtmlOutput(context, 'report');
    const { runReport } = await import('./run-report.js');
    await runReport(context, input);
  },
});

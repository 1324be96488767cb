/** `opac images sheet`: a contact sheet of the images of a search. */
import { rowColumn } from '../../../images/row-columns.js';
import { UsageError } from '../../../service/errors.js';
import { KINDS } from '../../../service/kinds.js';
import { command } from '../../command/command.js';
import type { OptionDescription } from '../../command/option.js';
import { OUTPUT } from '../../options/global.js';
import { flagOption, stringOption } from '../../options/read.js';
import { TEXT_ARGUMENT } from '../../options/search.js';
import { NAMING_FIELD } from './list.js';
import { imageSearchOptions, parseImageSearch } from './search.js';

const SHEET = 'The sheet:';

const OPTIONS: readonly OptionDescription[] = [
  { group: SHEET, flags: '--title <text>', summary: 'heading of the sheet', default: 'the search' },
  {
    group: SHEET,
    flags: '--name <column>',
    summary: 'the field that names the record',
    default: NAMING_FIELD,
    completes: 'field',
  },
  {
    group: SHEET,
    flags: '--group-by <column>',
    summary: 'put images under headings by this field',
    completes: 'field',
  },
  { group: SHEET, flags: '--by-color', summary: 'sort by main colour, round the colour wheel' },
  {
    group: SHEET,
    flags: '--link',
    summary: 'load thumbnails from the server instead of embedding them',
  },
  { group: SHEET, flags: '--open', summary: 'open the sheet in the browser' },
  {
    group: OUTPUT,
    flags: '-o, --output <file>',
    summary: 'the HTML file, written only when complete',
    default: 'standard output, in a pipe',
    completes: 'file',
  },
];

export const sheetOfImages = command({
  name: 'sheet',
  summary: 'make a contact sheet: one HTML file to look at, search and print',
  arguments: [TEXT_ARGUMENT],
  options: [...imageSearchOptions(undefined), ...OPTIONS],
  examples: [
    {
      purpose: 'make a sheet of all images of a collection',
      command: 'opac images sheet --mock --collection 3 -o sheet.html',
    },
    {
      purpose: 'group by kind of object, sorted by colour',
      command: 'opac images sheet --mock --limit 40 --group-by classification --by-color -o sheet.html',
    },
    {
      purpose: 'make a small file that loads its thumbnails',
      command: 'opac images sheet --mock --link -o sheet.html',
    },
  ],
  endpoints: KINDS.map((kind) => `${kind}.search` as const),
  parse: (input) => {
    const { options } = input;
    if (options.format !== undefined)
      throw new UsageError('a contact sheet is always HTML', 'leave out --format');
    const output = stringOption(options, 'output');
    if (flagOption(options, 'open') && (output === undefined || output === '-'))
      throw new UsageError('--open needs a file to open', 'name one with -o sheet.html');
    const groupBy = stringOption(options, 'groupBy');
    return {
      search: parseImageSearch(input, undefined),
      named: rowColumn(stringOption(options, 'name') ?? NAMING_FIELD),
      isNameAsked: stringOption(options, 'name') !== undefined,
      groupBy: groupBy === undefined ? undefined : rowColumn(groupBy),
      title: stringOption(options, 'title'),
      byColor: flagOption(options, 'byColor'),
      link: flagOption(options, 'link'),
      open: flagOption(options, 'open'),
    };
  },
  async run(context, input) {
    const { runSheet } = await import('./run-sheet.js');
    await runSheet(context, input);
    return undefined;
  },
});

/** `opac images sheet`: creates a contact sheet with the images of a search. */
import { parseImageColumn } from '../../../images/image-columns.js';
import { KINDS } from '../../../service/kinds.js';
import { defineCommand } from '../../description/command.js';
import { inGroup, type OptionDescription } from '../../description/option.js';
import { assertHtmlOutput, HTML_OUTPUT_OPTION } from '../../options/html-output.js';
import { TEXT_ARGUMENT } from '../../options/search.js';
import { NAME_FIELD_OPTION, NAMING_FIELD } from './list.js';
import { imageSearchOptions, parseImageSearch, RIGHTS_OPTION } from './search.js';

const OPTIONS = [
  { group: 'Selecting images:', ...RIGHTS_OPTION },
  ...inGroup('Contact sheet:', [
    { flags: '--title <text>', summary: 'heading of the sheet', defaultText: 'description of the search' },
    NAME_FIELD_OPTION,
    {
      flags: '--group-by <column>',
      summary: 'group the images by this column',
      parse: parseImageColumn,
    },
    { flags: '--by-color', summary: 'sort by the hue of the main colour' },
    { flags: '--link', summary: 'load thumbnails from the server instead of embedding them' },
  ]),
  HTML_OUTPUT_OPTION,
] as const satisfies readonly OptionDescription[];

export const sheetCommand = defineCommand({
  name: 'sheet',
  summary: 'create a contact sheet: one HTML file that you can view, search and print',
  arguments: [TEXT_ARGUMENT],
  options: [...imageSearchOptions(), ...OPTIONS],
  examples: {
    'make a sheet of all images of a collection': 'opac images sheet --mock --collection 3 -o sheet.html',
    'group by classification, sorted by colour':
      'opac images sheet --mock --limit 40 --group-by classification --by-color -o sheet.html',
    'create a small file with linked thumbnails': 'opac images sheet --mock --link -o sheet.html',
  },
  endpoints: KINDS.map((kind) => `${kind}.search` as const),
  output: 'file',
  parse: (input) => {
    const { nameField } = input;
    const nameColumn = nameField ?? parseImageColumn(NAMING_FIELD);
    return {
      ...input,
      search: parseImageSearch(input),
      nameColumn,
      isNameFieldGiven: nameField !== undefined,
    };
  },
  async run(context, input) {
    assertHtmlOutput(context, 'contact sheet');
    const { runSheet } = await import('./run-sheet.js');
    await runSheet(context, input);
  },
});

/** The options of a download beside those of a search. */
import { inGroup, type OptionDescription, type ValuesOf } from '../../command/option.js';
import { integer, names, size } from '../../options/parse.js';
import type { ImageSearch } from './search.js';

const WHICH = 'Which images:';
const FILES = 'The files:';

export const DOWNLOAD_OPTIONS = [
  ...inGroup(WHICH, [
    {
      flags: '--derivative <names>',
      summary: 'sizes in order of preference: LARGE,MEDIUM',
      defaultText: 'the largest',
      repeatable: true,
      parse: (text: string, where: string) => names(text.toUpperCase(), where),
    },
    {
      flags: '--rights <field=values>',
      summary: 'only images whose record has one of these values: copyright="Public domain,CC0"',
    },
    {
      flags: '--rights-from <file>',
      summary: 'the same from a csv file with the columns field, value, allowed (yes or no) and reason',
      completes: 'file',
    },
    { flags: '--min-width <pixels>', summary: 'skip images narrower than this', parse: integer(1) },
    { flags: '--max-bytes <size>', summary: 'skip images larger than this: 500KB, 16MB', parse: size },
    { flags: '--any-size', summary: 'keep images whose size is not the one that the record states' },
  ]),
  ...inGroup(FILES, [
    {
      flags: '--name <template>',
      summary: 'name of each file, with its folders',
      defaultText: '{accession_no}-{position}.{ext}',
    },
    {
      flags: '--index <format>',
      summary: 'ndjson, csv or both',
      default: 'both',
      choices: ['ndjson', 'csv', 'both'],
    },
    {
      flags: '--credit-line <field>',
      summary: 'field with the credit line',
      defaultText: 'credit_line',
    },
    { flags: '--sidecar', summary: 'write a JSON file with the record beside each image' },
    { flags: '--prune', summary: 'remove images of earlier runs that the search no longer finds' },
    { flags: '--dry-run', summary: 'report how many images there are and how large, and download nothing' },
  ]),
] as const satisfies readonly OptionDescription[];

export type DownloadInput = ValuesOf<typeof DOWNLOAD_OPTIONS> & {
  readonly folder: string;
  readonly search: ImageSearch;
};

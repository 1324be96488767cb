/** The options of `opac images download` that are not search options. */
import { inGroup, type OptionDescription, type ValuesOf } from '../../description/option.js';
import { integer, names, size } from '../../options/parse.js';
import { type ImageSearch, RIGHTS_OPTION } from './search.js';

export const DOWNLOAD_OPTIONS = [
  ...inGroup('Selecting images:', [
    {
      flags: '--derivative <names>',
      summary: 'sizes in order of preference: LARGE,MEDIUM',
      defaultText: 'the largest',
      repeatable: true,
      parse: (text: string, where: string) => names(text.toUpperCase(), where),
    },
    RIGHTS_OPTION,
    { flags: '--min-width <pixels>', summary: 'skip images narrower than this', parse: integer(1) },
    { flags: '--max-bytes <size>', summary: 'skip images larger than this: 500KB, 16MB', parse: size },
    {
      flags: '--any-size',
      summary: 'accept images whose width or height differs from the size in the record',
    },
  ]),
  ...inGroup('Image files:', [
    {
      flags: '--name <template>',
      summary: 'name of each file, with its folders',
      defaultText: '{accession_no}-{position}.{ext}',
    },
    {
      flags: '--credit-line <field>',
      summary: 'field with the credit line',
      defaultText: 'credit_line',
    },
    { flags: '--sidecar', summary: 'write the record as JSON next to each image' },
    { flags: '--prune', summary: 'delete images of earlier runs that this run does not select' },
    {
      flags: '--dry-run',
      summary: 'report the number and the estimated size of the images; download nothing',
    },
  ]),
] as const satisfies readonly OptionDescription[];

export type DownloadInput = ValuesOf<typeof DOWNLOAD_OPTIONS> & {
  readonly folder: string;
  readonly search: ImageSearch;
};

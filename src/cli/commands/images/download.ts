/** `opac images download`: downloads the images of a search into a folder, with an index. */
import { parseRights } from '../../../images/rights/rights-rule.js';
import { KINDS } from '../../../service/kinds.js';
import { defineCommand } from '../../description/command.js';
import { inGroup, type OptionDescription, type ValuesOf } from '../../description/option.js';
import { fillMissing, integer, names, size } from '../../options/parse.js';
import { TEXT_ARGUMENT } from '../../options/search.js';
import { type ImageSearch, imageSearchOptions, parseImageSearch } from './search.js';

const DOWNLOAD_OPTIONS = [
  ...inGroup('Selecting images:', [
    {
      flags: '--derivative <names>',
      summary: 'sizes in order of preference: LARGE,MEDIUM',
      defaultText: 'the largest',
      repeatable: true,
      parse: (text: string, where: string) => names(text.toUpperCase(), where),
    },
    {
      flags: '--rights <field=values>',
      summary: 'only images whose record has one of these values: copyright="Public domain,CC0"; repeatable',
      repeatable: true,
      parse: parseRights,
    },
    { flags: '--min-width <pixels>', summary: 'skip images narrower than this', parse: integer(1) },
    { flags: '--max-bytes <size>', summary: 'skip images larger than this: 500KB, 16MB', parse: size },
    { flags: '--any-size', summary: 'accept images whose width and height differ from the record' },
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
    { flags: '--prune', summary: 'delete images of earlier runs that no longer match the search' },
    { flags: '--dry-run', summary: 'report the number and size of the images without downloading them' },
  ]),
] as const satisfies readonly OptionDescription[];

export type DownloadInput = ValuesOf<typeof DOWNLOAD_OPTIONS> & {
  readonly folder: string;
  readonly search: ImageSearch;
};

export const downloadCommand = defineCommand({
  name: 'download',
  summary: 'download images into a folder and write an index',
  arguments: [
    {
      name: 'folder',
      summary: 'folder for the images; created if missing',
      required: true,
      parse: fillMissing,
    },
    TEXT_ARGUMENT,
  ],
  options: [...imageSearchOptions(), ...DOWNLOAD_OPTIONS],
  examples: {
    'download the largest image of every object of a collection':
      'opac images download pictures --mock --collection 3',
    'download only images with certain rights, into folders':
      'opac images download pictures --mock --limit 20 --rights image@copyright="No known copyright restrictions" --name "{classification}/{id}-{position}" --sidecar',
    'report the number and total size of the images': 'opac images download pictures --mock --dry-run',
  },
  endpoints: KINDS.map((kind) => `${kind}.search` as const),
  output: 'nothing',
  dryRun: 'own',
  parse: (input) => ({ ...input, search: parseImageSearch(input) }),
  async run(context, input) {
    const { runDownload } = await import('./run-download.js');
    return runDownload(context, input);
  },
});

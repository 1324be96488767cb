/** The options of a download beside those of a search. */
import { UsageError } from '../../../service/errors.js';
import type { Input, OptionDescription } from '../../command/option.js';
import { choiceOption, flagOption, integerOption, stringOption } from '../../options/read.js';
import { type ImageSearch, parseImageSearch } from './search.js';

const WHICH = 'Which images:';
const FILES = 'The files:';

export const DOWNLOAD_OPTIONS: readonly OptionDescription[] = [
  {
    group: WHICH,
    flags: '--derivative <names>',
    summary: 'sizes in order of preference: LARGE,MEDIUM',
    default: 'the largest',
  },
  {
    group: WHICH,
    flags: '--rights <field=values>',
    summary: 'only images whose record has one of these values: copyright="Public domain,CC0"',
    completes: 'field=',
  },
  {
    group: WHICH,
    flags: '--rights-from <file>',
    summary: 'the same from a csv file with the columns field, value, allowed (yes or no) and reason',
    completes: 'file',
  },
  { group: WHICH, flags: '--min-width <pixels>', summary: 'skip images narrower than this' },
  { group: WHICH, flags: '--max-bytes <n>', summary: 'skip images larger than this, in bytes' },
  {
    group: WHICH,
    flags: '--any-size',
    summary: 'keep images whose size is not the one that the record states',
  },
  {
    group: FILES,
    flags: '--name <template>',
    summary: 'name of each file, with its folders',
    default: '{accession_no}-{position}.{ext}',
  },
  {
    group: FILES,
    flags: '--index <format>',
    summary: 'ndjson, csv or both',
    default: 'both',
    choices: ['ndjson', 'csv', 'both'],
  },
  {
    group: FILES,
    flags: '--credit-line <field>',
    summary: 'field with the credit line',
    default: 'credit_line',
    completes: 'field',
  },
  { group: FILES, flags: '--sidecar', summary: 'write a JSON file with the record beside each image' },
  {
    group: FILES,
    flags: '--prune',
    summary: 'remove images of earlier runs that the search no longer finds',
  },
  {
    group: FILES,
    flags: '--dry-run',
    summary: 'report how many images there are and how large, and download nothing',
  },
];

export interface DownloadInput {
  readonly folder: string;
  readonly search: ImageSearch;
  readonly derivatives: readonly string[];
  readonly rights: string | undefined;
  readonly rightsFrom: string | undefined;
  readonly minWidth: number | undefined;
  readonly maxBytes: number | undefined;
  readonly anySize: boolean;
  readonly name: string | undefined;
  readonly index: 'ndjson' | 'csv' | 'both';
  readonly creditLine: string | undefined;
  readonly sidecar: boolean;
  readonly prune: boolean;
  readonly dryRun: boolean;
}

export function parseDownload(input: Input): DownloadInput {
  const [folder = '', ...text] = input.arguments;
  const { options } = input;
  if (folder.trim() === '') throw new UsageError('images download needs a folder');
  const derivatives = stringOption(options, 'derivative')
    ?.split(',')
    .map((name) => name.trim().toUpperCase());
  return {
    folder,
    search: parseImageSearch({ ...input, arguments: text }, undefined),
    derivatives: derivatives?.filter((name) => name !== '') ?? [],
    rights: stringOption(options, 'rights'),
    rightsFrom: stringOption(options, 'rightsFrom'),
    minWidth: integerOption(options, 'minWidth', 1),
    maxBytes: integerOption(options, 'maxBytes', 1),
    anySize: flagOption(options, 'anySize'),
    name: stringOption(options, 'name'),
    index: choiceOption(options, 'index', ['ndjson', 'csv', 'both']) ?? 'both',
    creditLine: stringOption(options, 'creditLine'),
    sidecar: flagOption(options, 'sidecar'),
    prune: flagOption(options, 'prune'),
    dryRun: flagOption(options, 'dryRun'),
  };
}

/** `opac images download`: downloads the images of a search into a folder, with an index. */
import { KINDS } from '../../../service/kinds.js';
import { defineCommand } from '../../description/command.js';
import { nonBlank } from '../../options/parse.js';
import { TEXT_ARGUMENT } from '../../options/search.js';
import { DOWNLOAD_OPTIONS } from './download-options.js';
import { imageSearchOptions, parseImageSearch } from './search.js';

export const downloadCommand = defineCommand({
  name: 'download',
  summary: 'download images into a folder and write an index',
  arguments: [
    {
      name: 'folder',
      summary: 'folder for the images; created if missing',
      required: true,
      parse: nonBlank,
    },
    TEXT_ARGUMENT,
  ],
  options: [...imageSearchOptions(), ...DOWNLOAD_OPTIONS],
  examples: {
    'download the largest image of every object of a collection':
      'opac images download pictures --mock --collection 3',
    'download only images with certain rights, into folders':
      'opac images download pictures --mock --limit 20 --rights image@copyright="No known copyright restrictions" --name "{classification}/{id}-{position}" --sidecar',
    'report the number and the estimated size of the images':
      'opac images download pictures --mock --dry-run',
  },
  endpoints: KINDS.map((kind) => `${kind}.search` as const),
  output: 'nothing',
  dryRun: 'by-command',
  parse: (input) => ({ ...input, search: parseImageSearch(input) }),
  async run(context, input) {
    const { runDownload } = await import('./run-download.js');
    return runDownload(context, input);
  },
});

/** `opac comments`. */
import { command } from '../command/command.js';
import { limitOptions, parseLimit } from '../options/limit.js';
import { listItems } from './items/list-items.js';

const DEFAULT_LIMIT = 20;

export const commands = [
  command({
    name: 'list',
    isDefault: true,
    summary: 'comments of visitors on records',
    options: limitOptions(DEFAULT_LIMIT),
    examples: [
      { purpose: `the first ${DEFAULT_LIMIT} comments`, command: 'opac comments list --mock' },
      { purpose: 'all of them, for a spreadsheet', command: 'opac comments list --mock --all -f csv' },
    ],
    endpoints: ['comments.list'],
    parse: (input) => parseLimit(input, DEFAULT_LIMIT),
    run: async (context, limit) =>
      listItems(context, {
        endpointId: 'comments.list',
        item: 'comment',
        limit,
        nothing: 'there are no comments',
      }),
  }),
];

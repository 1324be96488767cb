/** `opac comments`: lists comments on records. */
import { defineCommand } from '../../description/command.js';
import { limitOptions, resolveLimit } from '../../options/limit.js';
import { listItems } from '../items/list-items.js';

const DEFAULT_LIMIT = 20;

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list comments on records',
    options: limitOptions(DEFAULT_LIMIT),
    examples: {
      [`list the first ${DEFAULT_LIMIT} comments`]: 'opac comments list --mock',
      'list all comments as CSV': 'opac comments list --mock --all -f csv',
    },
    endpoints: ['comments.list'],
    run: async (context, input) =>
      listItems(context, {
        endpointId: 'comments.list',
        limit: resolveLimit(input, DEFAULT_LIMIT),
        emptyMessage: 'no comments',
      }),
  }),
];

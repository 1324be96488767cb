/** `opac collections`: lists collections. */
import { defineCommand } from '../../description/command.js';
import { limitOptions } from '../../options/limit.js';
import { listItems } from '../items/list-items.js';

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list collections',
    options: limitOptions(),
    examples: {
      'list all collections': 'opac collections list --mock',
      'list the ids of the collections, for --collection': 'opac collections list --mock -f ids',
    },
    endpoints: ['collections.list'],
    run: async (context, { limit }) =>
      listItems(context, {
        endpointId: 'collections.list',
        limit,
        moreHint: 'remove --limit',
        emptyMessage: 'no collections',
      }),
  }),
];

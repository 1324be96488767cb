/** `opac highlights`: lists and shows highlights. */
import { defineCommand } from '../../description/command.js';
import { limitOptions } from '../../options/limit.js';
import { toItemsResult } from '../../output/item-schemas.js';
import { getNamed } from '../items/known-names.js';
import { fetchItemIds, listItems } from '../items/list-items.js';

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list highlights',
    options: limitOptions(),
    examples: {
      'list all highlights': 'opac highlights list --mock',
      'list the objects of a highlight': 'opac objects list --mock --highlight 1',
    },
    endpoints: ['highlights.list'],
    run: async (context, { limit }) =>
      listItems(context, {
        endpointId: 'highlights.list',
        limit,
        moreHint: 'remove --limit',
        emptyMessage: 'no highlights',
      }),
  }),
  defineCommand({
    name: 'get',
    summary: 'show a highlight with its images',
    arguments: [{ name: 'id', summary: 'id of the highlight', required: true }],
    examples: {
      'show a highlight': 'opac highlights get 1 --mock',
      'print the JSON from the service': 'opac highlights get 1 --mock -f json',
    },
    endpoints: ['highlights.get'],
    async run(context, { id }) {
      const highlight = await getNamed(context, {
        endpointId: 'highlights.get',
        path: { highlightId: id },
        description: 'highlight',
        name: id,
        listKnownNames: () => fetchItemIds(context, { endpointId: 'highlights.list' }),
      });
      return toItemsResult([highlight], 'highlight', { isById: true });
    },
  }),
];

/** `opac highlights`. */
import { asObject, asText } from '../../service/json.js';
import { command } from '../command/command.js';
import { onePage } from '../command/result.js';
import { limitOptions, parseLimit } from '../options/limit.js';
import { itemSchema } from '../output/item-schemas.js';
import { getNamed } from './items/known-names.js';
import { listItems } from './items/list-items.js';

export const commands = [
  command({
    name: 'list',
    isDefault: true,
    summary: 'the highlights of the museum',
    options: limitOptions(undefined),
    examples: [
      { purpose: 'all highlights', command: 'opac highlights list --mock' },
      { purpose: 'the objects of one', command: 'opac objects list --mock --highlight 1' },
    ],
    endpoints: ['highlights.list'],
    parse: (input) => parseLimit(input, undefined),
    run: async (context, limit) =>
      listItems(context, {
        endpointId: 'highlights.list',
        item: 'highlight',
        limit,
        nothing: 'there are no highlights',
      }),
  }),
  command({
    name: 'get',
    summary: 'one highlight, with its images',
    arguments: [{ name: 'id', summary: 'id of the highlight', required: true }],
    examples: [
      { purpose: 'a highlight', command: 'opac highlights get 1 --mock' },
      { purpose: 'as the service gives it', command: 'opac highlights get 1 --mock -f json' },
    ],
    endpoints: ['highlights.get'],
    parse: ({ arguments: [highlightId = ''] }) => highlightId,
    async run(context, highlightId) {
      const client = await context.client();
      const highlight = await getNamed(
        client,
        'highlights.get',
        { highlightId },
        { what: 'highlight', name: highlightId, known: () => highlightIds(context) },
        { signal: context.signal },
      );
      return {
        pages: onePage([asObject(highlight)]),
        schema: itemSchema('highlight'),
        byId: true,
        nothing: '',
      };
    },
  }),
];

async function highlightIds(context: Parameters<typeof listItems>[0]): Promise<string[]> {
  const ids: string[] = [];
  const { pages } = listItems(context, { endpointId: 'highlights.list', item: 'highlight', nothing: '' });
  for await (const page of pages) ids.push(...page.map((item) => asText(asObject(item).highlightId)));
  return ids;
}

/** `opac imagelabels`: what image recognition saw in the pictures. */
import { asObject, asText, type Json } from '../../service/json.js';
import { readImageLabel } from '../../service/records/record.js';
import { command } from '../command/command.js';
import { onePage } from '../command/result.js';
import type { Context } from '../context.js';
import { limitOptions, parseLimit } from '../options/limit.js';
import { stringOption } from '../options/read.js';
import { itemSchema } from '../output/item-schemas.js';
import type { Terminal } from '../output/terminal/terminal.js';
import { getNamed } from './items/known-names.js';
import { type ItemList, listItems } from './items/list-items.js';

const DEFAULT_LIMIT = 20;

export const commands = [
  command({
    name: 'list',
    isDefault: true,
    summary: 'all image labels, or those of one object',
    options: [
      { flags: '--object <id>', summary: 'the labels of this object' },
      ...limitOptions(DEFAULT_LIMIT),
    ],
    examples: [
      { purpose: `the first ${DEFAULT_LIMIT} labels there are`, command: 'opac imagelabels list --mock' },
      { purpose: 'the labels of an object', command: 'opac imagelabels list --mock --object 20022' },
    ],
    endpoints: ['records.imagelabels', 'objects.imagelabels'],
    parse: (input) => ({
      object: stringOption(input.options, 'object'),
      limit: parseLimit(input, DEFAULT_LIMIT),
    }),
    run: async (context, { object, limit }) => ({
      ...listItems(context, object === undefined ? { ...EVERY, limit } : { ...ofObject(object), limit }),
      picture,
    }),
  }),
  command({
    name: 'get',
    summary: 'one image label of an object',
    arguments: [
      { name: 'objectId', summary: 'id of the object', required: true },
      { name: 'imageLabelId', summary: 'id of the label', required: true },
    ],
    examples: [
      { purpose: 'a label of an object', command: 'opac imagelabels get 20022 662 --mock' },
      { purpose: 'as the service gives it', command: 'opac imagelabels get 20022 662 --mock -f json' },
    ],
    endpoints: ['objects.imagelabel'],
    parse: ({ arguments: [opacObjectId = '', imageLabelId = ''] }) => ({ opacObjectId, imageLabelId }),
    async run(context, path) {
      const label = await getNamed(
        await context.client(),
        'objects.imagelabel',
        path,
        {
          what: `image label of object ${path.opacObjectId}`,
          name: path.imageLabelId,
          known: () => labelIds(context, path.opacObjectId),
        },
        { signal: context.signal },
      );
      return { pages: onePage([asObject(label)]), schema: itemSchema('imagelabel'), byId: true, nothing: '' };
    },
  }),
];

const EVERY: ItemList = {
  endpointId: 'records.imagelabels',
  item: 'imagelabel',
  nothing: 'there are no image labels',
};

function ofObject(id: string): ItemList {
  return {
    endpointId: 'objects.imagelabels',
    item: 'imagelabel',
    path: { opacObjectId: id },
    nothing: `object ${id} has no image labels`,
  };
}

async function picture(items: readonly Json[], terminal: Terminal): Promise<string> {
  const { renderScores } = await import('../output/charts/scores.js');
  return renderScores(items.map(readImageLabel), terminal);
}

async function labelIds(context: Context, object: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of listItems(context, ofObject(object)).pages) {
    ids.push(...page.map((item) => asText(asObject(item).imageLabelId)));
  }
  return ids;
}

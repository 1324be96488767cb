/** `opac imagelabels`: lists and shows the labels that image recognition gave to images. */
import { defineCommand } from '../../description/command.js';
import { limitOptions, resolveLimit } from '../../options/limit.js';
import { toItemsResult } from '../../output/item-schemas.js';
import { getNamed } from '../items/known-names.js';
import { fetchItemIds, type ItemList, listItems } from '../items/list-items.js';

const DEFAULT_LIMIT = 20;

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list the image labels of all objects or of one object',
    options: [
      { flags: '--object <id>', summary: 'only labels of this object' },
      ...limitOptions(DEFAULT_LIMIT),
    ],
    examples: {
      [`list the first ${DEFAULT_LIMIT} labels`]: 'opac imagelabels list --mock',
      'list the labels of an object': 'opac imagelabels list --mock --object 20022',
    },
    endpoints: ['records.imagelabels', 'objects.imagelabels'],
    run: async (context, { object, ...input }) =>
      listItems(context, {
        ...(object === undefined ? ALL_LABELS : createObjectLabels(object)),
        limit: resolveLimit(input, DEFAULT_LIMIT),
      }),
  }),
  defineCommand({
    name: 'get',
    summary: 'show an image label of an object',
    arguments: [
      { name: 'objectId', summary: 'id of the object', required: true },
      { name: 'imageLabelId', summary: 'id of the label', required: true },
    ],
    examples: {
      'show a label': 'opac imagelabels get 20022 662 --mock',
      'print the JSON from the service': 'opac imagelabels get 20022 662 --mock -f json',
    },
    endpoints: ['objects.imagelabel'],
    async run(context, { objectId, imageLabelId }) {
      const label = await getNamed(context, {
        endpointId: 'objects.imagelabel',
        path: { opacObjectId: objectId, imageLabelId },
        description: `image label of object ${objectId}`,
        name: imageLabelId,
        listKnownNames: () => fetchItemIds(context, createObjectLabels(objectId)),
      });
      return toItemsResult([label], 'imagelabel', { isById: true });
    },
  }),
];

const ALL_LABELS: ItemList = {
  endpointId: 'records.imagelabels',
  emptyMessage: 'no image labels',
};

function createObjectLabels(id: string): ItemList {
  return {
    endpointId: 'objects.imagelabels',
    path: { opacObjectId: id },
    emptyMessage: `object ${id} has no image labels`,
  };
}

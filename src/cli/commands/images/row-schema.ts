/** The schema of a list of images, with one row per image of a record. */
import {
  IMAGE_COLUMN_NAMES,
  type ImageColumn,
  parseImageColumn,
  toImageJson,
} from '../../../images/image-columns.js';
import { formatSize, getMainColors, type ImageRow } from '../../../images/image-row.js';
import { asObject, asText, type Json } from '../../../service/json.js';
import { assertColumnCount, listColumnNames, RECORD_COLUMN_NAMES } from '../../../service/records/columns.js';
import { findLargestDerivative } from '../../../service/records/record.js';
import type { ItemColumn, ItemSchema } from '../../description/item-schema.js';
import { renderObjectCard } from '../../output/cards/object-card.js';

export interface ImageSchema extends ItemSchema {
  /** Returns the JSON of a row. The schema keeps the row, because the columns read their values from rows, not from JSON. */
  readonly item: (row: ImageRow) => Json;
}

export function createImageSchema(nameColumn: ImageColumn): ImageSchema {
  const rows = new WeakMap<object, ImageRow>();
  const rowsIn = (items: readonly Json[]) => items.flatMap((item) => rows.get(asObject(item)) ?? []);
  const itemColumn = (name: string, values: (row: ImageRow) => readonly string[]): ItemColumn => ({
    name,
    values: (item) => rowsIn([item]).flatMap(values),
  });
  const createColumn = (name: string): ItemColumn => {
    const { values, isList } = parseImageColumn(name);
    const shown = itemColumn(name, values);
    const read = (item: Json) => (isList ? shown.values(item) : (shown.values(item)[0] ?? null));
    return { ...shown, json: (item) => asObject(item)[name] ?? read(item) };
  };
  return {
    item: (row) => {
      const item = toImageJson(row, nameColumn);
      rows.set(item, row);
      return item;
    },
    id: (item) => asText(asObject(item).imageId),
    column: createColumn,
    unknownColumns: (names, items, known) => {
      const seen = rowsIn(items).flatMap(({ record }) => [...record.fields.keys()]);
      const fields = new Set([...known, ...seen]);
      return names.filter((name) => {
        const { field } = parseImageColumn(name);
        return field !== undefined && !name.startsWith('field.') && !fields.has(field);
      });
    },
    getAllColumns: (items, all) => {
      const [type = '', id = '', ...others] = IMAGE_COLUMN_NAMES;
      const parts = rowsIn(items).flatMap(({ image }) =>
        image.derivatives.flatMap(({ identifier }) =>
          ['url', 'width', 'height'].map((part) => `${identifier}.${part}`),
        ),
      );
      const ofRecords = (all ? rowsIn(items) : []).flatMap(({ record }) => [
        ...RECORD_COLUMN_NAMES,
        ...listColumnNames(record, { withAttributes: true }),
      ]);
      const attributes = rowsIn(items).flatMap(({ image }) =>
        [...image.attributes.keys()].map((key) => `image@${key}`),
      );
      const names = new Set([type, id, nameColumn.name, ...others, ...attributes, ...parts, ...ofRecords]);
      assertColumnCount(names.size, 'the table', 'choose columns with --columns, or use -f ndjson');
      return [...names].map(createColumn);
    },
    getDefaultColumns: (items) => [
      { ...itemColumn('record', ({ record }) => [record.id]), isNeverCut: true },
      ...(nameColumn.name === 'title' ||
      items.every((item) => createColumn(nameColumn.name).values(item).length === 0)
        ? []
        : [createColumn(nameColumn.name)]),
      { ...createColumn('title'), weight: 2 },
      { ...itemColumn('image', ({ image }) => [image.id]), isNeverCut: true },
      { ...itemColumn('pos', ({ position }) => [String(position)]), align: 'right' },
      itemColumn('largest', ({ image }) => {
        const largest = findLargestDerivative(image);
        return largest ? [`${largest.identifier} ${formatSize(largest)}`.trim()] : [];
      }),
      itemColumn('color', ({ image }) => {
        const [main] = getMainColors(image);
        return main ? [main.name || `#${main.hex}`] : [];
      }),
      createColumn('labels'),
    ],
    flat: (item) => item,
    card: async (item, terminal) => renderObjectCard(asObject(item), terminal),
  };
}

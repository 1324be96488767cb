/** The rows of a list of images as items: their JSON, their columns, what people see. */
import { type ImageRow, mainColors, sizeText } from '../../../images/image-row.js';
import { ROW_COLUMN_NAMES, type RowColumn, rowColumn, rowJson } from '../../../images/row-columns.js';
import { asObject, asText, type Json } from '../../../service/json.js';
import { columnNames, RECORD_COLUMN_NAMES } from '../../../service/records/columns.js';
import { largestDerivative } from '../../../service/records/record.js';
import type { ItemColumn, ItemSchema } from '../../command/item-schema.js';
import { renderObjectCard } from '../../output/cards/object-card.js';

export interface RowSchema extends ItemSchema {
  /** The item of a row; the schema knows the row of each item that it made. */
  readonly item: (row: ImageRow) => Json;
}

export function rowSchema(named: RowColumn): RowSchema {
  const rows = new WeakMap<object, ImageRow>();
  const rowsIn = (items: readonly Json[]) => items.flatMap((item) => rows.get(asObject(item)) ?? []);
  const itemColumn = (name: string, values: (row: ImageRow) => readonly string[]): ItemColumn => ({
    name,
    values: (item) => rowsIn([item]).flatMap(values),
  });
  const columnOf = (name: string): ItemColumn => {
    const { values, isList } = rowColumn(name);
    const shown = itemColumn(name, values);
    const read = (item: Json) => (isList ? shown.values(item) : (shown.values(item)[0] ?? null));
    return { ...shown, json: (item) => asObject(item)[name] ?? read(item) };
  };
  return {
    item: (row) => {
      const item = rowJson(row, named);
      rows.set(item, row);
      return item;
    },
    id: (item) => asText(asObject(item).imageId),
    column: columnOf,
    unknownColumns: (names, items, known) => {
      const seen = rowsIn(items).flatMap(({ record }) => [...record.fields.keys()]);
      const fields = new Set([...known, ...seen]);
      return names.filter((name) => {
        const { field } = rowColumn(name);
        return field !== undefined && !name.startsWith('field.') && !fields.has(field);
      });
    },
    allColumns: (items, all) => {
      const [type = '', id = '', ...others] = ROW_COLUMN_NAMES;
      const parts = rowsIn(items).flatMap(({ image }) =>
        image.derivatives.flatMap(({ identifier }) =>
          ['url', 'width', 'height'].map((part) => `${identifier}.${part}`),
        ),
      );
      const ofRecords = (all ? rowsIn(items) : []).flatMap(({ record }) => [
        ...RECORD_COLUMN_NAMES,
        ...columnNames(record, { withAttributes: true }),
      ]);
      return [...new Set([type, id, named.name, ...others, ...parts, ...ofRecords])].map(columnOf);
    },
    familiarColumns: (items) => [
      { ...itemColumn('record', ({ record }) => [record.id]), whole: true },
      ...(named.name === 'title' || items.every((item) => columnOf(named.name).values(item).length === 0)
        ? []
        : [columnOf(named.name)]),
      { ...columnOf('title'), weight: 2 },
      { ...itemColumn('image', ({ image }) => [image.id]), whole: true },
      { ...itemColumn('pos', ({ position }) => [String(position)]), align: 'right' },
      itemColumn('largest', ({ image }) => {
        const largest = largestDerivative(image);
        return largest ? [`${largest.identifier} ${sizeText(largest)}`.trim()] : [];
      }),
      itemColumn('color', ({ image }) => {
        const [main] = mainColors(image);
        return main ? [main.name || `#${main.hex}`] : [];
      }),
      columnOf('labels'),
    ],
    flat: (item) => item,
    card: async (item, terminal) => renderObjectCard(asObject(item), terminal),
  };
}

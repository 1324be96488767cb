/** The schemas of items that are not records: their columns are the keys of the JSON objects. */
import { type ItemKeys, SERVICE_ITEMS } from '../../service/endpoints/items.js';
import { asObject, asText, isObject, type Json, type JsonObject } from '../../service/json.js';
import type { ItemColumn, ItemSchema } from '../description/item-schema.js';
import { type ItemsResult, toSinglePage } from '../description/result.js';

const ITEMS = {
  ...SERVICE_ITEMS,
  related: { idKeys: ['relatedRecordId'], defaultColumns: ['relatedRecordId', 'title', 'slug'] },
  fieldUse: {
    idKeys: ['column'],
    defaultColumns: [
      'column',
      'label',
      'filled',
      'empty',
      'percent',
      'most',
      'example',
      'attributes',
      'views',
      'placeholders',
    ],
  },
  dateFigures: {
    idKeys: ['column'],
    defaultColumns: [
      'column',
      'values',
      'read',
      'compared',
      'equal',
      'equalPercent',
      'different',
      'differentPercent',
      'unread',
      'examples',
    ],
  },
  duplicate: { idKeys: ['id'], defaultColumns: [] },
  field: { idKeys: ['identifier', 'fieldName'], defaultColumns: ['identifier', 'fieldName', 'label'] },
  migration: { idKeys: ['text'], defaultColumns: ['before', 'text', 'status'] },
  setting: { idKeys: ['setting'], defaultColumns: ['setting', 'value', 'from'] },
  profile: { idKeys: ['name'], defaultColumns: ['current', 'name', 'scheme', 'baseUrl'] },
  check: { idKeys: ['id'], defaultColumns: ['id', 'promise', 'deviation', 'source'] },
  checkResult: { idKeys: ['id'], defaultColumns: ['id', 'verdict', 'milliseconds', 'received'] },
  slice: { idKeys: ['slice'], defaultColumns: ['slice', 'records', 'what'] },
  response: { idKeys: ['id'], defaultColumns: [] },
  count: { idKeys: ['value'], defaultColumns: ['value', 'count'] },
} as const satisfies Readonly<Record<string, ItemKeys>>;

/** The column of items that are not objects. */
const VALUE_COLUMN = 'value';

export type ItemName = keyof typeof ITEMS;

export function createItemSchema(name: ItemName): ItemSchema {
  const { idKeys, defaultColumns }: ItemKeys = ITEMS[name];
  const id = (item: Json) => {
    const object = asObject(item);
    const key = idKeys.find((candidate) => object[candidate] !== undefined) ?? Object.keys(object)[0];
    return asText(typeof item === 'object' && item !== null ? object[key ?? ''] : item);
  };
  const column = (key: string, textOf = asText): ItemColumn => ({
    name: key,
    values: (item) =>
      isObject(item) ? readValues(item, key, textOf) : key === VALUE_COLUMN ? [asText(item)] : [],
    json: (item) => readKey(asObject(item), key) ?? null,
  });
  const keys = (items: readonly Json[]) => [
    ...new Set(items.flatMap((item) => (isObject(item) ? Object.keys(item) : [VALUE_COLUMN]))),
  ];
  return {
    id,
    column: (key) => (key === 'id' ? { name: 'id', values: (item) => [id(item)], json: id } : column(key)),
    unknownColumns: (names, items, known) => {
      const all = new Set([...keys(items), ...known, 'id']);
      return names.filter((key) => !all.has(key));
    },
    // An empty table also has a header, because readers of CSV reject an empty file.
    getAllColumns: (items) => (items.length === 0 ? defaultColumns : keys(items)).map((key) => column(key)),
    getDefaultColumns: (items) => {
      const all = new Set(keys(items));
      const known = defaultColumns.filter((key) => all.has(key));
      const chosen = known.length > 0 ? known : keys(items);
      return chosen.map((key) => ({
        ...column(key, getNameOrText),
        ...(isNumeric(items, key) && { align: 'right' as const }),
        ...(key === idKeys[0] && { isNeverCut: true as const }),
      }));
    },
    flat: (item) => item,
    card: async (item, terminal) =>
      (await import('./cards/object-card.js')).renderObjectCard(asObject(item), terminal),
  };
}

export function toItemsResult(
  items: readonly Json[],
  name: ItemName,
  { emptyMessage = '', ...more }: Partial<ItemsResult> = {},
): ItemsResult {
  return { kind: 'items', pages: toSinglePage(items), schema: createItemSchema(name), emptyMessage, ...more };
}

function readKey(item: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(item, key) ? item[key] : undefined;
}

function readValues(item: JsonObject, key: string, textOf: (value: unknown) => string): readonly string[] {
  const value = readKey(item, key);
  if (value === undefined || value === null || value === '') return [];
  return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
}

function isNumeric(items: readonly Json[], key: string): boolean {
  return items.every((item) => typeof asObject(item)[key] === 'number') && !/Id$/.test(key);
}

/** Returns the name of a nested object, such as a field of a view. */
function getNameOrText(value: unknown): string {
  const name = /^(identifier|title|name|label|\w+(Name|Title|Label))$/;
  const [, text] = (isObject(value) && Object.entries(value).find(([key]) => name.test(key))) || [];
  return asText(text) || asText(value);
}

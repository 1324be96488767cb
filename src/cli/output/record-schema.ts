/** The schema of records. */
import { isObject, type Json } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import {
  assertColumnCount,
  listColumnNames,
  listImageColumnNames,
  parseColumn,
  RECORD_COLUMN_NAMES,
} from '../../service/records/columns.js';
import { toFlatJson } from '../../service/records/flat-json.js';
import { type CollectionRecord, readRecord } from '../../service/records/record.js';
import type { ItemColumn, ItemSchema } from '../description/item-schema.js';
import type { TableInput } from '../options/table.js';

/** Fields that registrars need most often (identifiers of real deployments). */
const FAMILIAR_FIELDS = [
  'accession_no',
  'maker_name',
  'production_date',
  'life_dates',
  'birth_place',
  'address',
];

/** `plain` converts the HTML of a record to plain text. */
export function createRecordSchema(
  kind: Kind,
  plain?: (record: CollectionRecord) => CollectionRecord,
): ItemSchema {
  const read = createRecordReader(kind, plain);
  const column = (name: string): ItemColumn => {
    const { values, isList } = parseColumn(name);
    return {
      name,
      ...(/\.count$/.test(name) && { align: 'right' as const }),
      ...(name === 'id' && { isNeverCut: true as const }),
      ...(name === 'title' && { weight: 2 }),
      values: (item) => values(read(item)),
      ...(!isList && { json: (item: Json) => toSingleValue(name, values(read(item))) }),
    };
  };
  return {
    id: (item) => read(item).id,
    column,
    unknownColumns: (names, items, known) => {
      const fields = new Set([...known, ...items.flatMap((item) => [...read(item).fields.keys()])]);
      return names.filter((name) => {
        const { field } = parseColumn(name);
        return field !== undefined && !name.startsWith('field.') && !fields.has(field);
      });
    },
    getAllColumns: (items, withAttributes) => {
      const names = items.flatMap((item) =>
        listColumnNames(read(item), { withAttributes, withRelatedIds: withAttributes }),
      );
      const distinct = new Set([...RECORD_COLUMN_NAMES, ...names]);
      if (items.length > 1)
        assertColumnCount(distinct.size, 'the table', 'choose columns with --columns, or use -f ndjson');
      return [...distinct].map(column);
    },
    listImageColumns: (items) => items.flatMap((item) => listImageColumnNames(read(item))),
    getDefaultColumns: (items) => {
      const present = (name: string) => items.some((item) => parseColumn(name).values(read(item)).length > 0);
      const mixed = new Set(items.map((item) => read(item).recordType)).size > 1 || kind === 'records';
      return ['id', ...(mixed ? ['recordType'] : []), 'title', ...FAMILIAR_FIELDS.filter(present)].map(
        column,
      );
    },
    flat: (item) => toFlatJson(read(item)),
    card: async (item, terminal, labels) =>
      (await import('./cards/record-card.js')).renderRecordCard(read(item), terminal, labels),
  };
}

export async function createRecordTable(
  kind: Kind,
  table: TableInput,
): Promise<{ readonly schema: ItemSchema; readonly table: TableInput }> {
  const { stripHtmlFromRecord } = table.plainText
    ? await import('../../records/cells/plain-text.js')
    : { stripHtmlFromRecord: undefined };
  return { schema: createRecordSchema(kind, stripHtmlFromRecord), table };
}

function toSingleValue(name: string, [value]: readonly string[]): Json {
  return name === 'image.count' ? Number(value) : (value ?? null);
}

/** Parses a record only once, even if several columns need it. */
function createRecordReader(
  kind: Kind,
  plain = (record: CollectionRecord) => record,
): (item: Json) => CollectionRecord {
  const cache = new WeakMap<object, CollectionRecord>();
  return (item) => {
    if (!isObject(item)) return plain(readRecord(item, kind));
    const record = cache.get(item) ?? plain(readRecord(item, kind));
    cache.set(item, record);
    return record;
  };
}

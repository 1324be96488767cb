/**
 * The columns of a Parquet file: their types, and their values for a record. Which there are, and which attributes are dates,
 * shows only after all records, so the records are read twice: once to find the columns, once for their values.
 */
import type { SchemaElement } from 'hyparquet';
import { dayOf } from '../../records/cells/day.js';
import type { Column } from '../../service/records/columns.js';
import {
  type CollectionRecord,
  type FieldValue,
  type Image,
  largestDerivative,
  type Relationship,
} from '../../service/records/record.js';

/** From 0001-01-01 to 9999-12-31, in days since 1970: other dates pandas, Spark and BigQuery do not read. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

type Type = 'text' | 'integer' | 'date' | { readonly list: Type } | { readonly struct: Members };
type Members = readonly (readonly [name: string, type: Type])[];

export interface ParquetColumn {
  readonly name: string;
  readonly type: Type;
  readonly value: (record: CollectionRecord) => unknown;
}

/** Feed it all records before asking for `columns`, if it wants to see any. */
export interface ColumnFinder {
  readonly see?: (record: CollectionRecord) => void;
  readonly columns: () => readonly ParquetColumn[];
}

/** The columns of `--columns`, with several values as a list. */
export function chosenFinder(chosen: readonly Column[], hasDates: boolean): ColumnFinder {
  const attributes = hasDates ? chosen.filter(({ name }) => name.includes('@')) : [];
  const dates = new Map(attributes.map((column) => [column, new DateTest()]));
  const see = (record: CollectionRecord) => {
    for (const [{ values }, test] of dates) for (const text of values(record)) test.see(text);
  };
  return {
    ...(dates.size > 0 && { see }),
    columns: () => chosen.map((column) => chosenColumn(column, dates.get(column)?.isDate ? 'date' : 'text')),
  };
}

function chosenColumn({ name, field, isList, values }: Column, text: Type): ParquetColumn {
  const isNumber = field === undefined && /^image\.(count|[A-Z]+\.(width|height))$/.test(name);
  const leaf = isNumber ? 'integer' : text;
  const read = (record: CollectionRecord) => values(record).map((each) => leafOf(leaf, each));
  if (!isList) return { name, type: leaf, value: (record) => read(record)[0] ?? null };
  return { name, type: { list: leaf }, value: read };
}

/** Every field of the records. */
export function allFinder(hasDates: boolean): ColumnFinder {
  const fields = new Map<string, Map<string, DateTest>>();
  return {
    see(record) {
      for (const [identifier, values] of record.fields) {
        const attributes = fields.get(identifier) ?? new Map<string, DateTest>();
        fields.set(identifier, attributes);
        for (const value of values) seeAttributes(attributes, value);
      }
    },
    columns() {
      const free = freeNames('field.', [...RECORD_COLUMNS, ...LAST_COLUMNS]);
      const found = [...fields].flatMap(([identifier, attributes]) => {
        const name = free(identifier);
        const values = valuesColumn(name, identifier);
        if (attributes.size === 0) return [values];
        return [values, attributesColumn(free(`${name}_attributes`), identifier, attributes, hasDates)];
      });
      return [...RECORD_COLUMNS, ...found, ...LAST_COLUMNS];
    },
  };
}

/** Gives each name back, with the prefix where another has it, also in other case, which DuckDB and Spark do not tell apart. */
function freeNames(prefix: string, others: readonly { readonly name: string }[] = []) {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  return function free(name: string): string {
    if (taken.has(name.toLowerCase())) return free(prefix + name);
    taken.add(name.toLowerCase());
    return name;
  };
}

function seeAttributes(attributes: Map<string, DateTest>, value: FieldValue): void {
  for (const [key, text] of value.attributes) {
    const test = attributes.get(key) ?? new DateTest();
    attributes.set(key, test);
    test.see(text);
  }
}

function structOf(members: Readonly<Record<string, Type>>): Type {
  return { struct: Object.entries(members) };
}

const text = (name: string, value: (record: CollectionRecord) => string): ParquetColumn => ({
  name,
  type: 'text',
  value: (record) => value(record) || null,
});

const RECORD_COLUMNS: readonly ParquetColumn[] = [
  text('id', ({ id }) => id),
  text('recordType', ({ recordType }) => recordType),
  text('title', ({ title }) => title),
  text('slug', ({ slug }) => slug),
  {
    name: 'collection',
    type: structOf({ id: 'text', name: 'text' }),
    value: ({ collection }) => collection ?? null,
  },
];

const IMAGE = structOf({
  id: 'text',
  caption: 'text',
  url: 'text',
  width: 'integer',
  height: 'integer',
  labels: { list: 'text' },
  colors: { list: 'text' },
  attributes: { list: structOf({ key: 'text', value: 'text' }) },
});
const RELATED = structOf({ relationship: 'text', recordType: 'text', id: 'text', title: 'text' });

const LAST_COLUMNS: readonly ParquetColumn[] = [
  { name: 'images', type: { list: IMAGE }, value: ({ images }) => images.map(imageValue) },
  {
    name: 'relationships',
    type: { list: RELATED },
    value: ({ relationships }) => relationships.flatMap(relatedValues),
  },
];

function imageValue(image: Image) {
  const { url, width, height } = largestDerivative(image) ?? {};
  return {
    id: image.id,
    caption: image.caption,
    url: url ?? null,
    width: leafOf('integer', width),
    height: leafOf('integer', height),
    labels: image.labels.map(({ label }) => label),
    colors: image.cssColors.map(({ name, hex }) => name || hex),
    attributes: [...image.attributes].map(([key, value]) => ({ key, value })),
  };
}

function relatedValues({ id: relationship, recordType, records }: Relationship) {
  return records.map(({ id, title }) => ({ relationship, recordType, id, title }));
}

function valuesColumn(name: string, identifier: string): ParquetColumn {
  return {
    name,
    type: { list: 'text' },
    value: (record) => record.fields.get(identifier)?.map(({ value }) => value) ?? null,
  };
}

function attributesColumn(
  name: string,
  identifier: string,
  attributes: ReadonlyMap<string, DateTest>,
  hasDates: boolean,
): ParquetColumn {
  const free = freeNames('attribute.');
  const members = [...attributes].map(
    ([key, { isDate }]) => [free(key), hasDates && isDate ? 'date' : 'text', key] as const,
  );
  return {
    name,
    type: { list: { struct: members.map(([member, type]) => [member, type]) } },
    value: (record) =>
      record.fields.get(identifier)?.map((value) => {
        const struct: Record<string, unknown> = Object.create(null);
        for (const [member, type, key] of members) struct[member] = leafOf(type, value.attributes.get(key));
        return struct;
      }) ?? null,
  };
}

const INT32 = 2 ** 31;

function leafOf(type: Type, value: string | number | undefined): unknown {
  if (value === undefined) return null;
  if (type === 'integer') {
    const number = Number(value);
    return Number.isInteger(number) && Math.abs(number) < INT32 ? number : null;
  }
  return type === 'date' ? (dateOf(String(value)) ?? null) : value;
}

function dateOf(text: string): number | undefined {
  const day = dayOf(text);
  return day !== undefined && day >= FIRST_DAY && day <= LAST_DAY ? day : undefined;
}

/** Whether all texts seen, at least one, are calendar days. */
class DateTest {
  #days = 0;
  #others = 0;

  see(text: string): void {
    if (text === '') return;
    if (dateOf(text) !== undefined) this.#days++;
    else this.#others++;
  }

  get isDate(): boolean {
    return this.#days > 0 && this.#others === 0;
  }
}

/** The type in a Table Schema. */
export function typeName(type: ParquetColumn['type']): string {
  if (typeof type === 'string') return type === 'text' ? 'string' : type;
  return 'list' in type ? 'array' : 'object';
}

/** The schema of a file with these columns (the Parquet format's "Nested Types": LIST has a repeated group `list`). */
export function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length },
    ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
  ];
}

function elementsOf(name: string, type: Type): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (type === 'text') return [{ ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
  if (type === 'integer') return [{ ...optional, type: 'INT32' }];
  if (type === 'date') return [{ ...optional, type: 'INT32', converted_type: 'DATE' }];
  if ('list' in type) {
    return [
      { ...optional, converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...elementsOf('element', type.list),
    ];
  }
  return [
    { ...optional, num_children: type.struct.length },
    ...type.struct.flatMap(([member, memberType]) => elementsOf(member, memberType)),
  ];
}

/** The columns of a Parquet file. Which there are, and which attributes are dates, shows only after all records. */
import type { Column } from '../../service/records/columns.js';
import {
  type CollectionRecord,
  type Image,
  largestDerivative,
  type Relationship,
} from '../../service/records/record.js';
import { TextOrDate, type Type } from './parquet-types.js';

export interface ParquetColumn {
  readonly name: string;
  readonly type: Type;
  /** Undefined and null are nulls. */
  readonly read: (record: CollectionRecord) => unknown;
}

export interface ColumnSet {
  /** Missing where the columns are known before any record. */
  readonly see?: (record: CollectionRecord) => void;
  readonly columns: () => readonly ParquetColumn[];
}

/** The columns of `--columns`, with several values as a list. */
export function chosenSet(chosen: readonly Column[]): ColumnSet {
  const attributes = new Map(
    chosen.flatMap(({ name, values }) =>
      name.includes('@') ? [[name, { values, kind: new TextOrDate() }] as const] : [],
    ),
  );
  return {
    ...(attributes.size > 0 && {
      see: (record) => {
        for (const { values, kind } of attributes.values()) for (const text of values(record)) kind.see(text);
      },
    }),
    columns: () =>
      chosen.map(({ name, field, isList, values }) => {
        const isNumber = field === undefined && /^image\.(count|[A-Z]+\.(width|height))$/.test(name);
        const type = isNumber ? 'integer' : (attributes.get(name)?.kind.type ?? 'text');
        return isList
          ? { name, type: { list: type }, read: values }
          : { name, type, read: (record) => values(record)[0] };
      }),
  };
}

/** Every field of the records. */
export function foundSet(): ColumnSet {
  /** The attributes of each field. */
  const fields = new Map<string, Map<string, TextOrDate>>();
  return {
    see(record) {
      for (const [identifier, values] of record.fields) {
        const attributes = fields.get(identifier) ?? new Map<string, TextOrDate>();
        fields.set(identifier, attributes);
        for (const [key, text] of values.flatMap((value) => [...value.attributes])) {
          const kind = attributes.get(key) ?? new TextOrDate();
          attributes.set(key, kind);
          kind.see(text);
        }
      }
    },
    columns() {
      const free = freeNames('field.', [...RECORD_COLUMNS, ...LAST_COLUMNS]);
      const found = [...fields].flatMap(([identifier, attributes]) =>
        fieldColumns(identifier, attributes, free),
      );
      return [...RECORD_COLUMNS, ...found, ...LAST_COLUMNS];
    },
  };
}

/** The values of a field in one list, and their attributes in another of the same length. */
function fieldColumns(
  identifier: string,
  attributes: ReadonlyMap<string, TextOrDate>,
  free: (name: string) => string,
): readonly ParquetColumn[] {
  const name = free(identifier);
  const values: ParquetColumn = {
    name,
    type: { list: 'text' },
    read: ({ fields }) => fields.get(identifier)?.map(({ value }) => value),
  };
  if (attributes.size === 0) return [values];
  const freeKey = freeNames('attribute.');
  const members = [...attributes].map(([key, { type }]) => ({ key, name: freeKey(key), type }));
  return [
    values,
    {
      name: free(`${name}_attributes`),
      type: { list: { struct: Object.fromEntries(members.map((each) => [each.name, each.type])) } },
      read: ({ fields }) =>
        fields
          .get(identifier)
          ?.map((value) =>
            Object.fromEntries(members.map((each) => [each.name, value.attributes.get(each.key)])),
          ),
    },
  ];
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

const text = (name: string, value: (record: CollectionRecord) => string): ParquetColumn => ({
  name,
  type: 'text',
  read: (record) => value(record) || null,
});

const RECORD_COLUMNS: readonly ParquetColumn[] = [
  text('id', ({ id }) => id),
  text('recordType', ({ recordType }) => recordType),
  text('title', ({ title }) => title),
  text('slug', ({ slug }) => slug),
  {
    name: 'collection',
    type: { struct: { id: 'text', name: 'text' } },
    read: ({ collection }) => collection,
  },
];

const IMAGE: Type = {
  struct: {
    id: 'text',
    caption: 'text',
    url: 'text',
    width: 'integer',
    height: 'integer',
    labels: { list: 'text' },
    colors: { list: 'text' },
    attributes: { list: { struct: { key: 'text', value: 'text' } } },
  },
};
const RELATED: Type = { struct: { relationship: 'text', recordType: 'text', id: 'text', title: 'text' } };

const LAST_COLUMNS: readonly ParquetColumn[] = [
  { name: 'images', type: { list: IMAGE }, read: ({ images }) => images.map(imageValue) },
  {
    name: 'relationships',
    type: { list: RELATED },
    read: ({ relationships }) => relationships.flatMap(relatedValues),
  },
];

function imageValue(image: Image) {
  const { url, width, height } = largestDerivative(image) ?? {};
  return {
    id: image.id,
    caption: image.caption,
    url,
    width,
    height,
    labels: image.labels.map(({ label }) => label),
    colors: image.cssColors.map(({ name, hex }) => name || hex),
    attributes: [...image.attributes].map(([key, value]) => ({ key, value })),
  };
}

function relatedValues({ id: relationship, recordType, records }: Relationship) {
  return records.map(({ id, title }) => ({ relationship, recordType, id, title }));
}

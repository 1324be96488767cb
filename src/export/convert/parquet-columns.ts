/** The columns of a Parquet file. */
import { assertColumnCount, type Column } from '../../service/records/columns.js';
import {
  type CollectionRecord,
  findLargestDerivative,
  type Image,
  type Relationship,
} from '../../service/records/record.js';
import {
  createNode,
  type EncodedLeaf,
  FieldLeaves,
  type Leaf,
  type SchemaNode,
  type Type,
} from './parquet-leaves.js';

export interface NamedNode {
  readonly name: string;
  readonly node: SchemaNode;
}

export interface ColumnSet {
  readonly add: (record: CollectionRecord) => void;
  /** Encodes the rows since the last call. */
  readonly encode: () => [Leaf, EncodedLeaf][];
  readonly columns: () => readonly NamedNode[];
}

interface FixedColumn {
  readonly name: string;
  readonly type: Type;
  readonly read: (record: CollectionRecord) => unknown;
}

function createFixedSet(columns: readonly FixedColumn[]): ColumnSet {
  const nodes = columns.map(({ name, type, read }) => ({ name, node: createNode(type), read }));
  return {
    add(record) {
      for (const { node, read } of nodes) node.add(read(record), 0, 0);
    },
    encode: () =>
      nodes.flatMap(({ name, node }) =>
        node.leaves(name).map(({ leaf }): [Leaf, EncodedLeaf] => [leaf, leaf.encode()]),
      ),
    columns: () => nodes,
  };
}

/** Columns that can have several values are lists. */
export function createChosenSet(chosen: readonly Column[]): ColumnSet {
  return createFixedSet(
    chosen.map(({ name, field, isList, values }) => {
      const isNumber = field === undefined && /^image\.(count|[A-Z]+\.(width|height))$/.test(name);
      const leaf = isNumber ? 'integer' : name.includes('@') ? 'attribute' : 'text';
      return isList
        ? { name, type: { list: leaf }, read: values }
        : { name, type: leaf, read: (record) => values(record)[0] };
    }),
  );
}

/** Adds the columns of a field when a record first has the field. */
export function createDiscoveredSet(): ColumnSet {
  const first = createFixedSet(RECORD_COLUMNS);
  const last = createFixedSet(LAST_COLUMNS);
  const fields = new Map<string, FieldLeaves>();
  let rows = 0;
  let count = 0;
  return {
    add(record) {
      first.add(record);
      for (const [identifier, values] of record.fields) {
        const leaves = fields.get(identifier) ?? new FieldLeaves();
        const keys = new Set(values.flatMap(({ attributes }) => [...attributes.keys()]));
        count +=
          [...keys].filter((key) => !leaves.attributes.has(key)).length + (fields.has(identifier) ? 0 : 1);
        assertColumnCount(
          count,
          'the Parquet file',
          'choose columns with --columns, or export CSV or NDJSON',
        );
        fields.set(identifier, leaves);
        leaves.add(rows, values);
      }
      last.add(record);
      rows++;
    },
    encode() {
      const found = [...fields.values()].flatMap((leaves) => leaves.encode(rows));
      rows = 0;
      return [...first.encode(), ...found, ...last.encode()];
    },
    columns() {
      const allocateName = createNameAllocator('field.', [...RECORD_COLUMNS, ...LAST_COLUMNS]);
      const found = [...fields].flatMap(([identifier, leaves]) => {
        const name = allocateName(identifier);
        const values = { name, node: leaves.valuesNode };
        if (leaves.attributes.size === 0) return [values];
        return [
          values,
          {
            name: allocateName(`${name}_attributes`),
            node: leaves.attributesNode(createNameAllocator('attribute.')),
          },
        ];
      });
      return [...first.columns(), ...found, ...last.columns()];
    },
  };
}

/** Adds `prefix` to a name that is already used. Ignores case in names, as DuckDB and Spark do. */
function createNameAllocator(prefix: string, others: readonly { readonly name: string }[] = []) {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  return function allocateName(name: string): string {
    if (taken.has(name.toLowerCase())) return allocateName(prefix + name);
    taken.add(name.toLowerCase());
    return name;
  };
}

const createTextColumn = (name: string, value: (record: CollectionRecord) => string): FixedColumn => ({
  name,
  type: 'text',
  read: (record) => value(record) || null,
});

const RECORD_COLUMNS: readonly FixedColumn[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('recordType', ({ recordType }) => recordType),
  createTextColumn('title', ({ title }) => title),
  createTextColumn('slug', ({ slug }) => slug),
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

const LAST_COLUMNS: readonly FixedColumn[] = [
  { name: 'images', type: { list: IMAGE }, read: ({ images }) => images.map(toImageValue) },
  {
    name: 'relationships',
    type: { list: RELATED },
    read: ({ relationships }) => relationships.flatMap(toRelatedValues),
  },
];

function toImageValue(image: Image) {
  const { url, width, height } = findLargestDerivative(image) ?? {};
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

function toRelatedValues({ id: relationship, recordType, records }: Relationship) {
  return records.map(({ id, title }) => ({ relationship, recordType, id, title }));
}

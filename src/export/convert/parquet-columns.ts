/**
 * The columns of a Parquet file and their values for a record. Which there are, and which attributes are dates, shows only after
 * all records: columns and attributes are added while records are read, and a leaf decides its type at the end.
 */
import type { Column } from '../../service/records/columns.js';
import {
  type CollectionRecord,
  findLargestDerivative,
  type Image,
  type Relationship,
} from '../../service/records/record.js';
import {
  type EncodedLeaf,
  FieldLeaves,
  type Leaf,
  nodeOf,
  type SliceNode,
  type Type,
} from './parquet-leaves.js';

export interface NamedNode {
  readonly name: string;
  readonly node: SliceNode;
}

export interface ColumnSet {
  /** Adds a record as a row. */
  readonly add: (record: CollectionRecord) => void;
  /** The chunks of the rows since the last call. */
  readonly encode: () => [Leaf, EncodedLeaf][];
  /** As far as they are found. */
  readonly columns: () => readonly NamedNode[];
}

interface FixedColumn {
  readonly name: string;
  readonly type: Type;
  readonly read: (record: CollectionRecord) => unknown;
}

function fixedSet(columns: readonly FixedColumn[]): ColumnSet {
  const nodes = columns.map(({ name, type, read }) => ({ name, node: nodeOf(type), read }));
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

/** The columns of `--columns`, with several values as a list. */
export function chosenSet(chosen: readonly Column[]): ColumnSet {
  return fixedSet(
    chosen.map(({ name, field, isList, values }) => {
      const isNumber = field === undefined && /^image\.(count|[A-Z]+\.(width|height))$/.test(name);
      const leaf = isNumber ? 'integer' : name.includes('@') ? 'attribute' : 'text';
      return isList
        ? { name, type: { list: leaf }, read: values }
        : { name, type: leaf, read: (record) => values(record)[0] };
    }),
  );
}

/** Every field of the records. */
export function foundSet(): ColumnSet {
  const first = fixedSet(RECORD_COLUMNS);
  const last = fixedSet(LAST_COLUMNS);
  const fields = new Map<string, FieldLeaves>();
  let rows = 0;
  return {
    add(record) {
      first.add(record);
      for (const [identifier, values] of record.fields) {
        const leaves = fields.get(identifier) ?? new FieldLeaves();
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
      const free = createNameAllocator('field.', [...RECORD_COLUMNS, ...LAST_COLUMNS]);
      const found = [...fields].flatMap(([identifier, leaves]) => {
        const name = free(identifier);
        const values = { name, node: leaves.valuesNode };
        if (leaves.attributes.size === 0) return [values];
        return [
          values,
          {
            name: free(`${name}_attributes`),
            node: leaves.attributesNode(createNameAllocator('attribute.')),
          },
        ];
      });
      return [...first.columns(), ...found, ...last.columns()];
    },
  };
}

/** Gives each name back, with the prefix where another has it, also in other case, which DuckDB and Spark do not tell apart. */
function createNameAllocator(prefix: string, others: readonly { readonly name: string }[] = []) {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  return function free(name: string): string {
    if (taken.has(name.toLowerCase())) return free(prefix + name);
    taken.add(name.toLowerCase());
    return name;
  };
}

const text = (name: string, value: (record: CollectionRecord) => string): FixedColumn => ({
  name,
  type: 'text',
  read: (record) => value(record) || null,
});

const RECORD_COLUMNS: readonly FixedColumn[] = [
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

const LAST_COLUMNS: readonly FixedColumn[] = [
  { name: 'images', type: { list: IMAGE }, read: ({ images }) => images.map(imageValue) },
  {
    name: 'relationships',
    type: { list: RELATED },
    read: ({ relationships }) => relationships.flatMap(relatedValues),
  },
];

function imageValue(image: Image) {
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

function relatedValues({ id: relationship, recordType, records }: Relationship) {
  return records.map(({ id, title }) => ({ relationship, recordType, id, title }));
}

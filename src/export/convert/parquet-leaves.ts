/** Divides nested values into leaves (columns without inner columns) and levels. See "Nested Encoding" in the Parquet format. */
import type { SchemaElement } from 'hyparquet';
import { parseDay } from '../../records/cells/parse-day.js';
import type { FieldValue } from '../../service/records/record.js';
import { type Chunk, encodeChunk, Levels, type MaxLevels, Values } from './parquet-chunk.js';

/** `attribute`: dates if all values are dates, otherwise text. */
export type Type = LeafType | { readonly list: Type } | { readonly struct: Readonly<Record<string, Type>> };
type LeafType = 'text' | 'integer' | 'attribute';

export interface EncodedLeaf {
  readonly chunk: Chunk;
  /** The values as dates; undefined if the type is not `attribute`, or if a value was not a date. */
  readonly asDates?: Chunk | undefined;
}

export interface PlacedLeaf {
  readonly leaf: Leaf;
  readonly path: readonly string[];
}

export interface SchemaNode {
  /** The type in a Table Schema (a Frictionless Data standard). */
  readonly typeName: () => string;
  readonly elements: (name: string) => SchemaElement[];
  readonly leaves: (name: string) => readonly PlacedLeaf[];
}

export interface ValueNode extends SchemaNode {
  /** Adds a value; undefined counts as null. `repetition` and `definition`: the levels of the value that the parent knows. */
  readonly add: (value: unknown, repetition: number, definition: number) => void;
}

export function createNode(type: Type, repetition = 0, definition = 0): ValueNode {
  if (typeof type === 'string') return new Leaf(type, { repetition, definition: definition + 1 });
  if ('list' in type)
    return createListNode(createNode(type.list, repetition + 1, definition + 2), repetition + 1);
  const members = Object.entries(type.struct).map(([name, member]): [string, ValueNode] => [
    name,
    createNode(member, repetition, definition + 1),
  ]);
  return {
    ...createStructSchema(members),
    add(value, repetitionNow, definitionNow) {
      const struct = value as Readonly<Record<string, unknown>> | null | undefined;
      for (const [name, member] of members)
        member.add(struct?.[name], repetitionNow, struct ? definitionNow + 1 : definitionNow);
    },
  };
}

function createListNode(item: ValueNode, itemRepetition: number): ValueNode {
  return {
    ...createListSchema(item),
    add(value, repetition, definition) {
      const items = value as readonly unknown[] | null | undefined;
      if (!items) item.add(undefined, repetition, definition);
      else if (items.length === 0) item.add(undefined, repetition, definition + 1);
      for (const [n, each] of items?.entries() ?? [])
        item.add(each, n === 0 ? repetition : itemRepetition, definition + 2);
    },
  };
}

function createListSchema(item: SchemaNode): SchemaNode {
  return {
    typeName: () => 'array',
    elements: (name) => [
      { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...item.elements('element'),
    ],
    leaves: (name) => addPath([name, 'list'], item.leaves('element')),
  };
}

function createStructSchema(members: readonly (readonly [name: string, node: SchemaNode])[]): SchemaNode {
  return {
    typeName: () => 'object',
    elements: (name) => [
      { name, repetition_type: 'OPTIONAL', num_children: members.length },
      ...members.flatMap(([member, node]) => node.elements(member)),
    ],
    leaves: (name) => members.flatMap(([member, node]) => addPath([name], node.leaves(member))),
  };
}

function addPath(names: readonly string[], leaves: readonly PlacedLeaf[]): readonly PlacedLeaf[] {
  return leaves.map(({ leaf, path }) => ({ leaf, path: [...names, ...path] }));
}

const TEXT: SchemaElement = {
  name: '',
  repetition_type: 'OPTIONAL',
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
};
const INTEGER: SchemaElement = { name: '', repetition_type: 'OPTIONAL', type: 'INT32' };
const DATE: SchemaElement = { ...INTEGER, converted_type: 'DATE' };

export class Leaf implements ValueNode {
  readonly max: MaxLevels;
  levels = new Levels();
  protected values = new Values();
  readonly #type: LeafType;
  #rows = 0;
  #days = 0;
  #others = 0;

  constructor(type: LeafType, max: MaxLevels) {
    this.#type = type;
    this.max = max;
  }

  add(value: unknown, repetition: number, definition: number): void {
    const parsed = this.#type === 'integer' ? parseInt32(value) : (value as string | null | undefined);
    const isNull = parsed === undefined || parsed === null;
    this.levels.add(repetition, isNull ? definition : this.max.definition);
    if (!isNull) this.addValue(parsed);
    if (repetition === 0) this.#rows++;
  }

  protected addValue(value: string | number): void {
    const before = this.values.distinct.length;
    this.values.add(value);
    if (this.#type !== 'attribute' || value === '' || this.values.distinct.length === before) return;
    if (parseDate(String(value)) !== undefined) this.#days++;
    else this.#others++;
  }

  get isDate(): boolean {
    return this.#days > 0 && this.#others === 0;
  }

  typeName(): string {
    return this.isDate ? 'date' : this.#type === 'integer' ? 'integer' : 'string';
  }

  elements(name: string): SchemaElement[] {
    return [{ ...(this.isDate ? DATE : this.#type === 'integer' ? INTEGER : TEXT), name }];
  }

  leaves(name: string): readonly PlacedLeaf[] {
    return [{ leaf: this, path: [name] }];
  }

  padTo(rows: number): void {
    while (this.#rows < rows) this.add(undefined, 0, 0);
  }

  encode(): EncodedLeaf {
    const { levels, values, max } = this;
    const chunk = encodeChunk(this.#type === 'integer' ? INTEGER : TEXT, max, levels, values);
    const canBeDate = this.#type === 'attribute' && this.#others === 0;
    const asDates = canBeDate ? encodeChunk(DATE, max, ...convertToDates(levels, max, values)) : undefined;
    this.levels = new Levels();
    this.values = new Values();
    this.#rows = 0;
    return { chunk, asDates };
  }

  encodeNulls(rows: number): Chunk {
    const empty = new Leaf(this.#type, this.max);
    empty.padTo(rows);
    return empty.encode().chunk;
  }
}

/** The values of a field as a list, and the attributes of each value as a second list with the same length. */
export class FieldLeaves {
  readonly values = new Leaf('text', { repetition: 1, definition: 3 });
  readonly attributes = new Map<string, AttributeLeaf>();
  /** Contains only nulls, for row groups that were written before an attribute was found. */
  readonly #empty = new AttributeLeaf();

  /** `row`: the number of earlier rows in the row group, including rows without the field. */
  add(row: number, values: readonly FieldValue[]): void {
    this.values.padTo(row);
    if (values.length === 0) this.values.add(undefined, 0, 1);
    for (const [n, { value, attributes }] of values.entries()) {
      for (const [key, text] of attributes) {
        const attribute = this.attributes.get(key) ?? new AttributeLeaf(this.#empty);
        this.attributes.set(key, attribute);
        attribute.addAt(this.values.levels.count, text);
      }
      this.values.add(value, n === 0 ? 0 : 1, 2);
    }
  }

  encode(rows: number): [Leaf, EncodedLeaf][] {
    this.values.padTo(rows);
    const { levels } = this.values;
    const attributes = [this.#empty, ...this.attributes.values()];
    return [
      ...attributes.map((leaf): [Leaf, EncodedLeaf] => [leaf, leaf.encodeWithin(levels)]),
      [this.values, this.values.encode()],
    ];
  }

  get valuesNode(): SchemaNode {
    return createListSchema(this.values);
  }

  attributesNode(getName: (key: string) => string): SchemaNode {
    return createListSchema(
      createStructSchema([...this.attributes].map(([key, leaf]) => [getName(key), leaf])),
    );
  }
}

/** An attribute of the values of a field. Values without the attribute become null. */
export class AttributeLeaf extends Leaf {
  readonly empty: AttributeLeaf | undefined;
  #positions: number[] = [];

  constructor(empty?: AttributeLeaf) {
    super('attribute', { repetition: 1, definition: 4 });
    this.empty = empty;
  }

  /** `position`: the position of the value in the levels of its field. */
  addAt(position: number, text: string): void {
    this.#positions.push(position);
    this.addValue(text);
  }

  encodeWithin({ repetition, definition, count }: Levels): EncodedLeaf {
    this.levels = Object.assign(new Levels(), { repetition, definition: definition.slice(), count });
    for (const position of this.#positions) this.levels.definition[position] = this.max.definition;
    this.#positions = [];
    return this.encode();
  }
}

/** Converts texts to days since 1970. Empty text becomes null. */
function convertToDates(levels: Levels, max: MaxLevels, values: Values): [Levels, Values] {
  const days = values.distinct.map((text) => parseDate(String(text)));
  const dated = { levels: new Levels(), values: new Values() };
  let next = 0;
  for (let n = 0; n < levels.count; n++) {
    const definition = levels.definition[n] as number;
    const day = definition === max.definition ? days[values.indices[next++] as number] : undefined;
    if (day !== undefined) dated.values.add(day);
    dated.levels.add(
      levels.repetition[n] as number,
      day === undefined ? Math.min(definition, max.definition - 1) : definition,
    );
  }
  return [dated.levels, dated.values];
}

/** 0001-01-01 and 9999-12-31 in days since 1970. pandas, Spark and BigQuery cannot read other dates. */
const MIN_DAY = -719_162;
const MAX_DAY = 2_932_896;

function parseDate(text: string): number | undefined {
  const day = parseDay(text);
  return day !== undefined && day >= MIN_DAY && day <= MAX_DAY ? day : undefined;
}

const INT32 = 2 ** 31;

function parseInt32(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = Number(value);
  return Number.isInteger(number) && Math.abs(number) < INT32 ? number : undefined;
}

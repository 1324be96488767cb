/** The types of Parquet columns: their schema, and values as the writer takes them. */
import type { SchemaElement } from 'hyparquet';
import { dayOf } from '../../records/cells/day.js';

/** A date is a text of a calendar day, or empty. */
export type Type = LeafType | { readonly list: Type } | { readonly struct: Readonly<Record<string, Type>> };
type LeafType = 'text' | 'integer' | 'date';

const LEAVES: Readonly<Record<LeafType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  date: { type: 'INT32', converted_type: 'DATE' },
};

/** Lists are `optional group (LIST) { repeated group list { optional element } }`. */
export function elementsOf(name: string, type: Type): SchemaElement[] {
  if (typeof type === 'string') return [{ name, repetition_type: 'OPTIONAL', ...LEAVES[type] }];
  if ('list' in type)
    return [
      { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...elementsOf('element', type.list),
    ];
  const members = Object.entries(type.struct);
  return [
    { name, repetition_type: 'OPTIONAL', num_children: members.length },
    ...members.flatMap(([member, each]) => elementsOf(member, each)),
  ];
}

/** The type in a Table Schema. */
export function typeName(type: Type): string {
  if (typeof type !== 'string') return 'list' in type ? 'array' : 'object';
  return type === 'text' ? 'string' : type;
}

/** The value in that type, null where it is missing or cannot be one. */
export function parquetValue(type: Type, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (type === 'text') return value;
  if (type === 'integer') return integerOf(value);
  if (type === 'date') return dateOf(String(value)) ?? null;
  if ('list' in type) return (value as readonly unknown[]).map((each) => parquetValue(type.list, each));
  const struct = new Map(Object.entries(value));
  return Object.fromEntries(
    Object.entries(type.struct).map(([name, each]) => [name, parquetValue(each, struct.get(name))]),
  );
}

const INT32 = 2 ** 31;

function integerOf(value: unknown): number | null {
  const number = Number(value);
  return Number.isInteger(number) && Math.abs(number) < INT32 ? number : null;
}

/** From 0001-01-01 to 9999-12-31, in days since 1970: other dates pandas, Spark and BigQuery do not read. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

function dateOf(text: string): number | undefined {
  const day = dayOf(text);
  return day !== undefined && day >= FIRST_DAY && day <= LAST_DAY ? day : undefined;
}

/** Finds out whether all texts, at least one, are calendar days. */
export class TextOrDate {
  #days = 0;
  #others = 0;

  see(text: string): void {
    if (text === '') return;
    if (this.#others === 0 && dateOf(text) !== undefined) this.#days++;
    else this.#others++;
  }

  get type(): 'text' | 'date' {
    return this.#days > 0 && this.#others === 0 ? 'date' : 'text';
  }
}

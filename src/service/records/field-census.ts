/** Counts which columns some records fill, and compares them with what the views of a deployment name. */
import { column, columnNames, fieldColumnName } from './columns.js';
import { type CollectionRecord, valuesOf } from './record.js';

export interface PublishedField {
  readonly identifier: string;
  readonly label: string;
  readonly views: readonly string[];
}

export interface FieldUse {
  readonly column: string;
  readonly label: string;
  readonly filled: number;
  /** Records without a value. */
  readonly empty: number;
  /** 0 to 100; 0 when there are no records. */
  readonly percent: number;
  readonly most: number;
  readonly attributes: readonly string[];
  readonly example: string;
  readonly views: readonly string[];
}

const BESIDE_FIELDS = ['image.url', 'label'] as const;

/** Counts the fields of the views, also those no record fills, then other fields, relationships and images. */
export function fieldCensus(
  records: readonly CollectionRecord[],
  published: readonly PublishedField[],
): FieldUse[] {
  const named = new Map(published.map((field) => [fieldColumnName(field.identifier), field]));
  const seen = records.flatMap((record) => columnNames(record));
  const names = [...new Set([...named.keys(), ...seen])];
  const isField = (name: string) => column(name).field !== undefined;
  const fields = names.filter(isField);
  const relationships = names.filter((name) => !isField(name));
  const beside = BESIDE_FIELDS.filter((name) => records.some((each) => column(name).values(each).length > 0));
  return [...fields, ...relationships, ...beside].map((name) => useOf(name, records, named.get(name)));
}

/** The census of many records from those of their pages; `size` is the number of all records. */
export function mergedCensus(pages: readonly (readonly FieldUse[])[], size: number): FieldUse[] {
  const merged = new Map<string, FieldUse>();
  for (const use of pages.flat()) {
    const before = merged.get(use.column) ?? { ...use, filled: 0 };
    const filled = before.filled + use.filled;
    merged.set(use.column, {
      ...before,
      filled,
      empty: size - filled,
      percent: percentOf(filled, size),
      most: Math.max(before.most, use.most),
      attributes: [...new Set([...before.attributes, ...use.attributes])],
      example: before.example || use.example,
    });
  }
  const rank = ({ column: name }: FieldUse) =>
    column(name).field !== undefined ? 0 : BESIDE_FIELDS.some((each) => each === name) ? 2 : 1;
  return [...merged.values()].sort((one, other) => rank(one) - rank(other));
}

function percentOf(filled: number, records: number): number {
  return records === 0 ? 0 : Math.round((filled / records) * 1000) / 10;
}

function useOf(
  name: string,
  records: readonly CollectionRecord[],
  published: PublishedField | undefined,
): FieldUse {
  const { field, values } = column(name);
  const all = records.map(values);
  const filled = all.filter(({ length }) => length > 0).length;
  const attributes =
    field === undefined
      ? []
      : records.flatMap((record) => valuesOf(record, field)).flatMap((value) => [...value.attributes.keys()]);
  return {
    column: name,
    label: published?.label ?? '',
    filled,
    empty: records.length - filled,
    percent: percentOf(filled, records.length),
    most: all.reduce((most, { length }) => Math.max(most, length), 0),
    attributes: [...new Set(attributes)],
    example: all.flat().find((value) => value !== '') ?? '',
    views: published?.views ?? [],
  };
}

/** The census of fields: which columns some records fill, how often and how, beside what the views of a deployment name. */
import { column, columnNames, fieldColumnName } from './columns.js';
import { type CollectionRecord, valuesOf } from './record.js';

/** A field that a view names. */
export interface PublishedField {
  readonly identifier: string;
  /** `''` when the view gives none. */
  readonly label: string;
  /** Names of the views that have it. */
  readonly views: readonly string[];
}

export interface FieldUse {
  /** As `--columns` takes it. */
  readonly column: string;
  readonly label: string;
  /** Records with a value. */
  readonly filled: number;
  /** The same as a share of the records looked at, 0 to 100; 0 when there were none. */
  readonly percent: number;
  /** Most values in one record. */
  readonly most: number;
  /** Attributes that its values carry, in order of first appearance. */
  readonly attributes: readonly string[];
  /** The first value met; `''` for none. */
  readonly example: string;
  /** Views that name it; none for what only the records show. */
  readonly views: readonly string[];
}

/** Columns that are no fields, but worth knowing of where records fill them. */
const BESIDE_FIELDS = ['image.url', 'label'] as const;

/**
 * Counts the columns of some records: first the fields that views name, in their order, then those that only records
 * have, relationships, and images. Fields of views that no record fills are there with 0.
 */
export function fieldCensus(
  records: readonly CollectionRecord[],
  published: readonly PublishedField[],
): FieldUse[] {
  const named = new Map(published.map((field) => [fieldColumnName(field.identifier), field]));
  const seen = records.flatMap((record) => columnNames(record));
  const [relationships, fields] = parted([...new Set([...named.keys(), ...seen])]);
  const beside = BESIDE_FIELDS.filter((name) => records.some((each) => column(name).values(each).length > 0));
  return [...fields, ...relationships, ...beside].map((name) => useOf(name, records, named.get(name)));
}

/** Relationships stand in each record behind its fields, and so they do for all records together. */
function parted(names: readonly string[]): [relationships: string[], fields: string[]] {
  const isRelationship = (name: string) => column(name).field === undefined;
  return [names.filter(isRelationship), names.filter((name) => !isRelationship(name))];
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
    percent: records.length === 0 ? 0 : round((filled / records.length) * 100),
    most: all.reduce((most, { length }) => Math.max(most, length), 0),
    attributes: [...new Set(attributes)],
    example: all.flat().find((value) => value !== '') ?? '',
    views: published?.views ?? [],
  };
}

function round(percent: number): number {
  return Math.round(percent * 10) / 10;
}

/** Counts how many records have a value in each column. Also lists fields that are in a view but not in the records. */
import {
  assertColumnCount,
  fieldColumnName,
  listColumnNames,
  listImageColumnNames,
  parseColumn,
} from './columns.js';
import { type CollectionRecord, getFieldValues } from './record.js';

export interface PublishedField {
  readonly identifier: string;
  readonly label: string;
  readonly views: readonly string[];
}

export interface FieldUse {
  readonly column: string;
  readonly label: string;
  readonly filled: number;
  readonly empty: number;
  /** 0 to 100; 0 if there are no records. */
  readonly percent: number;
  /** The largest number of values in one record. */
  readonly most: number;
  readonly attributes: readonly string[];
  readonly example: string;
  readonly views: readonly string[];
}

const IMAGE_COLUMNS = ['image.url', 'image.caption', 'label'];

const isImageColumn = (name: string) => IMAGE_COLUMNS.includes(name) || name.startsWith('image@');

/** Returns fields of the views first, then other fields, relationships and images. Throws an OpacError for too many columns. */
export function countFieldUse(
  records: readonly CollectionRecord[],
  published: readonly PublishedField[],
): FieldUse[] {
  const named = new Map(published.map((field) => [fieldColumnName(field.identifier), field]));
  const seen = records.flatMap((record) => listColumnNames(record, { withRelatedIds: true }));
  const names = [...new Set([...named.keys(), ...seen])];
  assertColumnCount(names.length, 'the list of fields', 'select fewer records');
  const isField = (name: string) => parseColumn(name).field !== undefined;
  const fields = names.filter(isField);
  const relationships = names.filter((name) => !isField(name));
  const imageColumns = new Set([...IMAGE_COLUMNS, ...records.flatMap(listImageColumnNames)]);
  const images = [...imageColumns].filter((name) =>
    records.some((each) => parseColumn(name).values(each).length > 0),
  );
  return [...fields, ...relationships, ...images].map((name) =>
    countColumnUse(name, records, named.get(name)),
  );
}

/** Adds the counts of several pages. `size` is the number of records on all pages. Throws an OpacError for too many columns. */
export function mergeFieldUse(pages: readonly (readonly FieldUse[])[], size: number): FieldUse[] {
  const merged = new Map<string, FieldUse>();
  for (const use of pages.flat()) {
    const before = merged.get(use.column) ?? { ...use, filled: 0 };
    const filled = before.filled + use.filled;
    merged.set(use.column, {
      ...before,
      filled,
      empty: size - filled,
      percent: calculatePercentage(filled, size),
      most: Math.max(before.most, use.most),
      attributes: [...new Set([...before.attributes, ...use.attributes])],
      example: before.example || use.example,
    });
  }
  assertColumnCount(merged.size, 'the list of fields', 'select fewer records');
  const rank = ({ column }: FieldUse) =>
    parseColumn(column).field !== undefined ? 0 : isImageColumn(column) ? 2 : 1;
  return [...merged.values()].sort((one, other) => rank(one) - rank(other));
}

export function calculatePercentage(filled: number, records: number): number {
  return records === 0 ? 0 : Math.round((filled / records) * 1000) / 10;
}

function countColumnUse(
  name: string,
  records: readonly CollectionRecord[],
  published: PublishedField | undefined,
): FieldUse {
  const { field, values } = parseColumn(name);
  const all = records.map(values);
  const filled = all.filter(({ length }) => length > 0).length;
  const attributes =
    field === undefined
      ? []
      : records
          .flatMap((record) => getFieldValues(record, field))
          .flatMap((value) => [...value.attributes.keys()]);
  return {
    column: name,
    label: published?.label ?? '',
    filled,
    empty: records.length - filled,
    percent: calculatePercentage(filled, records.length),
    most: all.reduce((most, { length }) => Math.max(most, length), 0),
    attributes: [...new Set(attributes)],
    example: all.flat().find((value) => value !== '') ?? '',
    views: published?.views ?? [],
  };
}

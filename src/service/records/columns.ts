/** The columns of `--columns` and of tables, with their values for a record. */
import { UsageError } from '../errors.js';
import { type CollectionRecord, findLargestDerivative, getFieldValues } from './record.js';

/** A column of a table: its name, and the function that reads its values from a record. */
export interface Column {
  readonly name: string;
  /** The identifier of its field; undefined for a column that is not a field. */
  readonly field: string | undefined;
  /** Whether a record may have several values. */
  readonly isList: boolean;
  readonly values: (record: CollectionRecord) => readonly string[];
}

const RECORD_COLUMNS: Readonly<Record<string, Column['values']>> = {
  id: (record) => toList(record.id),
  title: (record) => toList(record.title),
  recordType: (record) => toList(record.recordType),
  slug: (record) => toList(record.slug),
  collection: (record) => toList(record.collection?.name || record.collection?.id),
  label: (record) => [...new Set(record.images.flatMap((image) => image.labels.map(({ label }) => label)))],
  'image.count': (record) => [String(record.images.length)],
  'image.url': (record) => record.images.flatMap((image) => toList(findLargestDerivative(image)?.url)),
};

const LISTS: ReadonlySet<string> = new Set(['label', 'image.url']);

export const RECORD_COLUMN_NAMES: readonly string[] = Object.keys(RECORD_COLUMNS);

/** `image.LARGE.url`, `relationship.object_prod_pri_person`, `production_date[0]@earliest_date`. */
const DERIVATIVE = /^image\.([A-Z]+)\.(url|width|height)$/;
const RELATIONSHIP = /^relationship\.(.+)$/s;
const FIELD = /^(field\.)?(.+?)(?:\[(\d+)\])?(?:@([^@]+))?$/s;

/** The column with that name. `field.title` always means the field `title`. Throws a UsageError for `''`. */
export function parseColumn(name: string): Column {
  const values = Object.hasOwn(RECORD_COLUMNS, name) ? RECORD_COLUMNS[name] : undefined;
  if (values) return { name, field: undefined, isList: LISTS.has(name), values };
  const derivative = DERIVATIVE.exec(name);
  if (derivative) return { name, field: undefined, isList: true, values: createDerivativeReader(derivative) };
  const relationship = RELATIONSHIP.exec(name)?.[1];
  if (relationship)
    return {
      name,
      field: undefined,
      isList: true,
      values: (record) => readRelatedTitles(record, relationship),
    };
  const [, , identifier, index, attribute] = FIELD.exec(name) ?? [];
  if (!identifier) throw new UsageError(`invalid column name "${name}"`);
  return {
    name,
    field: identifier,
    isList: index === undefined,
    values: createFieldReader(identifier, index, attribute),
  };
}

/** A column and its header in the table. */
export interface ColumnHeader {
  readonly name: string;
  readonly header: string;
}

export type ColumnWithHeader = Column & ColumnHeader;

/** Parses a list like `parseColumnHeaders`. Throws a UsageError for an empty list, an empty name and an empty header. */
export function parseColumns(list: string): ColumnWithHeader[] {
  return parseColumnHeaders(list).map(({ name, header }) => ({ ...parseColumn(name), header }));
}

/**
 * Splits `id, title,image.url=image_url` at commas and line breaks. The header follows `=`; by default it is the name. A
 * backslash escapes a comma, an equals sign, a line break or a backslash in a name. Throws as `parseColumns` does.
 */
export function parseColumnHeaders(list: string): ColumnHeader[] {
  const entries = (list.match(ENTRY) ?? []).map((entry) => entry.trim()).filter((entry) => entry !== '');
  if (entries.length === 0) throw new UsageError(`no column names in "${list}"`, 'see: opac help columns');
  return entries.map((entry) => {
    const [, beforeEquals = '', afterEquals] = NAME_AND_HEADER.exec(entry) ?? [];
    const name = removeEscapes(beforeEquals);
    const header = afterEquals === undefined ? name : removeEscapes(afterEquals);
    if (name === '') throw new UsageError(`invalid column name "${entry}"`);
    if (header === '')
      throw new UsageError(`the header after "${name}=" is missing`, 'use <column>=<header>');
    return { name, header };
  });
}

/** Throws a UsageError if two columns have the same header. */
export function assertUniqueHeaders(columns: readonly ColumnHeader[]): void {
  const headers = columns.map(({ header }) => header);
  const duplicate = headers.find((header, n) => headers.indexOf(header) !== n);
  if (duplicate !== undefined)
    throw new UsageError(`two columns have the header "${duplicate}"`, 'rename one: <column>=<header>');
}

/** Formats a list that `parseColumnHeaders` parses. */
export function formatColumnHeaders(columns: readonly ColumnHeader[]): string {
  return columns
    .map(({ name, header }) =>
      header === name ? addEscapes(name) : `${addEscapes(name)}=${addEscapes(header)}`,
    )
    .join(',');
}

const ENTRY = /(?:[^\\,\n]|\\[\s\S]?)+/g;
const NAME_AND_HEADER = /^((?:[^\\=]|\\[\s\S]?)*)(?:=([\s\S]*))?$/;

const removeEscapes = (text: string) => text.replace(/\\([\\,=\n])/g, '$1').trim();
const addEscapes = (text: string) => text.replace(/[\\,=\n]/g, '\\$&');

export function fieldColumnName(identifier: string): string {
  return parseColumn(identifier).field === identifier && !identifier.startsWith('field.')
    ? identifier
    : `field.${identifier}`;
}

export function listColumnNames(
  record: CollectionRecord,
  options: { readonly withAttributes?: boolean } = {},
): string[] {
  const names: string[] = [];
  for (const [identifier, values] of record.fields) {
    const name = fieldColumnName(identifier);
    names.push(name);
    if (!options.withAttributes) continue;
    const attributes = new Set(values.flatMap((value) => [...value.attributes.keys()]));
    for (const attribute of attributes) names.push(`${name}@${attribute}`);
  }
  for (const { id } of record.relationships) if (id !== '') names.push(`relationship.${id}`);
  return names;
}

function toList(text: string | undefined): readonly string[] {
  return text ? [text] : [];
}

function createFieldReader(
  identifier: string,
  index: string | undefined,
  attribute: string | undefined,
): Column['values'] {
  return (record) => {
    const all = getFieldValues(record, identifier);
    const selected = index === undefined ? all : all.slice(Number(index), Number(index) + 1);
    const texts = selected.map((each) =>
      attribute === undefined ? each.value : (each.attributes.get(attribute) ?? ''),
    );
    return texts.some((text) => text !== '') ? texts : [];
  };
}

function createDerivativeReader([, identifier, part]: RegExpExecArray): Column['values'] {
  return (record) =>
    record.images.flatMap((image) => {
      const derivative = image.derivatives.find((each) => each.identifier === identifier);
      return toList(derivative?.[part as 'url' | 'width' | 'height']?.toString());
    });
}

function readRelatedTitles(record: CollectionRecord, id: string): readonly string[] {
  const related = record.relationships.filter((relationship) => relationship.id === id);
  return related.flatMap(({ records }) => records.map((each) => each.title || each.id));
}

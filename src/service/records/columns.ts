/** The columns that `--columns` and CSV headers name, with their values for a record. */
import { UsageError } from '../errors.js';
import { type CollectionRecord, findLargestDerivative, getFieldValues } from './record.js';

/** A column of a table: its head, and how its values are read from a record. */
export interface Column {
  readonly name: string;
  /** The identifier of its field; undefined for a column that is no field. */
  readonly field: string | undefined;
  /** Whether a record may have several values of it. */
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

/** The column with that name; `field.` before it means a field, whatever else has the name. Throws a UsageError for `''`. */
export function parseColumn(name: string): Column {
  const values = Object.hasOwn(RECORD_COLUMNS, name) ? RECORD_COLUMNS[name] : undefined;
  if (values) return { name, field: undefined, isList: LISTS.has(name), values };
  const derivative = DERIVATIVE.exec(name);
  if (derivative) return { name, field: undefined, isList: true, values: derivativeValues(derivative) };
  const relationship = RELATIONSHIP.exec(name)?.[1];
  if (relationship)
    return { name, field: undefined, isList: true, values: (record) => relatedTitles(record, relationship) };
  const [, , identifier, index, attribute] = FIELD.exec(name) ?? [];
  if (!identifier) throw new UsageError(`invalid column name "${name}"`);
  return {
    name,
    field: identifier,
    isList: index === undefined,
    values: fieldValues(identifier, index, attribute),
  };
}

/** A column and the head it is printed under. */
export interface ColumnHeader {
  readonly name: string;
  readonly header: string;
}

export type ColumnWithHeader = Column & ColumnHeader;

/** Reads a list as `columnHeads` does. Throws a UsageError for an empty list, an empty name and an empty head. */
export function parseColumns(list: string): ColumnWithHeader[] {
  return parseColumnHeaders(list).map(({ name, header }) => ({ ...parseColumn(name), header }));
}

/**
 * Splits `id, title,image.url=image_url` at commas and line breaks; a head follows `=`, else it is the name. A backslash takes
 * its meaning away from a comma, an equals sign, a line break or a backslash in a name. Throws as `parseColumns` does.
 */
export function parseColumnHeaders(list: string): ColumnHeader[] {
  const entries = (list.match(ENTRY) ?? []).map((entry) => entry.trim()).filter((entry) => entry !== '');
  if (entries.length === 0) throw new UsageError(`no column names in "${list}"`, 'see: opac help columns');
  return entries.map((entry) => {
    const [, before = '', behind] = NAME_AND_HEAD.exec(entry) ?? [];
    const name = unescaped(before);
    const header = behind === undefined ? name : unescaped(behind);
    if (name === '') throw new UsageError(`invalid column name "${entry}"`);
    if (header === '') throw new UsageError(`no head follows "${name}="`, 'write <column>=<head>');
    return { name, header };
  });
}

/** Throws a UsageError where two columns would have the same head. */
export function assertUniqueHeaders(columns: readonly ColumnHeader[]): void {
  const heads = columns.map(({ header }) => header);
  const twice = heads.find((head, n) => heads.indexOf(head) !== n);
  if (twice !== undefined)
    throw new UsageError(`two columns have the head "${twice}"`, 'give one of them another: <column>=<head>');
}

/** The list that `columnHeads` reads as these. */
export function formatColumnHeaders(columns: readonly ColumnHeader[]): string {
  return columns
    .map(({ name, header }) => (header === name ? escaped(name) : `${escaped(name)}=${escaped(header)}`))
    .join(',');
}

const ENTRY = /(?:[^\\,\n]|\\[\s\S]?)+/g;
const NAME_AND_HEAD = /^((?:[^\\=]|\\[\s\S]?)*)(?:=([\s\S]*))?$/;

const unescaped = (text: string) => text.replace(/\\([\\,=\n])/g, '$1').trim();
const escaped = (text: string) => text.replace(/[\\,=\n]/g, '\\$&');

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

function fieldValues(
  identifier: string,
  index: string | undefined,
  attribute: string | undefined,
): Column['values'] {
  return (record) => {
    const all = getFieldValues(record, identifier);
    const chosen = index === undefined ? all : all.slice(Number(index), Number(index) + 1);
    const texts = chosen.map((each) =>
      attribute === undefined ? each.value : (each.attributes.get(attribute) ?? ''),
    );
    return texts.some((text) => text !== '') ? texts : [];
  };
}

function derivativeValues([, identifier, part]: RegExpExecArray): Column['values'] {
  return (record) =>
    record.images.flatMap((image) => {
      const derivative = image.derivatives.find((each) => each.identifier === identifier);
      return toList(derivative?.[part as 'url' | 'width' | 'height']?.toString());
    });
}

function relatedTitles(record: CollectionRecord, id: string): readonly string[] {
  const related = record.relationships.filter((relationship) => relationship.id === id);
  return related.flatMap(({ records }) => records.map((each) => each.title || each.id));
}

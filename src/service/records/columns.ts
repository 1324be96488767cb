/** The columns that `--columns` and CSV headers name, with their values for a record. */
import { UsageError } from '../errors.js';
import { type CollectionRecord, largestDerivative, valuesOf } from './record.js';

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
  id: (record) => some(record.id),
  title: (record) => some(record.title),
  recordType: (record) => some(record.recordType),
  slug: (record) => some(record.slug),
  collection: (record) => some(record.collection?.name || record.collection?.id),
  label: (record) => [...new Set(record.images.flatMap((image) => image.labels.map(({ label }) => label)))],
  'image.count': (record) => [String(record.images.length)],
  'image.url': (record) => record.images.flatMap((image) => some(largestDerivative(image)?.url)),
};

const LISTS: ReadonlySet<string> = new Set(['label', 'image.url']);

export const RECORD_COLUMN_NAMES: readonly string[] = Object.keys(RECORD_COLUMNS);

/** `image.LARGE.url`, `relationship.object_prod_pri_person`, `production_date[0]@earliest_date`. */
const DERIVATIVE = /^image\.([A-Z]+)\.(url|width|height)$/;
const RELATIONSHIP = /^relationship\.(.+)$/s;
const FIELD = /^(field\.)?(.+?)(?:\[(\d+)\])?(?:@([^@]+))?$/s;

/** The column with that name; `field.` before it means a field, whatever else has the name. Throws a UsageError for `''`. */
export function column(name: string): Column {
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

/** Splits `id, title,maker_name` into columns. Throws a UsageError for an empty list or an empty name. */
export function parseColumns(list: string): Column[] {
  return list
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name, _, all) => name !== '' || all.length === 1)
    .map(column);
}

export function fieldColumnName(identifier: string): string {
  return column(identifier).field === identifier && !identifier.startsWith('field.')
    ? identifier
    : `field.${identifier}`;
}

export function columnNames(
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

function some(text: string | undefined): readonly string[] {
  return text ? [text] : [];
}

function fieldValues(
  identifier: string,
  index: string | undefined,
  attribute: string | undefined,
): Column['values'] {
  return (record) => {
    const all = valuesOf(record, identifier);
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
      return some(derivative?.[part as 'url' | 'width' | 'height']?.toString());
    });
}

function relatedTitles(record: CollectionRecord, id: string): readonly string[] {
  const related = record.relationships.filter((relationship) => relationship.id === id);
  return related.flatMap(({ records }) => records.map((each) => each.title || each.id));
}

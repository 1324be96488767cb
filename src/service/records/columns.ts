/** The columns of `--columns` and of tables, with their values for a record. */
import { OpacError, UsageError } from '../errors.js';
import { formatNumber } from '../format-numbers.js';
import { getOrAddList } from '../get-or-add-list.js';
import { findDateProblem, readDateRange } from './date-range.js';
import { isPlaceholder } from './placeholder-text.js';
import {
  type CollectionRecord,
  type FieldValue,
  findLargestDerivative,
  getFieldValues,
  type RelatedRecord,
  type Relationship,
} from './record.js';

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** Undefined for a column that is not a field. */
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

/** These patterns match `image.LARGE.url`, `image@copyright`, `relationship.maker.id` and `date[0]@earliest_date`. */
const DERIVATIVE = /^image\.([A-Z]+)\.(url|width|height)$/;
const IMAGE_ATTRIBUTE = /^image@(.+)$/s;
const IS_RELATIONSHIP = /^relationship\../s;
/** The last part (`title`, `id` or `slug`) is required if the id of the relationship contains `.` or `@`. */
const RELATIONSHIP = /^relationship\.(?:([^.@]+)|(.+)\.(title|id|slug))$/s;
const FIELD = /^(field\.)?(.+?)(?:\[(\d+)\])?(?:@([^@]+))?$/s;

/** `field.title` means the field `title`, not the column `title`. Throws a UsageError for an invalid name. */
export function parseColumn(name: string): Column {
  const values = Object.hasOwn(RECORD_COLUMNS, name) ? RECORD_COLUMNS[name] : undefined;
  if (values) return { name, field: undefined, isList: LISTS.has(name), values };
  if (name === 'image.caption') return { name, field: undefined, isList: true, values: readCaptions };
  if (name === 'image.id') return { name, field: undefined, isList: true, values: readImageIds };
  const derivative = DERIVATIVE.exec(name);
  if (derivative) return { name, field: undefined, isList: true, values: createDerivativeReader(derivative) };
  const attribute = IMAGE_ATTRIBUTE.exec(name)?.[1];
  if (attribute !== undefined)
    return { name, field: undefined, isList: true, values: createImageAttributeReader(attribute) };
  if (IS_RELATIONSHIP.test(name))
    return { name, field: undefined, isList: true, values: createRelationshipReader(name) };
  const [, , identifier, index, fieldAttribute] = FIELD.exec(name) ?? [];
  if (!identifier) throw new UsageError(`invalid column name "${name}"`);
  return {
    name,
    field: identifier,
    isList: index === undefined,
    values: createFieldReader(identifier, index, fieldAttribute),
  };
}

export interface ColumnHeader {
  readonly name: string;
  readonly header: string;
}

export type ColumnWithHeader = Column & ColumnHeader;

/** Throws a UsageError for an invalid list or name. */
export function parseColumns(list: string): ColumnWithHeader[] {
  return parseColumnHeaders(list).map(({ name, header }) => ({ ...parseColumn(name), header }));
}

/** Parses `id, title,image.url=image_url`. A backslash escapes `,`, `=`, `\` and line breaks. Throws a UsageError. */
export function parseColumnHeaders(list: string): ColumnHeader[] {
  const entries = (list.match(ENTRY) ?? []).map((entry) => entry.trim()).filter((entry) => entry !== '');
  if (entries.length === 0) throw new UsageError(`no column names in "${list}"`, 'see: opac help columns');
  return entries.map((entry) => {
    const [, beforeEquals = '', afterEquals] = NAME_AND_HEADER.exec(entry) ?? [];
    const name = removeEscapes(beforeEquals);
    const header = afterEquals === undefined ? name : removeEscapes(removeQuotes(afterEquals));
    if (name === '') throw new UsageError(`invalid column name "${entry}"`);
    if (header === '')
      throw new UsageError(`the header after "${name}=" is missing`, 'use <column>=<header>');
    return { name, header };
  });
}

const isQuoted = (header: string) => header.length > 1 && header.startsWith('"') && header.endsWith('"');

/** `"Inventory number"` means `Inventory number`, as in a shell. */
function removeQuotes(header: string): string {
  return isQuoted(header) ? header.slice(1, -1) : header;
}

export function assertUniqueHeaders(columns: readonly ColumnHeader[]): void {
  const headers = columns.map(({ header }) => header);
  const duplicate = headers.find((header, n) => headers.indexOf(header) !== n);
  if (duplicate !== undefined)
    throw new UsageError(`two columns have the header "${duplicate}"`, 'rename one: <column>=<header>');
}

export function formatColumnHeaders(columns: readonly ColumnHeader[]): string {
  return columns
    .map(({ name, header }) =>
      header === name
        ? addEscapes(name)
        : `${addEscapes(name)}=${addEscapes(isQuoted(header) ? `"${header}"` : header)}`,
    )
    .join(',');
}

const ENTRY = /(?:[^\\,\n]|\\[\s\S]?)+/g;
const NAME_AND_HEADER = /^((?:[^\\=]|\\[\s\S]?)*)(?:=([\s\S]*))?$/;

const removeEscapes = (text: string) => text.replace(/\\([\\,=\n])/g, '$1').trim();
const addEscapes = (text: string) => text.replace(/[\\,=\n]/g, '\\$&');

export function fieldColumnName(identifier: string): string {
  // Without the prefix, `image@copyright` would mean an attribute of the images instead of the field `image`.
  const isPrefixed =
    identifier === 'image' || identifier.startsWith('field.') || IS_RELATIONSHIP.test(identifier);
  return !isPrefixed && parseColumn(identifier).field === identifier ? identifier : `field.${identifier}`;
}

export function relationshipColumnName(id: string): string {
  return /[.@]/.test(id) ? `relationship.${id}.title` : `relationship.${id}`;
}

export function hasUnknownRelationshipPart(name: string): boolean {
  return IS_RELATIONSHIP.test(name) && !RELATIONSHIP.test(name);
}

export function listColumnNames(
  record: CollectionRecord,
  options: { readonly withAttributes?: boolean; readonly withRelatedIds?: boolean } = {},
): string[] {
  const names: string[] = [];
  for (const [identifier, values] of record.fields) {
    const name = fieldColumnName(identifier);
    names.push(name);
    if (!options.withAttributes) continue;
    const attributes = new Set(values.flatMap((value) => [...value.attributes.keys()]));
    for (const attribute of attributes) names.push(`${name}@${attribute}`);
  }
  for (const { id, records } of record.relationships) {
    if (id === '') continue;
    names.push(relationshipColumnName(id));
    if (!options.withRelatedIds) continue;
    for (const part of ['id', 'slug'] as const)
      if (records.some((each) => each[part] !== '')) names.push(`relationship.${id}.${part}`);
  }
  return names;
}

/** Real deployments have hundreds of columns. Memory and time grow with the number of columns. */
export const MAX_COLUMNS = 20_000;

/** Throws an OpacError for more than MAX_COLUMNS columns. `what` is the beginning of the message, such as "the table". */
export function assertColumnCount(count: number, what: string, hint: string): void {
  if (count <= MAX_COLUMNS) return;
  const message = `${what} would have more than ${formatNumber(MAX_COLUMNS)} columns`;
  throw new OpacError('deployment', message, { hint, code: 'response-too-large' });
}

/** Returns `image.caption` if an image has a caption, and a name such as `image@copyright` for each attribute. */
export function listImageColumnNames({ images }: CollectionRecord): string[] {
  const attributes = new Set(images.flatMap((image) => [...image.attributes.keys()]));
  const captions = images.some(({ caption }) => caption !== '') ? ['image.caption'] : [];
  return [...captions, ...[...attributes].map((name) => `image@${name}`)];
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
    const texts = selected.map((each) => (attribute === undefined ? each.value : readPart(each, attribute)));
    return texts.some((text) => text !== '') ? texts : [];
  };
}

/** Returns the value of the attribute. If the attribute does not exist, computes `from`, `to` or `problem` from the date. */
function readPart(value: FieldValue, name: string): string {
  const attribute = value.attributes.get(name);
  if (attribute !== undefined) return attribute;
  if (name === 'from' || name === 'to') return String(readDateRange(value)?.[name] ?? '');
  if (name !== 'problem') return '';
  // A placeholder such as "date not known" is not a problem, unless the attributes contain years.
  if (isPlaceholder(value.value)) return readDateRange(value) ? 'different' : '';
  return findDateProblem(value);
}

function readCaptions({ images }: CollectionRecord): readonly string[] {
  const captions = images.map(({ caption }) => caption);
  return captions.some((text) => text !== '') ? captions : [];
}

function readImageIds({ images }: CollectionRecord): readonly string[] {
  return images.map(({ id }) => id);
}

function createImageAttributeReader(attribute: string): Column['values'] {
  return ({ images }) => {
    const texts = images.map(({ attributes }) => attributes.get(attribute) ?? '');
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

function createRelationshipReader(name: string): Column['values'] {
  const [, bare, id = bare, part = 'title'] = RELATIONSHIP.exec(name) ?? [];
  if (id === undefined)
    throw new UsageError(
      `unknown column "${name}"`,
      'use relationship.<id>, relationship.<id>.id or relationship.<id>.slug',
    );
  return (record) => {
    const related = groupRelatedRecords(record.relationships).get(id) ?? [];
    const texts = related.map(
      (each) => each[part as 'title' | 'id' | 'slug'] || (part === 'title' ? each.id : ''),
    );
    return part === 'title' || texts.some((text) => text !== '') ? texts : [];
  };
}

const GROUPED = new WeakMap<readonly Relationship[], ReadonlyMap<string, readonly RelatedRecord[]>>();

/** Groups the related records by relationship. Saves the result, because a table may have a column for each relationship. */
function groupRelatedRecords(
  relationships: readonly Relationship[],
): ReadonlyMap<string, readonly RelatedRecord[]> {
  const known = GROUPED.get(relationships);
  if (known) return known;
  const groups = new Map<string, RelatedRecord[]>();
  for (const { id, records } of relationships) {
    const group = getOrAddList(groups, id);
    for (const each of records) group.push(each);
  }
  GROUPED.set(relationships, groups);
  return groups;
}

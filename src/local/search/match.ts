/**
 * Finds the records that match a query. The words and phrases of a query match complete words, in upper or lower case. A word
 * also matches words with other accents; a phrase does not. `wor*` matches words that begin with `wor`, `field:*` matches any
 * value, and `field:""` matches a field without a value.
 */

import { KIND_KEYS, type RecordKind } from '../../service/kinds.js';
import { normalizeUnicode } from '../../service/normalize-unicode.js';
import type { StoredRecord } from '../record.js';
import type { RecordStore } from '../store.js';
import type { Query, Value } from './parse-query.js';

export type Predicate = (record: StoredRecord) => boolean;

type SpecialField = (record: StoredRecord, store: Pick<RecordStore, 'highlights'>) => readonly string[];

const getIdOf =
  (kind: RecordKind): SpecialField =>
  (record) =>
    record.kind === kind ? [record.id] : [];

/** Query fields that are not fields of a record (INTERFACE.md "Fields stated"). Values match only equal text in the same case. */
const SPECIAL_FIELDS: Readonly<Record<string, SpecialField>> = {
  collections: ({ parsed: { collection } }) => (collection ? [collection.id] : []),
  highlight: ({ id }, { highlights }) =>
    highlights.filter(({ recordIds }) => recordIds.includes(id)).map(({ highlightId }) => highlightId),
  external_object_id: ({ id }) => [id],
  recordType: ({ kind }) => [KIND_KEYS[kind].recordType],
  opacObjectId: getIdOf('objects'),
  opacPersonId: getIdOf('persons'),
  opacVenueId: getIdOf('venues'),
};

export function createQueryPredicate(query: Query, store: Pick<RecordStore, 'highlights'>): Predicate {
  switch (query.type) {
    case 'all':
    case 'any': {
      const predicates = query.parts.map((part) => createQueryPredicate(part, store));
      return query.type === 'all'
        ? (record) => predicates.every((predicate) => predicate(record))
        : (record) => predicates.some((predicate) => predicate(record));
    }
    case 'not': {
      const predicate = createQueryPredicate(query.part, store);
      return (record) => !predicate(record);
    }
    case 'term':
      return createTermPredicate(query, store);
  }
}

function createTermPredicate(
  { field, values }: Query & { type: 'term' },
  store: Pick<RecordStore, 'highlights'>,
): Predicate {
  const special = specialField(field);
  if (special) {
    const wanted = new Set(values.map(({ text }) => text));
    return (record) => special(record, store).some((value) => wanted.has(value));
  }
  const tests = values.filter((value) => !isEmpty(value)).map(createValueTest);
  const wantsNoValue = field !== undefined && values.some(isEmpty);
  return ({ parsed: { fields } }) => {
    const found = field === undefined ? [...fields.values()].flat() : (fields.get(field) ?? []);
    if (wantsNoValue && found.every(({ value }) => value === '')) return true;
    return found.some(({ value }) => tests.some((test) => test(value)));
  };
}

function specialField(field: string | undefined): SpecialField | undefined {
  return field !== undefined && Object.hasOwn(SPECIAL_FIELDS, field) ? SPECIAL_FIELDS[field] : undefined;
}

/** Returns a text for `StoredRecord.mayContain`; undefined if opac knows no text that every matching record contains. */
export function findRequiredText(query: Query): string | undefined {
  if (query.type === 'all') return query.parts.map(findRequiredText).find((text) => text !== undefined);
  if (query.type !== 'term' || specialField(query.field)) return undefined;
  const [only, ...others] = query.values;
  const isCertain = only?.quoted && others.length === 0 && /^[ !#-[\]-~]+$/.test(only.text);
  return isCertain ? only.text.toLowerCase() : undefined;
}

const isEmpty = ({ text, quoted }: Value) => quoted && text === '';

function createValueTest({ text, quoted }: Value): (value: string) => boolean {
  if (quoted) {
    const wanted = text.toLowerCase();
    return (value) => containsWords(value.toLowerCase(), wanted, false);
  }
  if (text === '*') return (value) => value !== '';
  const prefix = text.endsWith('*');
  const plain = foldText(prefix ? text.slice(0, -1) : text);
  return (value) => plain !== '' && containsWords(foldText(value), plain, prefix);
}

function foldText(text: string): string {
  return normalizeUnicode(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;

function containsWords(text: string, wanted: string, prefix: boolean): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (!isInsideWord(text, at) && (prefix || !isInsideWord(text, end))) return true;
  }
  return false;
}

function isInsideWord(text: string, at: number): boolean {
  return (
    at > 0 &&
    at < text.length &&
    WORD_CHARACTER.test(text[at - 1] as string) &&
    WORD_CHARACTER.test(text[at] as string)
  );
}

/**
 * Finds the records that a query means. A value matches whole words in any case: a phrase with its accents (`field:""` finds
 * no value), a word without (`wor*`: its beginning, `field:*`: any value), and without a field in every value.
 */
import { KIND_WORDS, type RecordKind } from '../../service/kinds.js';
import type { Field } from '../data/record-json.js';
import type { StoredRecord } from '../data/record-list.js';
import type { Store } from '../store.js';
import type { Query, Value } from './parse-query.js';

export type Predicate = (record: StoredRecord) => boolean;

type SpecialField = (record: StoredRecord, store: Pick<Store, 'highlights'>) => readonly string[];

const idOf =
  (kind: RecordKind): SpecialField =>
  (record) =>
    record.kind === kind ? [record.id] : [];

/** Query fields that are not fields of a record (INTERFACE.md "Fields stated": query field names). */
const SPECIAL_FIELDS: Readonly<Record<string, SpecialField>> = {
  collections: ({ searched: { collection } }) => (collection ? [collection.id] : []),
  highlight: ({ id }, { highlights }) =>
    highlights.filter(({ recordIds }) => recordIds.includes(id)).map(({ highlightId }) => highlightId),
  external_object_id: ({ id }) => [id],
  recordType: ({ kind }) => [KIND_WORDS[kind].recordType],
  opacObjectId: idOf('objects'),
  opacPersonId: idOf('persons'),
  opacVenueId: idOf('venues'),
};

export function queryPredicate(query: Query, store: Pick<Store, 'highlights'>): Predicate {
  switch (query.type) {
    case 'all':
    case 'any': {
      const predicates = query.parts.map((part) => queryPredicate(part, store));
      return query.type === 'all'
        ? (record) => predicates.every((predicate) => predicate(record))
        : (record) => predicates.some((predicate) => predicate(record));
    }
    case 'not': {
      const predicate = queryPredicate(query.part, store);
      return (record) => !predicate(record);
    }
    case 'term':
      return termPredicate(query, store);
  }
}

function termPredicate(
  { field, values }: Query & { type: 'term' },
  store: Pick<Store, 'highlights'>,
): Predicate {
  const special = field !== undefined && Object.hasOwn(SPECIAL_FIELDS, field) && SPECIAL_FIELDS[field];
  if (special) {
    const wanted = new Set(values.map(({ text }) => text));
    return (record) => special(record, store).some((value) => wanted.has(value));
  }
  const matchers = values.map(textMatcher);
  const known: (boolean | undefined)[] = [];
  const matches = ({ value, number }: Field): boolean => {
    const matched = number === undefined ? undefined : known[number];
    if (matched !== undefined) return matched;
    const isMatch = matchers.some((matcher) => matcher(value));
    if (number !== undefined) known[number] = isMatch;
    return isMatch;
  };
  if (field === undefined)
    return ({ searched }) => {
      for (const fields of searched.fields.values()) if (fields.some(matches)) return true;
      return false;
    };
  const wantsNoValue = values.some(({ text, quoted }) => quoted && text === '');
  return ({ searched }) => {
    const fields = searched.fields.get(field) ?? [];
    return (wantsNoValue && fields.every(({ value }) => value === '')) || fields.some(matches);
  };
}

function textMatcher({ text, quoted }: Value): (value: string) => boolean {
  if (quoted) {
    const wanted = text.toLowerCase();
    return (value) => wanted !== '' && hasWords(lowerCase(value), wanted, false);
  }
  if (text === '*') return (value) => value !== '';
  const prefix = text.endsWith('*');
  const wanted = withoutAccents(prefix ? text.slice(0, -1) : text);
  return (value) => wanted !== '' && hasWords(plainText(value), wanted, prefix);
}

function withoutAccents(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.toLowerCase();
}

const ASCII = /^\p{ASCII}*$/u;

const lowerCase = memoized((text) => text.toLowerCase());
const plainText = memoized(withoutAccents);

/** Enough for all values that the templates of a generated museum share. */
const MOST_MEMOIZED = 10_000;

function memoized(derive: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let derived = known.get(text);
    if (derived === undefined) {
      derived = derive(text);
      if (known.size < MOST_MEMOIZED) known.set(text, derived);
    }
    return derived;
  };
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;

/** Whether `text` has `wanted` as whole words; the last may go on when it is a prefix. */
function hasWords(text: string, wanted: string, prefix: boolean): boolean {
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

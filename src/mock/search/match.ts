/**
 * Which records a query means. A value matches where it stands as whole words, whatever the case:
 *
 * - `field:"value"`: exactly that text, beginning and ending at the border of a word, in one value of the field;
 *   `field:""` finds records with no value there;
 * - `field:word`: the same, accents disregarded too; `wor*` finds words that begin so, `field:*` any value;
 * - without a field: in any value of the record, under the same rules.
 *
 * `collections`, `highlight`, `external_object_id`, `recordType` and the id keys compare whole values. A field that no
 * record has finds nothing.
 */
import { KIND_WORDS } from '../../service/kinds.js';
import type { Field } from '../data/record-json.js';
import type { StoredRecord } from '../data/record-list.js';
import type { Store } from '../store.js';
import type { Query, Value } from './parse-query.js';

export type Predicate = (entry: StoredRecord) => boolean;

type Special = (entry: StoredRecord, holdings: Store) => readonly string[];

const ofKind =
  (kind: 'objects' | 'persons' | 'venues'): Special =>
  (entry) =>
    entry.kind === kind ? [entry.id] : [];

/** Fields that are not fields of a record (INTERFACE.md "Fields stated": query field names). */
const SPECIAL: Readonly<Record<string, Special>> = {
  collections: ({ parsed: facts }) => (facts.collection ? [facts.collection.id] : []),
  highlight: (entry, { highlights }) =>
    highlights.filter(({ recordIds }) => recordIds.includes(entry.id)).map(({ highlightId }) => highlightId),
  external_object_id: ({ id }) => [id],
  recordType: ({ kind }) => [KIND_WORDS[kind].recordType],
  opacObjectId: ofKind('objects'),
  opacPersonId: ofKind('persons'),
  opacVenueId: ofKind('venues'),
};

/** The test a record passes when the query means it. */
export function queryPredicate(query: Query, holdings: Store): Predicate {
  switch (query.type) {
    case 'all': {
      const tests = query.parts.map((part) => queryPredicate(part, holdings));
      return (entry) => tests.every((test) => test(entry));
    }
    case 'any': {
      const tests = query.parts.map((part) => queryPredicate(part, holdings));
      return (entry) => tests.some((test) => test(entry));
    }
    case 'not': {
      const test = queryPredicate(query.part, holdings);
      return (entry) => !test(entry);
    }
    case 'term':
      return termTest(query, holdings);
  }
}

function termTest({ field, values }: Query & { type: 'term' }, holdings: Store): Predicate {
  const special = field !== undefined && Object.hasOwn(SPECIAL, field) ? SPECIAL[field] : undefined;
  if (special) {
    const wanted = new Set(values.map(({ text }) => text));
    return (entry) => special(entry, holdings).some((value) => wanted.has(value));
  }
  const tests = values.map(textTest);
  const passes = ({ value }: Field) => tests.some((test) => test(value));
  if (field === undefined) {
    return ({ parsed: facts }) => {
      for (const fields of facts.fields.values()) if (fields.some(passes)) return true;
      return false;
    };
  }
  const wantsNone = values.some(({ text, quoted }) => quoted && text === '');
  return ({ parsed: facts }) => {
    const fields = facts.fields.get(field) ?? [];
    return (wantsNone && fields.every(({ value }) => value === '')) || fields.some(passes);
  };
}

function textTest({ text, quoted }: Value): (value: string) => boolean {
  if (quoted) {
    const wanted = text.toLowerCase();
    return (value) => wanted !== '' && hasWords(lowerCase(value), wanted, false);
  }
  if (text === '*') return (value) => value !== '';
  const prefix = text.endsWith('*');
  const wanted = plain(prefix ? text.slice(0, -1) : text);
  return (value) => wanted !== '' && hasWords(plainCase(value), wanted, prefix);
}

/** Lower case, without accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const lowerCase = remembered((text) => text.toLowerCase());
const plainCase = remembered(plain);

/** How many values are remembered: all that the templates of a generated museum share. */
const REMEMBERED = 10_000;

/** Derives a value once, as long as there is room. */
function remembered(derive: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let derived = known.get(text);
    if (derived === undefined) {
      derived = derive(text);
      if (known.size < REMEMBERED) known.set(text, derived);
    }
    return derived;
  };
}

const WORDY = /[\p{L}\p{N}\p{M}]/u;

/** Whether `wanted` stands in `text` with no part of a word cut off at its beginning or (but for a prefix) its end. */
function hasWords(text: string, wanted: string, prefix: boolean): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (!cuts(text, at) && (prefix || !cuts(text, end))) return true;
  }
  return false;
}

/** Whether a place lies inside a word. */
function cuts(text: string, at: number): boolean {
  return at > 0 && at < text.length && WORDY.test(text[at - 1] as string) && WORDY.test(text[at] as string);
}

/** What no query can ask for: that a field holds a whole value, and not its words among others. */
import { OpacError, UsageError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { parseColumn } from '../records/columns.js';
import { type CollectionRecord, ID_KEYS, readRecord, readRecordId } from '../records/record.js';
import type { SearchTerms } from './query.js';

/** Text as values are compared: case, white space and the Unicode form make no difference. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Whether every field of `where` holds its value as a whole. Throws a UsageError for a field that the record does not show. */
export function matchesExactly({ where = [] }: SearchTerms, record: CollectionRecord): boolean {
  return where.every(({ field, value }) => {
    const values = shownValues(record, field)?.map(normalizeText);
    const wanted = normalizeText(value);
    if (wanted === '') return values?.every((text) => text === '') ?? true;
    if (values) return values.includes(wanted);
    throw new UsageError(
      `the records do not show the field "${field}", so --exact cannot be checked`,
      'leave out --exact or --view, or compare a field that the records have',
    );
  });
}

/** Whether some records that the query finds do not belong to the search, so that all of them must be read. */
export function isComparedByRecord({ exact = false, columns = [] }: SearchTerms): boolean {
  return exact || columns.length > 0;
}

/** Whether a record that the query finds belongs to the search. Throws an OpacError when the record does not show it. */
export function isKept(terms: SearchTerms, record: CollectionRecord): boolean {
  return (!terms.exact || matchesExactly(terms, record)) && holdsColumns(terms, record);
}

function holdsColumns({ columns = [] }: SearchTerms, record: CollectionRecord): boolean {
  return columns.every(({ field, value }) => {
    // Some lists have bare ids (FIELD-NOTES.md "Requests", view): such a record only looks empty.
    if (Object.keys(record.raw).every((key) => key === 'recordType' || ID_KEYS.includes(key)))
      throw new OpacError('deployment', `the service lists ids alone, so "${field}" cannot be compared`);
    const values = parseColumn(field).values(record).map(normalizeText);
    const wanted = normalizeText(value);
    return wanted === '' ? values.every((text) => text === '') : values.includes(wanted);
  });
}

export interface FoundRecord<R> {
  readonly record: R;
  readonly raw: JsonObject;
}

interface InListOrder<R> {
  /** Records that do not show the field come last. */
  readonly ordered: readonly R[];
  readonly missing: readonly string[];
  /** How many show none of the values, so that `missing` may name too many. */
  readonly unmatched: number;
}

/**
 * The records that were found by a list, in its order. With a `field` the whole value counts, and records that only hold its
 * words are left out; without one, values are ids, which are looked for in every field.
 */
export function sortByList<R>(
  values: readonly string[],
  found: readonly FoundRecord<R>[],
  field?: string,
): InListOrder<R> {
  const key = field === undefined ? (text: string) => text : normalizeText;
  const places = new Map(values.map((value, place) => [key(value), place]));
  const held = new Set<number>();
  let unmatched = 0;
  const placed = found.flatMap(({ record, raw }) => {
    const all = field === undefined ? idPlaces(raw, places) : valuePlaces(raw, field, places);
    if (all === undefined) unmatched++;
    for (const place of all ?? []) held.add(place);
    return all?.length === 0 ? [] : [{ record, place: Math.min(...(all ?? [values.length])) }];
  });
  placed.sort((one, other) => one.place - other.place);
  return {
    ordered: placed.map(({ record }) => record),
    missing: values.filter((value) => !held.has(places.get(key(value)) ?? -1)),
    unmatched,
  };
}

function idPlaces(raw: JsonObject, places: ReadonlyMap<string, number>): number[] | undefined {
  const own = places.get(readRecordId(raw));
  if (own !== undefined) return [own];
  for (const values of readRecord(raw).fields.values()) {
    for (const { value } of values) {
      const place = places.get(value);
      if (place !== undefined) return [place];
    }
  }
  return undefined;
}

function valuePlaces(
  raw: JsonObject,
  field: string,
  places: ReadonlyMap<string, number>,
): number[] | undefined {
  return shownValues(readRecord(raw), field)?.flatMap((value) => places.get(normalizeText(value)) ?? []);
}

/** Undefined where the record does not show the field: views leave fields out, and a query may name one by an alias. */
function shownValues(record: CollectionRecord, field: string): readonly string[] | undefined {
  if (/^(external_object_id|opac(Object|Person|Venue)Id)$/.test(field)) return [record.id];
  if (field === 'collections') return record.collection && [record.collection.id];
  if (field === 'recordType') return [record.recordType];
  return record.fields.get(field)?.map(({ value }) => value);
}

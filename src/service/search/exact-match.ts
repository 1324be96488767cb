/** Compares entire values of records. Queries cannot do this: they also find the words in a longer value. */
import { OpacError, UsageError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { parseColumn } from '../records/columns.js';
import { type CollectionRecord, ID_KEYS, readRecord, readRecordId } from '../records/record.js';
import type { SearchTerms } from './query.js';

/** The text in a form to compare: without differences in case, white space and Unicode form. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Whether every field of `where` has exactly its value. Throws a UsageError for a field that the record does not contain. */
export function matchesExactly({ where = [] }: SearchTerms, record: CollectionRecord): boolean {
  return where.every(({ field, value }) => {
    const values = readShownValues(record, field)?.map(normalizeText);
    const wanted = normalizeText(value);
    if (wanted === '') return values?.every((text) => text === '') ?? true;
    if (values) return values.includes(wanted);
    throw new UsageError(
      `the records do not contain the field "${field}", so --exact cannot compare it`,
      'omit --exact or --view, or compare a field that the records contain',
    );
  });
}

/** Whether the query may find records that do not match the search, so that opac must read all of them. */
export function isComparedByRecord({ exact = false, columns = [] }: SearchTerms): boolean {
  return exact || columns.length > 0;
}

/** Whether a record that the query finds matches the search. Throws an OpacError if the record does not show it. */
export function isKept(terms: SearchTerms, record: CollectionRecord): boolean {
  return (!terms.exact || matchesExactly(terms, record)) && matchesColumns(terms, record);
}

function matchesColumns({ columns = [] }: SearchTerms, record: CollectionRecord): boolean {
  return columns.every(({ field, value }) => {
    // Some lists contain only ids (FIELD-NOTES.md "Requests", view). Such a record only seems to be empty.
    if (Object.keys(record.raw).every((key) => key === 'recordType' || ID_KEYS.includes(key)))
      throw new OpacError('deployment', `the service lists only ids, so opac cannot compare "${field}"`);
    const values = parseColumn(field).values(record).map(normalizeText);
    const wanted = normalizeText(value);
    return wanted === '' ? values.every((text) => text === '') : values.includes(wanted);
  });
}

interface FoundRecord<R> {
  readonly record: R;
  readonly raw: JsonObject;
}

interface RecordsInListOrder<R> {
  /** Records that do not contain the field come last. */
  readonly ordered: readonly R[];
  readonly missing: readonly string[];
  /** The number of records that do not contain the field. Some values in `missing` may belong to them. */
  readonly unmatched: number;
}

/**
 * Sorts the records that a list of values found by that list. With a `field`, compares entire values, and omits records that
 * only contain the words. Without a field, values are ids, and `sortByList` looks for them in every field.
 */
export function sortByList<R>(
  values: readonly string[],
  found: readonly FoundRecord<R>[],
  field?: string,
): RecordsInListOrder<R> {
  const normalize = field === undefined ? (text: string) => text : normalizeText;
  const positions = new Map(values.map((value, position) => [normalize(value), position]));
  const foundPositions = new Set<number>();
  let unmatched = 0;
  const sorted = found.flatMap(({ record, raw }) => {
    const matches =
      field === undefined ? findIdPositions(raw, positions) : findValuePositions(raw, field, positions);
    if (matches === undefined) unmatched++;
    for (const position of matches ?? []) foundPositions.add(position);
    return matches?.length === 0 ? [] : [{ record, position: Math.min(...(matches ?? [values.length])) }];
  });
  sorted.sort((one, other) => one.position - other.position);
  return {
    ordered: sorted.map(({ record }) => record),
    missing: values.filter((value) => !foundPositions.has(positions.get(normalize(value)) ?? -1)),
    unmatched,
  };
}

function findIdPositions(raw: JsonObject, positions: ReadonlyMap<string, number>): number[] | undefined {
  const fieldValues = [...readRecord(raw).fields.values()].flat().map(({ value }) => value);
  const id = [readRecordId(raw), ...fieldValues].find((text) => positions.has(text));
  const position = id === undefined ? undefined : positions.get(id);
  return position === undefined ? undefined : [position];
}

function findValuePositions(
  raw: JsonObject,
  field: string,
  positions: ReadonlyMap<string, number>,
): number[] | undefined {
  const values = readShownValues(readRecord(raw), field);
  return values?.flatMap((value) => positions.get(normalizeText(value)) ?? []);
}

/** Undefined if the record does not contain the field: views omit fields, and a query may use an alias of a field. */
function readShownValues(record: CollectionRecord, field: string): readonly string[] | undefined {
  if (/^(external_object_id|opac(Object|Person|Venue)Id)$/.test(field)) return [record.id];
  if (field === 'collections') return record.collection && [record.collection.id];
  if (field === 'recordType') return [record.recordType];
  return record.fields.get(field)?.map(({ value }) => value);
}

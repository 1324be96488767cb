/** Compares entire values of records. Queries cannot do this: they also find longer values that contain the words. */

import { OpacError, UsageError } from '../errors.js';
import { formatCount } from '../format-numbers.js';
import type { JsonObject } from '../json.js';
import { normalizeUnicode } from '../normalize-unicode.js';
import { parseColumn } from '../records/columns.js';
import { hasOverlap } from '../records/date-range.js';
import { type CollectionRecord, hasOnlyId, readRecord, readRecordId } from '../records/record.js';
import { readDateRanges } from './date-terms.js';
import type { ColumnTerm, SearchTerms } from './query.js';

export function normalizeText(text: string): string {
  return normalizeUnicode(text, 'NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Compares entire values. Throws a UsageError if the record lacks the field of a term, unless the wanted value is empty. */
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

/** Returns true if a query cannot express all terms, so that opac must compare every record. */
export function isComparedByRecord({ exact = false, columns = [] }: SearchTerms): boolean {
  return exact || columns.length > 0;
}

/** Checks the terms that a query cannot express. */
export class RecordFilter {
  readonly #terms: SearchTerms;
  /** Records that match all other terms, but have no date that opac can read. */
  readonly #withoutDate = new Set<string>();

  constructor(terms: SearchTerms) {
    this.#terms = terms;
  }

  /** With `columns`, throws an OpacError for a record with only an id. With `exact`, throws the errors of `matchesExactly`. */
  isKept(record: CollectionRecord): boolean {
    const { exact, columns = [] } = this.#terms;
    if (exact && !matchesExactly(this.#terms, record)) return false;
    const results = columns.map((term) => matchesColumn(term, record));
    if (results.includes(false)) return false;
    if (results.includes(undefined)) this.#withoutDate.add(`${record.recordType} ${record.id}`);
    return !results.includes(undefined);
  }

  describeUnknownDates(): string | undefined {
    const { size } = this.#withoutDate;
    const fields = this.#terms.columns?.filter(({ dates }) => dates).map(({ field }) => `"${field}"`);
    if (size === 0) return undefined;
    return `${formatCount(size, 'record')} with an unknown date in ${fields?.join(' or ')} ${size === 1 ? 'does' : 'do'} not match`;
  }
}

/** Returns undefined if the search is for dates and the record has no date that opac can read. */
function matchesColumn({ field, value, dates }: ColumnTerm, record: CollectionRecord): boolean | undefined {
  // Some lists contain only ids (FIELD-NOTES.md "Requests", view). The values of these records are unknown, not empty.
  if (hasOnlyId(record.raw))
    throw new OpacError('deployment', `the service lists only ids, so opac cannot compare "${field}"`);
  if (dates) {
    const ranges = readDateRanges(record, field);
    return ranges.length === 0 ? undefined : ranges.some((range) => hasOverlap(range, dates));
  }
  const values = parseColumn(field).values(record).map(normalizeText);
  const wanted = normalizeText(value);
  if (wanted !== '') return values.includes(wanted);
  // The search is for an empty value: at least one image must lack the caption or the attribute.
  if (/^image(?:@|\.caption$)/.test(field))
    return record.images.length > 0 && (values.length === 0 || values.includes(''));
  return values.every((text) => text === '');
}

interface FoundRecord<R> {
  readonly record: R;
  readonly raw: JsonObject;
}

interface RecordsInListOrder<R> {
  /** The records in the order of the list, then the `unmatched` records. */
  readonly ordered: readonly R[];
  readonly missing: readonly string[];
  /** With a `field`: the number of records without this field. Without a `field`: the number of records with none of the ids. */
  readonly unmatched: number;
}

/** `excess`: the number of returned records minus the number of entries in the list. */
export function formatExcess(excess: number): string {
  return `the service returned ${formatCount(excess, 'more record')} than the list has entries; the service may ignore the list`;
}

/** With a `field`, omits records with other values. Without a `field`, `values` are ids, which may be in any field. */
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

/** Returns undefined if the record does not contain the field: views omit fields, and a query may use an alias of a field. */
function readShownValues(record: CollectionRecord, field: string): readonly string[] | undefined {
  if (/^(external_object_id|opac(Object|Person|Venue)Id)$/.test(field)) return [record.id];
  if (field === 'collections') return record.collection && [record.collection.id];
  if (field === 'recordType') return [record.recordType];
  return record.fields.get(field)?.map(({ value }) => value);
}

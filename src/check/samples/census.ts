/** The census of a deployment: totals, collections, views, facets, and the fields of a sample of its records. */
import { asObject, asText } from '../../service/json.js';
import { KIND_KEYS, KINDS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { type CollectionRecord, readRecord } from '../../service/records/record.js';
import { type Content, SIZE, TEXTS } from '../../system/schema.js';
import * as v from '../../system/valibot.js';
import { CheckBlocked, CheckNotApplicable } from '../probe/deviation.js';
import { type Probe, RequestFailed } from '../probe/probe.js';
import {
  FIRST_PAGE_SIZE,
  readItemId,
  readViewFields,
  requestFacets,
  requestFirstPage,
  requestPage,
  requestTotal,
} from './samples.js';

export type SortedMap<Value> = Readonly<Record<string, Value>>;

const COUNTS = v.record(v.string(), v.number());
const NAMES = v.record(v.string(), v.string());

const KIND_CENSUS = v.object({
  /** By JSON key: the types of its values. */
  keys: NAMES,
  /** By field: the percentage of the sampled records that have a value. */
  filled: COUNTS,
  /** By field: the id of a record with a value. */
  examples: NAMES,
  /** By facet: its type. */
  facets: NAMES,
  /** By view: its fields. */
  views: v.record(v.string(), TEXTS),
  sampled: SIZE,
  /** The offset of the second page, so that a later census reads the same page; 0 if there is no second page. */
  offset: SIZE,
});

export const CENSUS = v.object({
  totals: COUNTS,
  collections: NAMES,
  kinds: v.record(v.string(), KIND_CENSUS),
});

export type Census = Content<typeof CENSUS>;
export type KindCensus = Content<typeof KIND_CENSUS>;

/** The first page and the second page together contain up to 100 records of each kind. */
const SECOND_PAGE_SIZE = 80;

/** With `earlier`, reads the same pages as that census. Throws RequestFailed and CheckBlocked. */
export async function takeCensus(probe: Probe, earlier?: Census): Promise<Census> {
  const totals: [string, number][] = [];
  for (const kind of KINDS) {
    const found = await ignoreNotOffered(requestTotal(probe, kind));
    if (found) totals.push([kind, found.total]);
  }
  const listed = await ignoreNotOffered(probe.requestList('collections.list'));
  const collections = (listed?.items ?? []).map(
    (each) => [readItemId(each, 'collection'), asText(asObject(each).collectionName)] as const,
  );
  const kinds: [string, KindCensus][] = [];
  for (const kind of RECORD_KINDS) {
    const census = await ignoreNotOffered(takeKindCensus(probe, kind, earlier?.kinds[kind]));
    if (census && census.sampled > 0) kinds.push([kind, census]);
  }
  return { totals: toSortedMap(totals), collections: toSortedMap(collections), kinds: toSortedMap(kinds) };
}

async function takeKindCensus(probe: Probe, kind: RecordKind, earlier?: KindCensus): Promise<KindCensus> {
  const first = await requestFirstPage(probe, kind);
  const offset = earlier?.offset ?? getSecondOffset(first.total ?? 0);
  const second =
    offset > 0
      ? await ignoreNotOffered(requestPage(probe, kind, { limit: SECOND_PAGE_SIZE, offset }))
      : undefined;
  const records = [...first.records, ...(second?.records ?? [])];
  const counted = await ignoreNotOffered(requestFacets(probe, kind));
  const listed = await ignoreNotOffered(probe.requestList(`${kind}.views`));
  const views = (listed?.items ?? []).map(
    (each) => [readItemId(each, 'view'), readViewFields(asObject(each))] as const,
  );
  const inRecords = records.flatMap(({ fields }) => [...fields.keys()]);
  const names = [...new Set([...inRecords, ...views.flatMap(([, fields]) => fields)])];
  const withValue = new Map(
    names.map((name) => [name, records.filter(({ fields }) => (fields.get(name) ?? []).length > 0)]),
  );
  const percent = (part: number) => (records.length === 0 ? 0 : Math.round((part / records.length) * 100));
  return {
    sampled: records.length,
    offset,
    keys: toSortedMap(listKeyTypes(records)),
    filled: toSortedMap([...withValue].map(([name, found]) => [name, percent(found.length)])),
    examples: toSortedMap([...withValue].flatMap(([name, [first]]) => (first ? [[name, first.id]] : []))),
    facets: toSortedMap((counted?.facets ?? []).map(({ id, type }) => [id, asText(type)])),
    views: toSortedMap(views),
  };
}

/** Returns 0 if the first page contains all records. In a long list, the second page begins in the middle. */
function getSecondOffset(total: number): number {
  if (total <= FIRST_PAGE_SIZE) return 0;
  return total <= FIRST_PAGE_SIZE + SECOND_PAGE_SIZE ? FIRST_PAGE_SIZE : Math.floor(total / 2);
}

function listKeyTypes(records: readonly CollectionRecord[]): [string, string][] {
  const types = new Map<string, Set<string>>();
  for (const { raw } of records)
    for (const [key, value] of Object.entries(raw))
      types.set(key, (types.get(key) ?? new Set()).add(getTypeName(value)));
  return [...types].map(([key, names]) => [key, [...names].toSorted().join(' or ')]);
}

function getTypeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns undefined for data that the deployment does not offer: a status of 400 to 499, or CheckNotApplicable. */
async function ignoreNotOffered<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    const status = error instanceof RequestFailed ? (error.status ?? 0) : 0;
    const isRejected = status >= 400 && status < 500;
    if (error instanceof CheckBlocked || !(error instanceof CheckNotApplicable || isRejected)) throw error;
    return undefined;
  }
}

function toSortedMap<Value>(entries: readonly (readonly [string, Value])[]): SortedMap<Value> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether a record has a value in the field. Also returns true if opac cannot request the record (CheckNotApplicable). */
export async function hasFieldValue(probe: Probe, kind: RecordKind, id: string, field: string) {
  try {
    const { value } = await probe.request(`${kind}.get`, { path: { [KIND_KEYS[kind].idKey]: id } });
    return (readRecord(value, kind).fields.get(field) ?? []).length > 0;
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return false;
    if (error instanceof CheckNotApplicable) return true;
    throw error;
  }
}

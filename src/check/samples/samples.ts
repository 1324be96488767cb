/** Sample data for the checks: the first records of each kind, their facets, and values to search for. */
import { type EndpointId, getEndpoint } from '../../service/endpoints/catalogue.js';
import { isServiceItem, SERVICE_ITEMS } from '../../service/endpoints/items.js';
import { asList, asObject, asText, type Json, type JsonObject } from '../../service/json.js';
import { KIND_KEYS, type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import {
  type CollectionRecord,
  readRecord,
  readRecordId,
  readRecordKind,
} from '../../service/records/record.js';
import type { QueryParameters } from '../../service/search/record-search.js';
import { withoutAccents } from '../../service/search/spelling.js';
import { CheckNotApplicable } from '../probe/deviation.js';
import type { ListReply, Probe } from '../probe/probe.js';

export const FIRST_PAGE_SIZE = 20;

export interface RecordPage extends ListReply {
  readonly records: readonly CollectionRecord[];
}

const FACETED: QueryParameters = [['facetedResults', 'true']];
/** The query parameter that requests complete records. */
export const DETAIL_VIEW: QueryParameters = [['view', 'detail']];

/** Requests a page of records, by default of complete records. */
export async function requestPage(
  probe: Probe,
  kind: Kind,
  { limit, offset = 0, query = DETAIL_VIEW }: { limit: number; offset?: number; query?: QueryParameters },
): Promise<RecordPage> {
  const paging = [
    ['limit', String(limit)],
    ['offset', String(offset)],
  ] as const;
  const list = await probe.requestList(`${kind}.search`, { query: [...query, ...paging] });
  return { ...list, records: list.items.map((item) => readRecord(item, kind)) };
}

export const requestFirstPage = (probe: Probe, kind: Kind) =>
  requestPage(probe, kind, { limit: FIRST_PAGE_SIZE });

/** Requests the total with `limit=0`. Throws CheckNotApplicable if the response has no total. */
export async function requestTotal(probe: Probe, kind: Kind, query: QueryParameters = FACETED) {
  const { total, exchange } = await probe.requestList(`${kind}.search`, {
    query: [...query, ['limit', '0']],
  });
  if (total === undefined)
    throw new CheckNotApplicable(`the response to limit=0 contains no ${KIND_KEYS[kind].totalKey}`);
  return { total, exchange };
}

/** For the kind `records`, the key includes the record type, because records of different kinds may have equal ids. */
export function getRecordKey(item: Json, kind: Kind): string {
  const raw = asObject(item);
  return kind === 'records'
    ? `${asText(raw.recordType) || readRecordKind(raw)} ${readRecordId(raw)}`
    : readRecordId(raw);
}

/** If the list is empty, throws CheckNotApplicable with `reason` as its message. */
export function takeFirst<T>(found: readonly T[], reason: string): T {
  const [first] = found;
  if (first === undefined) throw new CheckNotApplicable(reason);
  return first;
}

export async function requestNonEmptyPage(probe: Probe, kind: Kind): Promise<RecordPage> {
  const found = await requestFirstPage(probe, kind);
  takeFirst(found.records, `the service returns no ${kind}`);
  return found;
}

/** Returns the kind with the most records. Throws CheckNotApplicable if there are no records. */
export async function findLargestKind(probe: Probe): Promise<RecordKind> {
  let largest: RecordKind | undefined;
  let maximum = 0;
  for (const kind of RECORD_KINDS) {
    const found = await ignoreNotApplicable(requestFirstPage(probe, kind));
    const total = found?.total ?? found?.items.length ?? 0;
    if (total > maximum) [largest, maximum] = [kind, total];
  }
  if (!largest) throw new CheckNotApplicable('the service returns no records');
  return largest;
}

export async function ignoreNotApplicable<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof CheckNotApplicable) return undefined;
    throw error;
  }
}

export interface Facet {
  readonly id: string;
  readonly type: unknown;
  readonly values: readonly { readonly label: string; readonly count: unknown }[];
}

/** Requests the facets of a kind, but no records (`limit=0`). */
export async function requestFacets(probe: Probe, kind: Kind) {
  const reply = await probe.requestList(`${kind}.search`, { query: [...FACETED, ['limit', '0']] });
  const { facetsCollection } = asObject(reply.value);
  return { ...reply, facets: asList(asObject(facetsCollection).facets).map(readFacet) };
}

export function readFacet(entry: unknown): Facet {
  const raw = asObject(entry);
  return {
    id: readItemId(raw, 'facet'),
    type: raw.facetType,
    values: asList(raw.facetLabelValues)
      .map(asObject)
      .map(({ label, value }) => ({ label: asText(label), count: value })),
  };
}

/** Returns the id of an item that is not a record, such as a view; `''` if the item has no id. */
export function readItemId(item: unknown, name: string): string {
  const idKeys: readonly string[] = isServiceItem(name) ? SERVICE_ITEMS[name].idKeys : [];
  const raw = asObject(item);
  const key = idKeys.find((each) => asText(raw[each]) !== '');
  return key === undefined ? '' : asText(raw[key]);
}

export async function requestItemIds(
  probe: Probe,
  endpointId: EndpointId,
  path?: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { response } = getEndpoint(endpointId);
  const { items } = await probe.requestList(endpointId, path ? { path } : {});
  return items
    .map((item) => readItemId(item, response.shape === 'list' ? response.item : ''))
    .filter(Boolean);
}

export function readViewFields({ fields }: JsonObject): string[] {
  return asList(fields).map((field) => {
    const { identifier, fieldName } = asObject(field);
    return asText(identifier ?? fieldName ?? field);
  });
}

export interface SearchableValue {
  readonly record: CollectionRecord;
  readonly field: string;
  readonly value: string;
}

/** Matches text that search engines do not interpret within quotes: letters, digits and a few other characters. */
const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} .'’/-]*[\p{L}\p{N}\p{M}])?$/u;
const OPERATOR = /\b(AND|OR|NOT)\b/;

export function listSearchableValues(records: readonly CollectionRecord[]): SearchableValue[] {
  const all = records.flatMap((record) =>
    [...record.fields].flatMap(([field, values]) => values.map(({ value }) => ({ record, field, value }))),
  );
  return all.filter(({ value }) => value.length >= 3 && value.length <= 60 && isPlain(value));
}

const isPlain = (value: string) => PLAIN.test(value) && !OPERATOR.test(value) && !value.includes('  ');

/** Whether a value of the field contains the text. Ignores case and accents. */
export function hasText({ fields }: CollectionRecord, field: string, text: string): boolean {
  return (fields.get(field) ?? []).some(({ value }) => withoutAccents(value).includes(withoutAccents(text)));
}

/** Returns a record of the first page, if possible one with image labels and relationships. */
export async function findRichRecord(probe: Probe, kind: Kind) {
  const { records } = await requestNonEmptyPage(probe, kind);
  const countParts = ({ images, relationships }: CollectionRecord) =>
    Number(images.some(({ labels }) => labels.length > 0)) + Number(relationships.length > 0);
  return takeFirst(
    records.toSorted((one, other) => countParts(other) - countParts(one)),
    `the service returns no ${kind}`,
  );
}

export const searchRecords = (probe: Probe, kind: Kind, query: string) =>
  requestPage(probe, kind, { limit: FIRST_PAGE_SIZE, query: [['query', query], ...DETAIL_VIEW] });

/** What checks are run on: the first records of each kind, their facets, and values to search for. */
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

/** Records in the page that most checks look at. */
export const FIRST_PAGE_SIZE = 20;

export interface RecordPage extends ListReply {
  readonly records: readonly CollectionRecord[];
}

const FACETED: QueryParameters = [['facetedResults', 'true']];
/** Asks for whole records. */
export const WHOLE: QueryParameters = [['view', 'detail']];

/** A page of a search, whole records unless the query says otherwise. */
export async function requestPage(
  probe: Probe,
  kind: Kind,
  { limit, offset = 0, query = WHOLE }: { limit: number; offset?: number; query?: QueryParameters },
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

/** The total of a search, asked for without records (`limit=0`). Throws NothingToTry when the service does not say. */
export async function requestTotal(probe: Probe, kind: Kind, query: QueryParameters = FACETED) {
  const { total, exchange } = await probe.requestList(`${kind}.search`, {
    query: [...query, ['limit', '0']],
  });
  if (total === undefined) throw new CheckNotApplicable(`no ${KIND_KEYS[kind].totalKey} with limit=0`);
  return { total, at: exchange };
}

/** By what a record is known in a list of any kind. */
export function getRecordKey(item: Json, kind: Kind): string {
  const raw = asObject(item);
  return kind === 'records'
    ? `${asText(raw.recordType) || readRecordKind(raw)} ${readRecordId(raw)}`
    : readRecordId(raw);
}

/** The first of some things that is there. Throws NothingToTry with the reason. */
export function takeFirst<T>(found: readonly T[], reason: string): T {
  const [first] = found;
  if (first === undefined) throw new CheckNotApplicable(reason);
  return first;
}

export async function requestNonEmptyPage(probe: Probe, kind: Kind): Promise<RecordPage> {
  const found = await requestFirstPage(probe, kind);
  takeFirst(found.records, `there are no ${kind}`);
  return found;
}

/** The kind of record that there is most of. */
export async function largestKind(probe: Probe): Promise<RecordKind> {
  let largest: RecordKind | undefined;
  let most = 0;
  for (const kind of RECORD_KINDS) {
    const found = await ifAny(requestFirstPage(probe, kind));
    const total = found?.total ?? found?.items.length ?? 0;
    if (total > most) [largest, most] = [kind, total];
  }
  if (!largest) throw new CheckNotApplicable('there are no records');
  return largest;
}

/** Undefined where there is nothing to try. */
export async function ifAny<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CheckNotApplicable) return undefined;
    throw error;
  }
}

export interface Facet {
  readonly id: string;
  readonly type: unknown;
  readonly values: readonly { readonly label: string; readonly count: unknown }[];
  readonly raw: JsonObject;
}

/** The facets that the service counts for a kind, asked for with the totals alone. */
export async function requestFacets(probe: Probe, kind: Kind) {
  const reply = await probe.requestList(`${kind}.search`, { query: [...FACETED, ['limit', '0']] });
  const { facetsCollection } = asObject(reply.value);
  return { ...reply, facets: asList(asObject(facetsCollection).facets).map(readFacet) };
}

export function readFacet(entry: unknown): Facet {
  const raw = asObject(entry);
  return {
    id: itemId(raw, 'facet'),
    type: raw.facetType,
    values: asList(raw.facetLabelValues)
      .map(asObject)
      .map(({ label, value }) => ({ label: asText(label), count: value })),
    raw,
  };
}

/** The id of an item that is no record, `''` when it has none. */
export function itemId(item: unknown, name: string): string {
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
  return items.map((item) => itemId(item, response.shape === 'list' ? response.item : '')).filter(Boolean);
}

/** The identifiers of a view's fields, in its order. */
export function readViewFields({ fields }: JsonObject): string[] {
  return asList(fields).map((field) => {
    const { identifier, fieldName } = asObject(field);
    return asText(identifier ?? fieldName ?? field);
  });
}

/** A value of a record that a search can be tried with. */
export interface SearchableValue {
  readonly record: CollectionRecord;
  readonly field: string;
  readonly value: string;
}

/** Words and numbers without markup, operators or characters that an analyser may drop: what any search must find. */
const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} .'’/-]*[\p{L}\p{N}\p{M}])?$/u;
const OPERATOR = /\b(AND|OR|NOT)\b/;

export function listSearchableValues(records: readonly CollectionRecord[]): SearchableValue[] {
  const all = records.flatMap((record) =>
    [...record.fields].flatMap(([field, values]) => values.map(({ value }) => ({ record, field, value }))),
  );
  return all.filter(({ value }) => value.length >= 3 && value.length <= 60 && isPlain(value));
}

const isPlain = (value: string) => PLAIN.test(value) && !OPERATOR.test(value) && !value.includes('  ');

/** Whether a value holds the text as whole words, whatever the case. */
export function hasText({ fields }: CollectionRecord, field: string, text: string): boolean {
  return (fields.get(field) ?? []).some(({ value }) => withoutAccents(value).includes(withoutAccents(text)));
}

/** Of the first records one that has images and relationships, so that what hangs on it can be tried too. */
export async function findRichRecord(probe: Probe, kind: Kind) {
  const { records } = await requestNonEmptyPage(probe, kind);
  const parts = ({ images, relationships }: CollectionRecord) =>
    Number(images.some(({ labels }) => labels.length > 0)) + Number(relationships.length > 0);
  return takeFirst(
    records.toSorted((one, other) => parts(other) - parts(one)),
    `there are no ${kind}`,
  );
}

export const searchRecords = (probe: Probe, kind: Kind, query: string) =>
  requestPage(probe, kind, { limit: FIRST_PAGE_SIZE, query: [['query', query], ...WHOLE] });

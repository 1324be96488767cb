/** One check for each endpoint of the catalogue: it answers, and with what the catalogue says. */
import {
  CATALOGUE,
  type Endpoint,
  type EndpointId,
  pathParameters,
} from '../../service/endpoints/catalogue.js';
import { asText, isObject, type JsonObject } from '../../service/json.js';
import { KIND_WORDS, KINDS, type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { ID_KEYS, recordId } from '../../service/records/record.js';
import type { Check } from '../check.js';
import {
  FIRST_PAGE,
  facets,
  firstOf,
  itemId,
  itemIds,
  someRecords,
  tellingRecord,
} from '../material/samples.js';
import { type Deviation, deviation, NothingToTry } from '../probe/deviation.js';
import { type Probe, type Reply, Unanswered } from '../probe/probe.js';

const SOURCES: Readonly<Record<Endpoint['origin'], string>> = {
  documented: 'INTERFACE.md "Endpoints"',
  observed: 'FIELD-NOTES.md "Requests"',
  likely: 'by analogy with INTERFACE.md "Endpoints"',
};

export const endpointCheckId = (endpointId: EndpointId) => `endpoint.${endpointId}`;

export const ENDPOINTS: readonly Check[] = CATALOGUE.flatMap((row) => {
  const { id, path, method, origin, response } = row;
  if (method !== 'GET' || response.shape === 'redirect') return [];
  const holds =
    response.shape === 'list'
      ? 'a list and its total'
      : `one ${response.shape === 'one' ? response.item : ''}`;
  return {
    id: endpointCheckId(id),
    promise: `GET ${path} answers with ${holds}`,
    source: `${SOURCES[origin]}; FIELD-NOTES.md "Answers"`,
    run: (probe) => checkEndpoint(probe, row),
  } satisfies Check;
});

const PAGE = [
  ['view', 'detail'],
  ['limit', String(FIRST_PAGE)],
  ['offset', '0'],
] as const;

async function* checkEndpoint(probe: Probe, row: Endpoint): AsyncGenerator<Deviation> {
  const path = await pathValues(probe, row);
  let reply: Reply;
  try {
    reply = await probe.ask(row.id, { path, query: row.id.endsWith('.search') ? PAGE : [] });
  } catch (error) {
    const isMissing = error instanceof Unanswered && (error.status === 404 || error.status === 405);
    // Which fields have authority terms is known to the deployment alone, so a 404 there may mean the field.
    if (isMissing && row.id.endsWith('.authorities'))
      throw new NothingToTry('no field was found that has authority terms');
    if (isMissing && row.origin !== 'documented') throw new NothingToTry(`${row.path} is not offered here`);
    throw error;
  }
  yield* row.response.shape === 'list' ? listShape(row, reply) : oneShape(row, reply, path);
}

function* listShape({ response, id }: Endpoint, { value, at }: Reply): Generator<Deviation> {
  if (response.shape !== 'list') return;
  const { key, total, item } = response;
  if (!isObject(value))
    return yield deviation(`a JSON object with the list "${key}"`, 'a bare list', at, 'warn');
  const items = value[key];
  // Nothing found: the list may be left out (FIELD-NOTES.md "Requests", end of a result).
  if (items === undefined && Number(value[total]) === 0) return;
  if (!Array.isArray(items)) {
    const others = Object.keys(value).filter((each) => Array.isArray(value[each]));
    return yield others.length > 0
      ? deviation(`a list under "${key}"`, `lists under ${others.join(', ')}`, at, 'warn')
      : deviation(`a list under "${key}"`, `no list, but ${keysOf(value)}`, at);
  }
  if (!/^\d+$/.test(asText(value[total])))
    yield deviation(`a number under "${total}"`, JSON.stringify(value[total]) ?? 'nothing', at, 'warn');
  const nameless = items.findIndex((each) => idOf(each, item, id) === '');
  if (nameless >= 0) yield deviation(`an id in each ${item}`, `none in number ${nameless + 1}`, at);
}

function* oneShape(
  { response, id, path: template }: Endpoint,
  { value, at }: Reply,
  path: Readonly<Record<string, string>>,
): Generator<Deviation> {
  if (response.shape !== 'one') return;
  const { item } = response;
  const asked = path[pathParameters(template).at(-1) ?? ''] ?? '';
  const got = idOf(value, item, id);
  if (!isObject(value)) yield deviation(`one ${item} with its id`, 'a list', at);
  else if (got === '') yield deviation(`one ${item} with its id`, keysOf(value), at);
  else if (asked !== '' && got !== asked)
    yield deviation(`the ${item} "${asked}" that was asked for`, `"${got}"`, at);
}

function idOf(item: unknown, name: string, endpointId: EndpointId): string {
  const isRecord =
    endpointId.endsWith('.search') || RECORD_KINDS.some((kind) => KIND_WORDS[kind].recordType === name);
  if (!isRecord) return itemId(item, name);
  return isObject(item) ? recordId(item) : '';
}

function keysOf(value: JsonObject): string {
  const keys = Object.keys(value).slice(0, 5);
  return keys.length > 0 ? `an object with ${keys.join(', ')}` : 'an empty object';
}

/** Values for the parameters in the path of an endpoint, taken from what the deployment has. Throws NothingToTry when it has none. */
async function pathValues(probe: Probe, { id, path }: Endpoint): Promise<Record<string, string>> {
  const kind = KINDS.find((each) => id.startsWith(`${each}.`)) ?? 'objects';
  const values: Record<string, string> = {};
  for (const name of pathParameters(path)) {
    const find = ID_KEYS.includes(name) ? VALUES.recordId : VALUES[name];
    if (!find) throw new RangeError(`nothing is known to give values of ${name}`);
    values[name] = await find(probe, kind, values);
  }
  return values;
}

type ValueOf = (probe: Probe, kind: Kind, before: Readonly<Record<string, string>>) => Promise<string>;

const VALUES: Readonly<Record<string, ValueOf>> = {
  recordId: async (probe, kind) => (await tellingRecord(probe, kind)).id,
  facetId: async (probe, kind) =>
    firstOf((await facets(probe, kind)).facets, `the service names no facets of ${kind}`).id,
  viewName: async (probe, kind) =>
    firstOf(await itemIds(probe, `${kind as RecordKind}.views`), `there are no views of ${kind}`),
  highlightId: async (probe) => firstOf(await itemIds(probe, 'highlights.list'), 'there are no highlights'),
  imageLabelId: async (probe, _, path) =>
    firstOf(await itemIds(probe, 'objects.imagelabels', path), 'no object has image labels'),
  relationshipId: async (probe, kind) => {
    const { relationships } = await tellingRecord(probe, kind);
    return firstOf(relationships, `no ${KIND_WORDS[kind].recordType} has relationships`).id;
  },
  authorityFieldName: async (probe, kind) => {
    const { records } = await someRecords(probe, kind as RecordKind);
    // Terms carry the query that finds them (samples/opacobjects-detail.json).
    const fields = records.flatMap((each) => [...each.fields].filter(([, values]) => values.length > 0));
    const terms = fields.filter(([, values]) => values.some(({ attributes }) => attributes.has('search')));
    return firstOf([...terms, ...fields], `no ${kind} have fields`)[0];
  },
};

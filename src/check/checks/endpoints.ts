/** One check for each endpoint of the catalogue: it answers, and with what the catalogue says. */
import {
  CATALOGUE,
  type Endpoint,
  type EndpointId,
  pathParameters,
} from '../../service/endpoints/catalogue.js';
import { asText, isObject, type JsonObject } from '../../service/json.js';
import { KIND_KEYS, KINDS, RECORD_KINDS } from '../../service/kinds.js';
import { readRecordId } from '../../service/records/record.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, type Deviation, deviation } from '../probe/deviation.js';
import { type Probe, type ProbeResponse, RequestFailed } from '../probe/probe.js';
import { pathValue } from '../samples/path-values.js';
import { FIRST_PAGE_SIZE, itemId } from '../samples/samples.js';

const SOURCES: Readonly<Record<Endpoint['origin'], string>> = {
  documented: 'INTERFACE.md "Endpoints"',
  observed: 'FIELD-NOTES.md "Requests"',
  likely: 'by analogy with INTERFACE.md "Endpoints"',
};

export const endpointCheckId = (endpointId: EndpointId) => `endpoint.${endpointId}`;

export const ENDPOINT_CHECKS: readonly Check[] = CATALOGUE.flatMap((row) => {
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
  ['limit', String(FIRST_PAGE_SIZE)],
  ['offset', '0'],
] as const;

async function* checkEndpoint(probe: Probe, row: Endpoint): AsyncGenerator<Deviation> {
  const kind = KINDS.find((each) => row.id.startsWith(`${each}.`)) ?? 'objects';
  const path: Record<string, string> = {};
  for (const name of pathParameters(row.path)) path[name] = await pathValue(probe, name, kind, path);
  let reply: ProbeResponse;
  try {
    reply = await probe.request(row.id, { path, query: row.id.endsWith('.search') ? PAGE : [] });
  } catch (error) {
    const isMissing = error instanceof RequestFailed && (error.status === 404 || error.status === 405);
    // Which fields have authority terms is known to the deployment alone, so a 404 there may mean the field.
    if (isMissing && row.id.endsWith('.authorities'))
      throw new CheckNotApplicable('no field was found that has authority terms');
    if (isMissing && row.origin !== 'documented')
      throw new CheckNotApplicable(`${row.path} is not offered here`);
    throw error;
  }
  yield* row.response.shape === 'list' ? listShape(row, reply) : oneShape(row, reply, path);
}

function* listShape({ response, id }: Endpoint, { value, exchange }: ProbeResponse): Generator<Deviation> {
  if (response.shape !== 'list') return;
  const { key, total, item } = response;
  if (!isObject(value))
    return yield deviation(`a JSON object with the list "${key}"`, 'a bare list', exchange, 'warn');
  const items = value[key];
  // Nothing found: the list may be left out (FIELD-NOTES.md "Requests", end of a result).
  if (items === undefined && Number(value[total]) === 0) return;
  if (!Array.isArray(items)) {
    const others = Object.keys(value).filter((each) => Array.isArray(value[each]));
    return yield others.length > 0
      ? deviation(`a list under "${key}"`, `lists under ${others.join(', ')}`, exchange, 'warn')
      : deviation(`a list under "${key}"`, `no list, but ${keysOf(value)}`, exchange);
  }
  if (!/^\d+$/.test(asText(value[total])))
    yield deviation(`a number under "${total}"`, JSON.stringify(value[total]) ?? 'nothing', exchange, 'warn');
  const nameless = items.findIndex((each) => idOf(each, item, id) === '');
  if (nameless >= 0) yield deviation(`an id in each ${item}`, `none in number ${nameless + 1}`, exchange);
}

function* oneShape(
  { response, id, path: template }: Endpoint,
  { value, exchange }: ProbeResponse,
  path: Readonly<Record<string, string>>,
): Generator<Deviation> {
  if (response.shape !== 'one') return;
  const { item } = response;
  const asked = path[pathParameters(template).at(-1) ?? ''] ?? '';
  const got = idOf(value, item, id);
  if (!isObject(value)) yield deviation(`one ${item} with its id`, 'a list', exchange);
  else if (got === '') yield deviation(`one ${item} with its id`, keysOf(value), exchange);
  else if (asked !== '' && got !== asked)
    yield deviation(`the ${item} "${asked}" that was asked for`, `"${got}"`, exchange);
}

function idOf(item: unknown, name: string, endpointId: EndpointId): string {
  const isRecord =
    endpointId.endsWith('.search') || RECORD_KINDS.some((kind) => KIND_KEYS[kind].recordType === name);
  if (!isRecord) return itemId(item, name);
  return isObject(item) ? readRecordId(item) : '';
}

function keysOf(value: JsonObject): string {
  const keys = Object.keys(value).slice(0, 5);
  return keys.length > 0 ? `an object with ${keys.join(', ')}` : 'an empty object';
}

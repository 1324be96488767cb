/** One check for each GET endpoint that does not redirect: the endpoint responds as the catalogue describes. */
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
import { findPathValue } from '../samples/path-values.js';
import { FIRST_PAGE_SIZE, readItemId } from '../samples/samples.js';

const SOURCES: Readonly<Record<Endpoint['origin'], string>> = {
  documented: 'opac help interface, "Endpoints"',
  observed: 'opac help field-notes, "Requests"',
  likely: 'by analogy with opac help interface, "Endpoints"',
};

export const getEndpointCheckId = (endpointId: EndpointId) => `endpoint.${endpointId}`;

export const ENDPOINT_CHECKS: readonly Check[] = CATALOGUE.flatMap((endpoint) => {
  const { id, path, method, origin, response } = endpoint;
  if (method !== 'GET' || response.shape === 'redirect') return [];
  const content =
    response.shape === 'list'
      ? 'a list and its total'
      : `one ${response.shape === 'one' ? response.item : ''}`;
  return {
    id: getEndpointCheckId(id),
    promise: `GET ${path} returns ${content}`,
    source: `${SOURCES[origin]}; opac help field-notes, "Answers"`,
    run: (probe) => checkEndpoint(probe, endpoint),
  } satisfies Check;
});

const PAGE = [
  ['view', 'detail'],
  ['limit', String(FIRST_PAGE_SIZE)],
  ['offset', '0'],
] as const;

async function* checkEndpoint(probe: Probe, endpoint: Endpoint): AsyncGenerator<Deviation> {
  const kind = KINDS.find((each) => endpoint.id.startsWith(`${each}.`)) ?? 'objects';
  const path: Record<string, string> = {};
  for (const name of pathParameters(endpoint.path)) path[name] = await findPathValue(probe, name, kind, path);
  let reply: ProbeResponse;
  try {
    reply = await probe.request(endpoint.id, { path, query: endpoint.id.endsWith('.search') ? PAGE : [] });
  } catch (error) {
    const isMissing = error instanceof RequestFailed && (error.status === 404 || error.status === 405);
    // A 404 may also mean that the requested field has no authority terms.
    if (isMissing && endpoint.id.endsWith('.authorities'))
      throw new CheckNotApplicable('no field with authority terms was found');
    if (isMissing && endpoint.origin !== 'documented')
      throw new CheckNotApplicable(`the deployment has no ${endpoint.path}`);
    throw error;
  }
  yield* endpoint.response.shape === 'list' ? checkList(endpoint, reply) : checkItem(endpoint, reply, path);
}

function* checkList({ response, id }: Endpoint, { value, exchange }: ProbeResponse): Generator<Deviation> {
  if (response.shape !== 'list') return;
  const { key, total, item } = response;
  if (!isObject(value))
    return yield deviation(`a JSON object with the list "${key}"`, 'a JSON array', exchange, 'warn');
  const items = value[key];
  // An empty result may omit the list (FIELD-NOTES.md "Requests", end of a result).
  if (items === undefined && Number(value[total]) === 0) return;
  if (!Array.isArray(items)) {
    const others = Object.keys(value).filter((each) => Array.isArray(value[each]));
    return yield others.length > 0
      ? deviation(`a list under "${key}"`, `lists under ${others.join(', ')}`, exchange, 'warn')
      : deviation(`a list under "${key}"`, `no list, but ${describeKeys(value)}`, exchange);
  }
  if (!/^\d+$/.test(asText(value[total])))
    yield deviation(`a number under "${total}"`, JSON.stringify(value[total]) ?? 'nothing', exchange, 'warn');
  const withoutId = items.findIndex((each) => readId(each, item, id) === '');
  if (withoutId >= 0) yield deviation(`an id in each ${item}`, `no id in item ${withoutId + 1}`, exchange);
}

function* checkItem(
  { response, id, path: template }: Endpoint,
  { value, exchange }: ProbeResponse,
  path: Readonly<Record<string, string>>,
): Generator<Deviation> {
  if (response.shape !== 'one') return;
  const { item } = response;
  const requested = path[pathParameters(template).at(-1) ?? ''] ?? '';
  const got = readId(value, item, id);
  if (!isObject(value)) yield deviation(`one ${item} with its id`, 'a list', exchange);
  else if (got === '') yield deviation(`one ${item} with its id`, describeKeys(value), exchange);
  else if (requested !== '' && got !== requested)
    yield deviation(`the requested ${item} "${requested}"`, `"${got}"`, exchange);
}

function readId(item: unknown, name: string, endpointId: EndpointId): string {
  const isRecord =
    endpointId.endsWith('.search') || RECORD_KINDS.some((kind) => KIND_KEYS[kind].recordType === name);
  if (!isRecord) return readItemId(item, name);
  return isObject(item) ? readRecordId(item) : '';
}

function describeKeys(value: JsonObject): string {
  const keys = Object.keys(value).slice(0, 5);
  return keys.length > 0 ? `an object with ${keys.join(', ')}` : 'an empty object';
}

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
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import { type Probe, type Reply, Unanswered } from '../probe/probe.js';

const WHENCE: Readonly<Record<Endpoint['origin'], string>> = {
  documented: 'INTERFACE.md "Endpoints"',
  observed: 'FIELD-NOTES.md "Requests"',
  likely: 'by analogy with INTERFACE.md "Endpoints"',
};

export const endpointCheckId = (endpointId: EndpointId) => `endpoint.${endpointId}`;

export const ENDPOINTS: readonly Check[] = CATALOGUE.filter(
  ({ method, response }) => method === 'GET' && response.shape !== 'redirect',
).map((row) => ({
  id: endpointCheckId(row.id),
  promise: `GET ${row.path} answers with ${row.response.shape === 'list' ? `a list and its total` : `one ${row.response.shape === 'one' ? row.response.item : ''}`}`,
  source: `${WHENCE[row.origin]}; FIELD-NOTES.md "Answers"`,
  run: (probe) => answers(probe, row),
}));

async function* answers(probe: Probe, row: Endpoint): AsyncGenerator<Deviation> {
  const path = await pathValues(probe, row);
  const isSearch = row.id.endsWith('.search');
  const query = isSearch
    ? ([
        ['view', 'detail'],
        ['limit', String(FIRST_PAGE)],
        ['offset', '0'],
      ] as const)
    : [];
  let reply: Reply;
  try {
    reply = await probe.ask(row.id, { path, query });
  } catch (error) {
    const isMissing = error instanceof Unanswered && (error.status === 404 || error.status === 405);
    const isOptional = row.origin !== 'documented' || row.id.endsWith('.authorities');
    if (isMissing && isOptional) throw new NothingToTry(notOffered(row));
    throw error;
  }
  yield* row.response.shape === 'list' ? listShape(row, reply) : oneShape(row, reply, path);
}

/** Which fields have authority terms is known to the deployment alone, so a 404 there may mean the field. */
function notOffered({ id, path }: Endpoint): string {
  return id.endsWith('.authorities')
    ? 'no field was found that has authority terms'
    : `${path} is not offered here`;
}

function* listShape({ response, id }: Endpoint, { value, at }: Reply): Generator<Deviation> {
  if (response.shape !== 'list') return;
  const { key, total, item } = response;
  if (!isObject(value)) {
    yield { expected: `a JSON object with the list "${key}"`, received: 'a bare list', at, verdict: 'warn' };
    return;
  }
  // Nothing found: the list may be left out (FIELD-NOTES.md "Requests", end of a result).
  if (value[key] === undefined && Number(value[total]) === 0) return;
  const items = value[key];
  if (!Array.isArray(items)) {
    const others = Object.keys(value).filter((each) => Array.isArray(value[each]));
    const received = others.length > 0 ? `lists under ${others.join(', ')}` : `no list, but ${keysOf(value)}`;
    yield {
      expected: `a list under "${key}"`,
      received,
      at,
      verdict: others.length > 0 ? 'warn' : undefined,
    };
    return;
  }
  if (!/^\d+$/.test(asText(value[total])))
    yield {
      expected: `a number under "${total}"`,
      received: JSON.stringify(value[total]) ?? 'nothing',
      at,
      verdict: 'warn',
    };
  const nameless = items.findIndex((each) => idOf(each, item, id) === '');
  if (nameless >= 0)
    yield { expected: `an id in each ${item}`, received: `none in number ${nameless + 1}`, at };
}

function* oneShape(
  { response, id, path: template }: Endpoint,
  { value, at }: Reply,
  path: Readonly<Record<string, string>>,
) {
  if (response.shape !== 'one') return;
  const asked = path[pathParameters(template).at(-1) ?? ''] ?? '';
  const got = idOf(value, response.item, id);
  if (!isObject(value) || got === '')
    yield {
      expected: `one ${response.item} with its id`,
      received: isObject(value) ? keysOf(value) : 'a list',
      at,
    };
  else if (asked !== '' && got !== asked)
    yield { expected: `the ${response.item} "${asked}" that was asked for`, received: `"${got}"`, at };
}

function idOf(item: unknown, name: string, endpointId: EndpointId): string {
  const isRecord =
    endpointId.endsWith('.search') || RECORD_KINDS.some((kind) => KIND_WORDS[kind].recordType === name);
  return isRecord ? (isObject(item) ? recordId(item) : '') : itemId(item, name);
}

function keysOf(value: JsonObject): string {
  const keys = Object.keys(value).slice(0, 5);
  return keys.length > 0 ? `an object with ${keys.join(', ')}` : 'an empty object';
}

/** Values for the parameters in the path of an endpoint, taken from what the deployment has. Throws NothingToTry when it has none. */
async function pathValues(probe: Probe, { id, path }: Endpoint): Promise<Record<string, string>> {
  const kind = KINDS.find((each) => id.startsWith(`${each}.`)) ?? 'objects';
  const values: Record<string, string> = {};
  for (const name of pathParameters(path)) Object.assign(values, await oneValue(probe, name, kind, values));
  return values;
}

async function oneValue(
  probe: Probe,
  name: string,
  kind: Kind,
  before: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  if (ID_KEYS.includes(name)) return { [name]: (await tellingRecord(probe, kind)).id };
  const make = VALUES[name];
  if (!make) throw new RangeError(`nothing is known to give values of ${name}`);
  return { [name]: await make(probe, kind, before) };
}

type ValueOf = (probe: Probe, kind: Kind, before: Readonly<Record<string, string>>) => Promise<string>;

const VALUES: Readonly<Record<string, ValueOf>> = {
  facetId: async (probe, kind) =>
    firstOf((await facets(probe, kind)).facets, `the service names no facets of ${kind}`).id,
  viewName: async (probe, kind) =>
    firstOf(await itemIds(probe, `${kind as RecordKind}.views`), `there are no views of ${kind}`),
  highlightId: async (probe) => firstOf(await itemIds(probe, 'highlights.list'), 'there are no highlights'),
  imageLabelId: async (probe, _, path) =>
    firstOf(await itemIds(probe, 'objects.imagelabels', path), 'no object has image labels'),
  relationshipId: async (probe, kind) =>
    firstOf(
      (await tellingRecord(probe, kind)).relationships,
      `no ${KIND_WORDS[kind].recordType} has relationships`,
    ).id,
  authorityFieldName: async (probe, kind) => {
    const { records } = await someRecords(probe, kind as RecordKind);
    // Terms carry the query that finds them (test/fixtures/opacobjects-detail.json).
    const fields = records.flatMap((each) => [...each.fields].filter(([, values]) => values.length > 0));
    const terms = fields.filter(([, values]) => values.some(({ attributes }) => attributes.has('search')));
    return firstOf([...terms, ...fields], `no ${kind} have fields`)[0];
  },
};

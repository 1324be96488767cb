/** A service for these tests. A test determines which queries, facets and sort orders the service supports. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseQuery, type Query } from '../../../../src/local/search/parse-query.js';

export type SmallRecord = Readonly<Record<string, readonly string[]>> & { readonly id: readonly [string] };

export interface Traits {
  readonly records: readonly SmallRecord[];
  readonly window: number;
  /** True if the service supports `field:[a TO b}`. Otherwise, it refuses such a query. */
  readonly ranges?: boolean;
  /** NOT in queries. `dropped`: the service ignores the term. Default: supported. */
  readonly not?: 'refused' | 'dropped';
  /** OR in queries. Default: supported. */
  readonly or?: 'refused';
  /** Returns the reported count of a value that `count` records have; undefined omits the value. Default: no facets. */
  readonly facet?: (field: string, value: string, count: number) => number | undefined;
  /** Fields that the service can sort by. It refuses other fields. */
  readonly sorts?: readonly string[];
  /** True if the service sorts values as numbers. Ranges always compare them as text. */
  readonly numeric?: boolean;
  /** Maximum number of values in a list. The service refuses longer lists, as search engines do. Default: no limit. */
  readonly mostValues?: number;
  /** Returns true for a page that the service must refuse, in addition to those beyond the window. */
  readonly refuses?: (query: string, offset: number) => boolean;
}

const ID = 'opacObjectId';
const RANGE = /([\w]+):([[{])(\*|"[^"]*") TO (\*|"[^"]*")([\]}])/g;

type Predicate = (record: SmallRecord) => boolean;

function getValues(record: SmallRecord, field: string): readonly string[] {
  return record[field === ID ? 'id' : field] ?? [];
}

function createPredicate(query: Query, ranges: readonly Predicate[]): Predicate {
  if (query.type === 'term') {
    const { field = '', values } = query;
    if (field === 'range') return ranges[Number(values[0]?.text)] as Predicate;
    const isAny = values.some(({ text, quoted }) => text === '*' && !quoted);
    return (record) =>
      getValues(record, field).some((value) => isAny || values.some(({ text }) => text === value));
  }
  if (query.type === 'not') {
    const part = createPredicate(query.part, ranges);
    return (record) => !part(record);
  }
  const parts = query.parts.map((part) => createPredicate(part, ranges));
  return (record) =>
    query.type === 'all' ? parts.every((each) => each(record)) : parts.some((each) => each(record));
}

function createRangePredicate([, field = '', open, from = '', to = '', close]: readonly string[]): Predicate {
  const text = (quoted: string) => (quoted === '*' ? undefined : quoted.slice(1, -1));
  const [low, high] = [text(from), text(to)];
  return (record) =>
    getValues(record, field).some(
      (value) =>
        (low === undefined || (open === '[' ? value >= low : value > low)) &&
        (high === undefined || (close === ']' ? value <= high : value < high)),
    );
}

/** Returns undefined for a query that the service refuses. */
function findMatches(
  text: string,
  { records, ranges, not, or, mostValues = Number.POSITIVE_INFINITY }: Traits,
): readonly SmallRecord[] | undefined {
  const found: Predicate[] = [];
  const named = text.replaceAll(
    RANGE,
    (...match) => `range:"${found.push(createRangePredicate(match as string[])) - 1}"`,
  );
  if ((found.length > 0 && !ranges) || (not === 'refused' && /\bNOT\b/.test(named))) return undefined;
  if (or === 'refused' && /\bOR\b/.test(named)) return undefined;
  if (/\([^()]*\)/.exec(named)?.some((list) => list.split(', ').length > mostValues)) return undefined;
  const query = parseQuery(
    not === 'dropped' ? named.replaceAll(/( AND )?NOT \w+:(\*|"[^"]*"|\([^)]*\))/g, '') : named,
  );
  return query ? records.filter(createPredicate(query, found)) : records;
}

function sortRecords(
  records: readonly SmallRecord[],
  { field, isDown, numeric }: { field: string; isDown: boolean; numeric: boolean },
): readonly SmallRecord[] {
  const key = (record: SmallRecord) => {
    const value = getValues(record, field)[0] ?? '\uffff';
    return numeric ? value.padStart(9, '0') : value;
  };
  const up = [...records].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
  return isDown ? up.reverse() : up;
}

function countFacets(records: readonly SmallRecord[], stated: NonNullable<Traits['facet']>) {
  const counts = new Map<string, Map<string, number>>();
  for (const { id: _, ...fields } of records)
    for (const [field, values] of Object.entries(fields))
      for (const value of values) {
        const own = counts.get(field) ?? new Map<string, number>();
        counts.set(field, own.set(value, (own.get(value) ?? 0) + 1));
      }
  return [...counts].map(([facetId, values]) => ({
    facetId,
    facetType: 'text',
    facetLabelValues: [...values].flatMap(([label, count]) => {
      const value = stated(facetId, label, count);
      return value === undefined ? [] : [{ label, value }];
    }),
  }));
}

function createResponse(parameters: URLSearchParams, traits: Traits): object | undefined {
  const { window, facet, sorts = [], numeric = false, refuses } = traits;
  const query = parameters.get('query') ?? '';
  const limit = Number(parameters.get('limit') ?? 20);
  const offset = Number(parameters.get('offset') ?? 0);
  const sort = parameters.get('sort');
  const found = findMatches(query, traits);
  if (!found || offset + limit > window || (sort && !sorts.includes(sort))) return undefined;
  if (limit > 0 && refuses?.(query, offset)) return undefined;
  const ordered = sort
    ? sortRecords(found, { field: sort, isDown: parameters.get('direction') === 'desc', numeric })
    : found;
  return {
    totalObjects: found.length,
    opacObjects: ordered.slice(offset, offset + limit).map(({ id, ...fields }) => ({
      [ID]: id[0],
      opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
        identifier,
        opacObjectFields: values.map((value) => ({ value })),
      })),
    })),
    ...(facet &&
      parameters.has('facetedResults') && { facetsCollection: { facets: countFacets(found, facet) } }),
  };
}

export async function startSmallService(traits: Traits) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(`http://service${request.url}`);
    requests.push([...searchParams].map((each) => each.join('=')).join('&'));
    const found = pathname.endsWith('/opacobjects') ? createResponse(searchParams, traits) : undefined;
    const status = found ? 200 : pathname.endsWith('/opacobjects') ? 400 : 404;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { message: 'Result window is too large' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    /** The parameters of each request, decoded. */
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

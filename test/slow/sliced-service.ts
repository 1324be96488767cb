/** A service with a million objects or more, with a window, and with fields that are hard to slice by. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseQuery, type Query } from '../../src/local/search/parse-query.js';

export interface ServiceOptions {
  readonly records: number;
  readonly window: number;
  /** After this number of requests, 500 records are added, 500 are changed and 500 are removed. */
  readonly movesAfter?: number;
}

export interface Service {
  readonly url: string;
  /** Number of requests for pages of records, and for counts and facets. */
  readonly requests: { pages: number; counts: number };
  /** Returns the ids of the records that were not added or removed. */
  readonly stayed: () => Iterable<number>;
  readonly close: () => Promise<void>;
}

const MOVED = 500;
const MAKERS = 3000;

const DEPARTMENTS = [
  'Works on paper',
  ...Array.from({ length: 19 }, (_, n) => `Department "${n}", Ō tāngata`),
];
const NAMES = ['', ...Array.from({ length: MAKERS }, (_, n) => `Māker \\ "${n}" O'Hāra, ${n % 7} 🏺`)];
const PERIODS = ['', ...Array.from({ length: 90 }, (_, n) => `c. ${1000 + n * 10}–${n}`)];

/** Returns a number from 0 to 1, which is always the same for the same seed. */
const spread = (seed: number) => ((Math.imul(seed + 1, 0x9e3779b1) >>> 0) % 1_000_003) / 1_000_003;

export async function startService({ records, window, movesAfter = -1 }: ServiceOptions): Promise<Service> {
  const size = records + MOVED;
  const fields = {
    // Half of the records have the first value.
    department: { names: DEPARTMENTS, codes: new Uint16Array(size) },
    // 3 % of the records have no value. The first values are the most frequent.
    maker_name: { names: NAMES, codes: new Uint16Array(size) },
    period: { names: PERIODS, codes: new Uint16Array(size) },
  };
  const isThere = new Uint8Array(size).fill(1, 0, records);
  const stays = new Uint8Array(size).fill(1, 0, records);
  for (let n = 0; n < size; n++) {
    fields.department.codes[n] = spread(n) < 0.5 ? 0 : 1 + Math.floor(spread(n + 7) * 19);
    fields.maker_name.codes[n] = spread(n * 3) < 0.03 ? 0 : 1 + Math.floor(spread(n * 5) ** 2 * MAKERS);
    fields.period.codes[n] = spread(n * 11) < 0.03 ? 0 : 1 + Math.floor(spread(n * 13) * 90);
  }
  const requests = { pages: 0, counts: 0 };
  let cache = new Map<string, Uint32Array>();

  function move(): void {
    const step = Math.floor(records / (3 * MOVED));
    for (let n = 0; n < MOVED; n++) {
      isThere[records + n] = 1;
      const changed = n * step;
      fields.maker_name.codes[changed] = 1 + ((fields.maker_name.codes[changed] ?? 0) % MAKERS);
      fields.department.codes[changed] = ((fields.department.codes[changed] ?? 0) + 1) % 20;
      const removed = records - 1 - n * step;
      isThere[removed] = 0;
      stays[removed] = 0;
    }
    cache = new Map();
  }

  function maskOf(query: Query | undefined): Uint8Array {
    if (!query) return isThere.slice();
    const mask = new Uint8Array(size);
    if (query.type === 'term' && query.field === 'external_object_id') {
      for (const { text } of query.values) mask[Number(text) - 1] = isThere[Number(text) - 1] ?? 0;
      return mask;
    }
    if (query.type === 'term') {
      const { names, codes } = fields[query.field as keyof typeof fields] ?? { names: [], codes: [] };
      const values = new Map(names.map((name, code) => [name, code]));
      const wanted = new Uint8Array(names.length);
      for (const { text, quoted } of query.values) {
        if (text === '*' && !quoted) wanted.fill(1, 1);
        else if (text !== '' && values.has(text)) wanted[values.get(text) ?? 0] = 1;
      }
      for (let n = 0; n < size; n++) mask[n] = (wanted[codes[n] ?? 0] ?? 0) & (isThere[n] ?? 0);
      return mask;
    }
    if (query.type === 'not') {
      const part = maskOf(query.part);
      for (let n = 0; n < size; n++) mask[n] = part[n] ? 0 : (isThere[n] ?? 0);
      return mask;
    }
    const [first = mask, ...others] = query.parts.map(maskOf);
    for (const other of others)
      for (let n = 0; n < size; n++)
        first[n] =
          query.type === 'all' ? (first[n] ?? 0) & (other[n] ?? 0) : (first[n] ?? 0) | (other[n] ?? 0);
    return first;
  }

  function select(query: string): Uint32Array {
    const known = cache.get(query);
    if (known) return known;
    const mask = maskOf(parseQuery(query));
    const positions = new Uint32Array(mask.reduce((sum, bit) => sum + bit, 0));
    let found = 0;
    for (let n = 0; n < size; n++) if (mask[n]) positions[found++] = n;
    cache.set(query, positions);
    if (cache.size > 8) cache.delete(cache.keys().next().value as string);
    return positions;
  }

  function facetsOf(positions: Uint32Array) {
    return Object.entries(fields).map(([facetId, { names, codes }]) => {
      const counts = new Uint32Array(names.length);
      for (const n of positions) counts[codes[n] ?? 0] = (counts[codes[n] ?? 0] ?? 0) + 1;
      const facetLabelValues = names
        .map((label, code) => ({ label, value: counts[code] ?? 0 }))
        .filter(({ label, value }) => label !== '' && value > 0);
      return { facetId, facet: facetId, facetType: 'text', facetLabelValues };
    });
  }

  function recordOf(n: number): string {
    const sets = Object.entries(fields).map(([identifier, { names, codes }]) => ({
      identifier,
      opacObjectFields: [{ value: names[codes[n] ?? 0] }],
    }));
    return JSON.stringify({ opacObjectId: String(n + 1), opacObjectFieldSets: sets });
  }

  const server = createServer((request, response) => {
    if (requests.pages + requests.counts === movesAfter) move();
    const { searchParams } = new URL(`http://service${request.url}`);
    const limit = Math.min(100, Number(searchParams.get('limit') ?? 20));
    const offset = Number(searchParams.get('offset') ?? 0);
    requests[limit > 1 ? 'pages' : 'counts']++;
    const isSorted = searchParams.has('sort') && searchParams.get('sort') !== 'opacObjectId';
    if (isSorted || offset + limit > window) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"message":"Result window is too large"}');
      return;
    }
    const positions = select(searchParams.get('query') ?? '');
    const page = [...positions.subarray(offset, offset + limit)].map(recordOf);
    const facets = searchParams.has('facetedResults')
      ? `,"facetsCollection":${JSON.stringify({ facets: facetsOf(positions) })}`
      : '';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"opacObjects":[${page.join(',')}],"totalObjects":${positions.length}${facets}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    *stayed() {
      for (let n = 0; n < records; n++) if (stays[n]) yield n + 1;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

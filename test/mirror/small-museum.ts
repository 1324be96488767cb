/** A small museum on 127.0.0.1. Tests determine its records and faults. It shares no code with opac. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SmallRecord {
  readonly id: string;
  readonly name: string;
  /** The day of the last edit, for example `2026-11-22`. */
  readonly modified: string;
  /** The id of the collection that contains the record. */
  readonly collections?: string;
}

export interface Asked {
  /** The number of this request among all requests, from 1. */
  readonly number: number;
  readonly kind: SmallKind;
  readonly offset: number;
  readonly limit: number;
  readonly sort: string | undefined;
  readonly isStub: boolean;
}

export type SmallKind = 'objects' | 'persons';

/** Returns a status or a body that replaces the response; undefined for the normal response. */
export type Fault = (
  asked: Asked,
) => { readonly status?: number; readonly body?: Buffer | string } | undefined;

const WORDS = {
  objects: {
    id: 'opacObjectId',
    sets: 'opacObjectFieldSets',
    fields: 'opacObjectFields',
    list: 'opacObjects',
    total: 'totalObjects',
  },
  persons: {
    id: 'opacPersonId',
    sets: 'opacPersonFieldSets',
    fields: 'opacPersonFields',
    list: 'opacPersons',
    total: 'totalPersons',
  },
} as const;

export class SmallMuseum {
  readonly records: Record<SmallKind, readonly SmallRecord[]> = { objects: [], persons: [] };
  fault: Fault = () => undefined;
  /** Responds to requests that are not for records. Undefined: the response is 404. */
  other: (path: string) => { readonly status: number; readonly body: string } | undefined = () => undefined;
  /** Called before the museum creates a list. If this function changes the records, the list contains the changes. */
  before: (asked: Asked) => void = () => undefined;
  sorts = true;
  cap = 100;
  /** Rounds offsets down to a multiple of this. */
  alignment = 1;
  indent: number | undefined;
  requests = 0;
  /** The decoded queries of all searches. */
  readonly queries: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#respond(request, response));
  }

  static async start(): Promise<SmallMuseum> {
    const museum = new SmallMuseum();
    await new Promise<void>((resolve) => museum.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => museum.close());
    return museum;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #respond(request: IncomingMessage, response: ServerResponse): unknown {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    this.requests++;
    const [, segment = '', id] = /^\/api\/v3\/opac(\w+)(?:\/((?!views).*))?$/.exec(pathname) ?? [];
    const kind = segment as SmallKind;
    if (!(kind in WORDS)) {
      const { status, body } = this.other(pathname) ?? { status: 404, body: '{"message":"no such path"}' };
      return send(response, status, body);
    }
    if (id !== undefined) {
      const found = this.records[kind].find((each) => each.id === decodeURIComponent(id));
      if (!found) return send(response, 404, `{"message":"${id} does not exist"}`);
      return send(response, 200, JSON.stringify(recordOf(kind, found), null, this.indent));
    }
    const asked: Asked = {
      number: this.requests,
      kind,
      offset: Number(searchParams.get('offset') ?? 0),
      limit: Number(searchParams.get('limit') ?? 20),
      sort: searchParams.get('sort') ?? undefined,
      isStub: searchParams.get('view') === null,
    };
    this.before(asked);
    const fault = this.fault(asked);
    const body = this.#page(asked, searchParams);
    if (fault?.status !== undefined) return send(response, fault.status, '{"message":"not now"}');
    return send(response, 200, fault?.body ?? body);
  }

  #page({ kind, offset, limit, sort, isStub }: Asked, query: URLSearchParams): string {
    const text = query.get('query') ?? '';
    if (text !== '') this.queries.push(text);
    const { id: idKey, list, total } = WORDS[kind];
    let found = this.records[kind].filter(matcher(text));
    if (sort && this.sorts) {
      const by = (record: SmallRecord) =>
        (sort === idKey ? record.id : (record as unknown as Record<string, string>)[sort]) ?? '';
      const sign = query.get('direction') === 'desc' ? -1 : 1;
      // The sort is stable: records with equal values keep their order.
      found = found.toSorted((one, other) => sign * (by(one) < by(other) ? -1 : by(one) > by(other) ? 1 : 0));
    }
    const begin = offset - (offset % this.alignment);
    const page = found.slice(begin, begin + Math.min(limit, this.cap));
    const records = page.map((each) => (isStub ? { [idKey]: each.id } : recordOf(kind, each)));
    return JSON.stringify(
      { ...(records.length > 0 && { [list]: records }), [total]: found.length },
      null,
      this.indent,
    );
  }
}

/** Supports `field:"text"` for words in a field, and `external_object_id:("a", "b")`, joined with AND. */
function matcher(text: string): (record: SmallRecord) => boolean {
  const terms = [...text.matchAll(/(\w+):(?:\(([^)]*)\)|"([^"]*)")/g)].map(
    ([, field = '', many, one = '']) => ({
      field: field === 'external_object_id' ? 'id' : field,
      values: many === undefined ? [one] : [...many.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value),
    }),
  );
  return (record) =>
    terms.every(({ field, values }) => {
      const own = (record as unknown as Record<string, string>)[field] ?? '';
      return values.some((value) => (field === 'id' ? own === value : ` ${own} `.includes(` ${value} `)));
    });
}

function send(response: ServerResponse, status: number, body: Buffer | string, headers = {}): unknown {
  return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

function recordOf(kind: SmallKind, { id, ...fields }: SmallRecord) {
  const { id: idKey, sets, fields: values } = WORDS[kind];
  return {
    [idKey]: id,
    [sets]: Object.entries(fields).map(([identifier, value]) => ({ identifier, [values]: [{ value }] })),
  };
}

/** Returns the expected lines of a snapshot of these records, sorted. */
export function formatLines(kind: SmallKind, records: readonly SmallRecord[]): string[] {
  return records.map((record) => JSON.stringify(recordOf(kind, record))).sort();
}

export function createRecords(count: number, modified = '2020-01-01', from = 1): SmallRecord[] {
  return Array.from({ length: count }, (_, n) => ({
    id: String(from + n),
    name: `record ${from + n}`,
    modified,
  }));
}

export function editRecord(
  records: readonly SmallRecord[],
  id: string,
  change: Partial<SmallRecord>,
): SmallRecord[] {
  return records.map((record) => (record.id === id ? { ...record, ...change } : record));
}

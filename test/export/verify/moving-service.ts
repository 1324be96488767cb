/** A tiny service on 127.0.0.1 whose records change between two requests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MovingService {
  readonly url: string;
  readonly close: () => Promise<void>;
  /** Ids in the order of results. Tests change this list. */
  ids: string[];
  /** Requests for lists of records, in order: `offset+limit`, followed by `v` if the request has a view. */
  readonly lists: string[];
  /** Requests for one record, and searches for ids. */
  readonly details: string[];
  /** Called before the service creates a list. */
  onList: (offset: number, hasView: boolean) => void;
  /** Maximum of offset + limit. */
  window: number;
  /** Maximum number of records per page. */
  cap: number;
  /** Offsets are rounded down to a multiple of this number. */
  alignment: number;
  /** The id of a record whose name ends with a byte that is not UTF-8. */
  latin1: string | undefined;
  /** Ids of records that lists contain without fields. */
  stubs: readonly string[];
  /** The total that lists state; undefined for the number of ids. */
  total: number | undefined;
  /** If false, a search for external ids finds no records. */
  knowsExternalIds: boolean;
}

export const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => String(from + n));

export const recordOf = (id: string) =>
  `{"opacObjectId":"${id}","opacObjectFieldSets":[{"identifier":"name","opacObjectFields":[{"value":"name of ${id}"}]}]}`;

export async function startService(initial: readonly string[]): Promise<MovingService> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const name = `name of ${service.latin1}"`;
      response.end(Buffer.from(body.replace(name, `${name.slice(0, -1)}\xe9"`), 'latin1'));
    };
    const one = /\/opacobjects\/([^/]+)$/.exec(pathname)?.[1];
    if (one !== undefined) {
      service.details.push(one);
      if (service.ids.includes(one)) send(200, recordOf(one));
      else send(404, `{"message":"Object with ID : ${one} does not exist"}`);
      return;
    }
    const limit = Math.min(service.cap, Number(searchParams.get('limit') ?? 20));
    const wanted = searchParams.get('query')?.match(/\d+/g);
    if (wanted) {
      service.details.push(wanted.join());
      const found = service.knowsExternalIds ? service.ids.filter((id) => wanted.includes(id)) : [];
      send(200, `{"opacObjects":[${found.map(recordOf)}],"totalObjects":${found.length}}`);
      return;
    }
    const offset = Number(searchParams.get('offset') ?? 0);
    if (offset + limit > service.window) {
      send(
        400,
        `{"message":"Result window is too large, offset + limit must not be above ${service.window}"}`,
      );
      return;
    }
    const hasView = searchParams.has('view');
    service.onList(offset, hasView);
    service.lists.push(`${offset}+${limit}${hasView ? 'v' : ''}`);
    const begin = offset - (offset % service.alignment);
    const page = service.ids.slice(begin, begin + limit);
    const records = page.map((id) =>
      hasView && !service.stubs.includes(id) ? recordOf(id) : `{"opacObjectId":"${id}"}`,
    );
    send(200, `{"opacObjects":[${records}],"totalObjects":${service.total ?? service.ids.length}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: MovingService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    ids: [...initial],
    lists: [],
    details: [],
    onList: () => undefined,
    cap: 100,
    alignment: 1,
    latin1: undefined,
    stubs: [],
    knowsExternalIds: true,
    total: undefined,
    window: Number.POSITIVE_INFINITY,
  };
  return service;
}

/** A service that returns one list at every path. The test determines how it pages. It closes when the test ends. */
import { sendJson, serve } from '../../../client/server.js';

export interface TinyService {
  readonly items: readonly unknown[];
  /** Maximum number of items in a response. Default: no limit. */
  readonly cap?: number;
  /** The total in each response. `page`: the number of items in the response. Default: no total. */
  readonly total?: number | 'page';
  /** `clamped`: if the page would end after the list, the service returns the last full page. Default `honoured`. */
  readonly offset?: 'honoured' | 'ignored' | 'clamped' | 'refused';
  readonly limit?: 'honoured' | 'ignored';
  /** Returns another response to request `n`, counted from 0. A number is an HTTP status. Undefined: the normal response. */
  readonly instead?: (offset: number, n: number, path: string) => unknown;
}

/** Each response has the list as `key`, and the total as `totalKey`. */
export function serveTiny(
  {
    items,
    cap = Number.POSITIVE_INFINITY,
    total,
    offset = 'honoured',
    limit = 'honoured',
    instead,
  }: TinyService,
  [key, totalKey]: readonly [string, string],
) {
  let n = 0;
  return serve((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://here');
    const requestedOffset = Number(query.get('offset') ?? 0);
    const other = instead?.(requestedOffset, n++, pathname);
    if (typeof other === 'number') return sendJson(response, { message: 'no' }, other);
    if (other !== undefined) return sendJson(response, other);
    if (offset === 'refused' && query.has('offset')) return sendJson(response, { message: 'no offset' }, 400);
    const size = Math.min(cap, limit === 'honoured' ? Number(query.get('limit') ?? cap) : cap);
    const first =
      offset === 'honoured'
        ? requestedOffset
        : offset === 'clamped'
          ? Math.min(requestedOffset, Math.max(0, items.length - size))
          : 0;
    const page = items.slice(first, first + size);
    sendJson(response, {
      [key]: page,
      ...(total !== undefined && { [totalKey]: total === 'page' ? page.length : total }),
    });
  });
}

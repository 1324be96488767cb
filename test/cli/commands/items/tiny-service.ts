/** A service of one list behind every path, which pages as told. Ends with the test that started it. */
import { json, serve } from '../../../client/server.js';

export interface TinyService {
  readonly items: readonly unknown[];
  /** The most items in a response. Default: no cap. */
  readonly cap?: number;
  /** What a response has under `total`; default none. `page`: the items of the response. */
  readonly total?: number | 'page';
  /** `clamped`: past the end the last page comes again. Default `honoured`. */
  readonly offset?: 'honoured' | 'ignored' | 'clamped' | 'refused';
  readonly limit?: 'honoured' | 'ignored';
  /** Gives the response to the request of that number in place of the rest; a number is a status. */
  readonly instead?: (offset: number, n: number, path: string) => unknown;
}

/** The service gives its list under `key`, its total under `totalKey`. */
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
    const asked = Number(query.get('offset') ?? 0);
    const other = instead?.(asked, n++, pathname);
    if (typeof other === 'number') return json(response, { message: 'no' }, other);
    if (other !== undefined) return json(response, other);
    if (offset === 'refused' && query.has('offset')) return json(response, { message: 'no offset' }, 400);
    const size = Math.min(cap, limit === 'honoured' ? Number(query.get('limit') ?? cap) : cap);
    const first =
      offset === 'honoured'
        ? asked
        : offset === 'clamped'
          ? Math.min(asked, Math.max(0, items.length - size))
          : 0;
    const page = items.slice(first, first + size);
    json(response, {
      [key]: page,
      ...(total !== undefined && { [totalKey]: total === 'page' ? page.length : total }),
    });
  });
}

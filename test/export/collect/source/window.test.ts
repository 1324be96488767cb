/** Finds how many records of a result the service returns, with few requests. */
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/client/errors/http-error.js';
import { createStatusError } from '../../../../src/client/errors/response-errors.js';
import { findWindow } from '../../../../src/export/collect/source/slices/find-window.js';

/** The response for one record at an offset: the number of that record, none, or a status. */
type Respond = (offset: number) => number | 'none' | { readonly status: number; readonly text?: string };

function createService(respond: Respond, hasIds = true) {
  const requests: number[] = [];
  const fetch = async (_: string, { query }: { query: readonly (readonly [string, string])[] }) => {
    const { offset, limit, view } = Object.fromEntries(query);
    expect([limit, view]).toEqual(['1', 'detail']);
    requests.push(Number(offset));
    const result = respond(Number(offset));
    if (typeof result === 'object') {
      const response = {
        status: result.status,
        headers: {},
        bytes: Buffer.from(`{"message":"${result.text ?? ''}"}`),
      };
      throw createStatusError({ method: 'GET', path: '/opacobjects' }, response as never, { baseUrl: 'x' });
    }
    const record = hasIds ? { opacObjectId: result } : { title: String(result) };
    const opacObjects = result === 'none' ? [] : [record];
    return { bytes: Buffer.from(JSON.stringify({ opacObjects, totalObjects: 30_000 })) };
  };
  const search = { client: { fetch }, kind: 'objects', query: [['view', 'detail']], signal: undefined };
  return { requests, find: (total: number) => findWindow(search as never, total) };
}

const REFUSED = { status: 400, text: 'Result window is too large' };

describe('findWindow', () => {
  it.each<[string, (window: number) => Respond]>([
    ['refuses requests', (window) => (offset) => (offset < window ? offset : REFUSED)],
    ['fails', (window) => (offset) => (offset < window ? offset : { status: 500 })],
    ['returns no records', (window) => (offset) => (offset < window ? offset : 'none')],
    ['repeats its last record', (window) => (offset) => Math.min(offset, window - 1)],
  ])('finds the window if the service %s beyond it, with few requests for 10,000', async (_, of) => {
    for (const window of [60, 777, 10_000, 10_001, 29_998]) {
      const { requests, find } = createService(of(window));
      expect(await find(30_000)).toBe(window);
      // findWindow sends two requests for each number of records that it tries.
      expect(requests.length).toBeLessThan(window === 10_000 ? 10 : 46);
      expect(Math.min(...requests)).toBeGreaterThanOrEqual(0);
    }
  });

  it('compares complete responses if records have no ids', async () => {
    const { find } = createService((offset) => Math.min(offset, 499), false);
    expect(await find(2000)).toBe(500);
  });

  it.each<[string, Respond]>([
    ['the service returns the last record', (offset) => offset],
    ['all requests fail', () => ({ status: 503 })],
    ['requests beyond some record fail', (offset) => (offset < 500 ? offset : { status: 503 })],
    ['the service ignores the offset', () => 0],
    ['the service failed only for a moment', failAtFirst()],
  ])('returns no window if %s', async (_, respond) => {
    expect(await createService(respond).find(2000)).toBeUndefined();
  });

  it.each([10_000, 10_001])('requests the last record of %i only once', async (total) => {
    const { requests, find } = createService((offset) => (offset < 9000 ? offset : REFUSED));
    expect(await find(total)).toBe(9000);
    const end = requests.filter((offset) => offset >= 9998);
    expect(end.sort()).toEqual(total === 10_000 ? [9998, 9999] : [10_000, 9998, 9999, 9999]);
  });

  it('throws for status 401', async () => {
    await expect(createService(() => ({ status: 401 })).find(2000)).rejects.toBeInstanceOf(HttpError);
  });
});

/** Fails a few times at the end of the result, so that the service seems to have a window. */
function failAtFirst(): Respond {
  let requests = 0;
  return (offset) => (offset >= 1000 && ++requests < 8 ? { status: 500 } : offset);
}

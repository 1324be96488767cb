/** How far into a result a service gives records, found by asking for few of them. */
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/client/errors/http-error.js';
import { createStatusError } from '../../../../src/client/errors/response-errors.js';
import { findWindow } from '../../../../src/export/collect/source/slices/find-window.js';

/** What a service answers for one record at an offset: the number of that record, none, or a status. */
type Answer = (offset: number) => number | 'none' | { readonly status: number; readonly text?: string };

function service(answer: Answer, hasIds = true) {
  const asked: number[] = [];
  const fetch = async (_: string, { query }: { query: readonly (readonly [string, string])[] }) => {
    const { offset, limit, view } = Object.fromEntries(query);
    expect([limit, view]).toEqual(['1', 'detail']);
    asked.push(Number(offset));
    const said = answer(Number(offset));
    if (typeof said === 'object') {
      const response = {
        status: said.status,
        headers: {},
        bytes: Buffer.from(`{"message":"${said.text ?? ''}"}`),
      };
      throw createStatusError({ method: 'GET', path: '/opacobjects' }, response as never, { baseUrl: 'x' });
    }
    const record = hasIds ? { opacObjectId: said } : { title: String(said) };
    const opacObjects = said === 'none' ? [] : [record];
    return { bytes: Buffer.from(JSON.stringify({ opacObjects, totalObjects: 30_000 })) };
  };
  const search = { client: { fetch }, kind: 'objects', query: [['view', 'detail']], signal: undefined };
  return { asked, find: (total: number) => findWindow(search as never, total) };
}

const REFUSED = { status: 400, text: 'Result window is too large' };

describe('a window', () => {
  it.each<[string, (window: number) => Answer]>([
    ['refuses', (window) => (offset) => (offset < window ? offset : REFUSED)],
    ['fails', (window) => (offset) => (offset < window ? offset : { status: 500 })],
    ['is silent', (window) => (offset) => (offset < window ? offset : 'none')],
    ['gives its last record again', (window) => (offset) => Math.min(offset, window - 1)],
  ])('beyond which a service %s is found, the usual one at once', async (_, of) => {
    for (const window of [60, 777, 10_000, 10_001, 29_998]) {
      const { asked, find } = service(of(window));
      expect(await find(30_000)).toBe(window);
      // Two requests for each question.
      expect(asked.length).toBeLessThan(window === 10_000 ? 10 : 46);
      expect(Math.min(...asked)).toBeGreaterThanOrEqual(0);
    }
  });

  it('is told apart by whole responses where records have no ids', async () => {
    const { find } = service((offset) => Math.min(offset, 499), false);
    expect(await find(2000)).toBe(500);
  });

  it.each<[string, Answer]>([
    ['the last record can be had', (offset) => offset],
    ['it is not known whether it can', () => ({ status: 503 })],
    ['it is not known beyond some record', (offset) => (offset < 500 ? offset : { status: 503 })],
    ['the offset is ignored', () => 0],
    ['a service that only failed answers in the end', failingOnce()],
  ])('is none where %s', async (_, answer) => {
    expect(await service(answer).find(2000)).toBeUndefined();
  });

  it.each([10_000, 10_001])('of a total of %i is found without asking for its end twice', async (total) => {
    const { asked, find } = service((offset) => (offset < 9000 ? offset : REFUSED));
    expect(await find(total)).toBe(9000);
    const end = asked.filter((offset) => offset >= 9998);
    expect(end.sort()).toEqual(total === 10_000 ? [9998, 9999] : [10_000, 9998, 9999, 9999]);
  });

  it('is not looked for without credentials', async () => {
    await expect(service(() => ({ status: 401 })).find(2000)).rejects.toBeInstanceOf(HttpError);
  });
});

/** Fails at its end for a while, so that a window seems to be there. */
function failingOnce(): Answer {
  let requests = 0;
  return (offset) => (offset >= 1000 && ++requests < 8 ? { status: 500 } : offset);
}

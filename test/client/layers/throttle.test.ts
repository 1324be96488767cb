import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/client/errors/http-error.js';
import type { HttpRequest, HttpResponse, Send } from '../../../src/client/http-request.js';
import {
  type ThrottleNotice,
  type ThrottleOptions,
  withThrottle,
} from '../../../src/client/layers/throttle.js';
import { createFakeClock } from '../fake-clock.js';

const GET: HttpRequest = { method: 'GET', path: '/opacobjects' };

function response(status = 200, headers: Record<string, string> = {}, body = '{}'): HttpResponse {
  return { status, headers, bytes: Buffer.from(body), elapsed: 200 };
}

/** Sends many requests at once through a throttle. The service responds after `latency` milliseconds. */
function sendMany(
  count: number,
  respond: (n: number) => HttpResponse,
  options: ThrottleOptions = {},
  latency = 200,
) {
  const clock = createFakeClock();
  const starts: number[] = [];
  const notices: ThrottleNotice[] = [];
  let active = 0;
  let maxActive = 0;
  const begin = clock.now();
  const service: Send = async (request) => {
    const n = starts.push(clock.now() - begin) - 1;
    maxActive = Math.max(maxActive, ++active);
    await clock.sleep(latency, request.signal);
    active--;
    return respond(n);
  };
  const send = withThrottle(service, { clock, onNotice: (notice) => notices.push(notice), ...options });
  const sent = Array.from({ length: count }, () => send(GET));
  return {
    all: Promise.all(sent),
    settled: Promise.allSettled(sent),
    starts,
    notices,
    maxActive: () => maxActive,
    elapsed: () => clock.now() - begin,
  };
}

describe('concurrency', () => {
  it('reaches its maximum soon: 60 requests need at most 11 rounds instead of 10', async () => {
    const { all, maxActive, elapsed } = sendMany(60, () => response(), { concurrency: 6 });
    await all;
    expect(maxActive()).toBe(6);
    expect(elapsed()).toBeLessThanOrEqual(11 * 200);
  });

  it('is six by default, and never more than the option', async () => {
    const usual = sendMany(40, () => response());
    await usual.all;
    expect(usual.maxActive()).toBe(6);
    const one = sendMany(5, () => response(), { concurrency: 1 });
    await one.all;
    expect(one.maxActive()).toBe(1);
  });

  it('does not delay the first request', async () => {
    const { all, starts } = sendMany(1, () => response(), { rate: 1 });
    await all;
    expect(starts).toEqual([0]);
  });
});

describe('rate', () => {
  it('limits the number of requests that start per second', async () => {
    const { all, starts } = sendMany(12, () => response(), { rate: 4, concurrency: 10 }, 10);
    await all;
    expect(starts).toEqual(Array.from({ length: 12 }, (_, n) => n * 250));
  });
});

describe('a busy service', () => {
  it('receives no requests until the time in its Retry-After', async () => {
    const { all, starts, notices } = sendMany(6, (n) =>
      n === 0 ? response(429, { 'retry-after': '30' }) : response(),
    );
    await all;
    expect(starts).toEqual([0, 0, 30_200, 30_400, 30_400, 30_600].map(() => expect.any(Number)));
    expect(starts.slice(2).every((start) => start >= 30_200)).toBe(true);
    expect(notices).toEqual([{ kind: 'busy', message: 'the service is busy (429); retrying in 30 s' }]);
  });

  it('receives fewer requests at the same time if it sends no Retry-After', async () => {
    const { all, starts, notices } = sendMany(5, (n) => response(n < 2 ? 503 : 200));
    await all;
    expect(starts.filter((start) => start === 200)).toHaveLength(1);
    expect(notices).toEqual([]);
  });

  it('is reported once for simultaneous responses with Retry-After', async () => {
    const busy = response(503, { 'retry-after': '30' });
    const { all, notices } = sendMany(4, (n) => (n < 2 ? busy : response()));
    await all;
    expect(notices).toEqual([{ kind: 'busy', message: 'the service is busy (503); retrying in 30 s' }]);
  });

  it('delays no requests if its Retry-After is too long', async () => {
    const { all, starts, notices } = sendMany(
      2,
      (n) => (n === 0 ? response(429, { 'retry-after': '99999' }) : response()),
      { concurrency: 1 },
    );
    await all;
    expect(starts).toEqual([0, 200]);
    expect(notices).toEqual([]);
  });

  it.each([
    ['always', 1],
    ['never', 2],
    ['once-reached', 2],
  ] as const)(
    'receives fewer requests after errors, but only with the retry policy "always": %s',
    async (retry, next) => {
      const { all, settled, starts } = sendMany(5, (n) => {
        if (n < 2) throw new HttpError({ kind: 'deployment', request: GET, message: 'cut', retry });
        return response();
      });
      await expect(all).rejects.toThrow('cut');
      await settled;
      expect(starts.filter((start) => start === 200)).toHaveLength(next);
    },
  );
});

describe('a firewall', () => {
  const challenge = response(
    202,
    { 'x-amzn-waf-action': 'challenge', 'content-type': 'text/html' },
    '<html>',
  );

  it('causes a pause of all requests, and is reported with time and path', async () => {
    const { all, starts, notices } = sendMany(4, (n) => (n < 2 ? challenge : response()));
    await all;
    expect(starts.slice(2).every((start) => start >= 2_200)).toBe(true);
    expect(notices).toEqual([
      {
        kind: 'firewall',
        message:
          'a web firewall blocked GET /opacobjects with 202 at 2024-01-01T00:00:00.200Z; retrying in 2 s',
      },
    ]);
  });

  it('causes the shortest pause again after a success, and a longer pause with Retry-After', async () => {
    const named = { ...challenge, headers: { ...challenge.headers, 'retry-after': '9.5' } };
    const script = [challenge, challenge, response(), challenge, named, response()];
    const { all, starts, notices } = sendMany(6, (n) => script[n] ?? response(), { concurrency: 1 });
    await all;
    const rests = starts.slice(1).map((start, n) => start - (starts[n] as number) - 200);
    expect(rests).toEqual([2_000, 4_000, 0, 2_000, 9_500]);
    expect(notices.map(({ message }) => message.replace(/.*; /, ''))).toEqual(
      [2, 4, 2, 10].map((seconds) => `retrying in ${seconds} s`),
    );
  });

  it('causes at most eight pauses, each longer than the one before, up to a minute', async () => {
    const { all, starts } = sendMany(11, () => challenge, { concurrency: 1 });
    await all;
    const rests = starts.slice(1).map((start, n) => start - (starts[n] as number) - 200);
    expect(rests).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 0, 0]);
  });
});

describe('an abort', () => {
  it('removes a waiting request from the queue', async () => {
    const clock = createFakeClock();
    const sent: string[] = [];
    const send = withThrottle(
      async ({ path }) => {
        sent.push(path);
        await clock.sleep(10);
        return response();
      },
      { clock, concurrency: 1 },
    );
    const controller = new AbortController();
    const first = send({ ...GET, path: '/1' });
    const second = send({ ...GET, path: '/2', signal: controller.signal });
    const third = send({ ...GET, path: '/3' });
    controller.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    await Promise.all([first, third]);
    expect(sent).toEqual(['/1', '/3']);
    await expect(send({ ...GET, signal: controller.signal })).rejects.toThrow('enough');
  });

  it('ends a running request, and the next one starts', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const send = withThrottle(
      ({ signal, path }) =>
        path === '/1' ? clock.sleep(1e9, signal).then(() => response()) : Promise.resolve(response()),
      { clock, concurrency: 1 },
    );
    const first = send({ ...GET, path: '/1', signal: controller.signal });
    const second = send({ ...GET, path: '/2' });
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(await second).toMatchObject({ status: 200 });
  });
});

import { describe, expect, it } from 'vitest';
import { HttpError, type RetryPolicy } from '../../../src/client/errors/http-error.js';
import type { HttpRequest, HttpResponse } from '../../../src/client/http-request.js';
import { type RetryOptions, withRetry } from '../../../src/client/layers/retry.js';
import { createFakeClock } from '../fake-clock.js';

const GET: HttpRequest = { method: 'GET', path: '/opacobjects' };

function response(status: number, headers: Record<string, string> = {}, body = '{}'): HttpResponse {
  return { status, headers, bytes: Buffer.from(body), elapsed: 1 };
}

function fault(retry: RetryPolicy): HttpError {
  return new HttpError({ kind: 'deployment', request: GET, message: 'cut', retry });
}

/** Returns a `send` that plays the responses and errors of the script in order, and repeats the last one. */
function play(script: readonly (HttpResponse | Error)[], options: RetryOptions = {}) {
  const clock = createFakeClock();
  const sent: HttpRequest[] = [];
  const send = withRetry(
    async (request) => {
      const next = script[Math.min(sent.length, script.length - 1)];
      sent.push(request);
      if (next instanceof Error) throw next;
      return next as HttpResponse;
    },
    { clock, random: () => 0.5, ...options },
  );
  return { send, sent, clock };
}

describe('a temporary failure', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('is retried: status %i', async (status) => {
    const { send, sent } = play([response(status), response(status), response(200)]);
    expect(await send(GET)).toMatchObject({ status: 200, retries: 2 });
    expect(sent).toHaveLength(3);
  });

  it.each([
    [
      'a challenge',
      response(202, { 'x-amzn-waf-action': 'challenge', 'content-type': 'text/html' }, '<html>'),
    ],
    ['202 with a web page', response(202, { 'content-type': 'text/html' }, '<html>')],
    ['403 with a web page', response(403, {}, ' <!DOCTYPE html>')],
    ['a captcha', response(405, { 'x-amzn-waf-action': 'captcha' }, '')],
  ])('is retried: %s', async (_, firewall) => {
    const { send } = play([firewall, response(200)]);
    expect(await send(GET)).toMatchObject({ status: 200, retries: 1 });
  });

  it('is reported to onRetry before each wait', async () => {
    const events: unknown[] = [];
    const { send } = play([response(503), fault('always'), response(200)], {
      onRetry: (each) => events.push(each),
    });
    await send({ ...GET, query: [['limit', '5']] });
    expect(events).toEqual([
      { message: 'GET /opacobjects?limit=5 returned 503', retry: 1, retries: 4, wait: 250, waited: 250 },
      { message: expect.stringContaining('cut'), retry: 2, retries: 4, wait: 500, waited: 750 },
    ]);
  });

  it('is retried: a network error', async () => {
    const { send } = play([fault('always'), response(200)]);
    expect(await send(GET)).toMatchObject({ status: 200, retries: 1 });
  });

  it('is retried: an error of decode, which is thrown after the last retry', async () => {
    const bad = fault('always');
    const decode = ({ bytes }: HttpResponse) => {
      if (bytes.toString() !== '{}') throw bad;
      return 'an object';
    };
    const { send } = play([response(200, {}, '{"a'), response(200)]);
    expect(await send({ ...GET, decode })).toMatchObject({ retries: 1, value: 'an object' });
    const never = play([response(200, {}, '{"a')], { retries: 2 });
    await expect(never.send({ ...GET, decode })).rejects.toBe(bad);
    expect(bad.retries).toBe(2);
  });
});

describe('a permanent result', () => {
  it.each([200, 301, 400, 401, 403, 404, 405, 410, 501])('is not retried: status %i', async (status) => {
    const { send, sent } = play([response(status)]);
    expect(await send(GET)).toMatchObject({ status, retries: 0 });
    expect(sent).toHaveLength(1);
  });

  it('is not retried: an offset beyond the window of a search engine, even with status 500', async () => {
    const body = '{"error":{"root_cause":[{"reason":"Result window is too large, from + size must be…"}]}}';
    const { send, sent } = play([response(500, {}, body), response(200)]);
    expect(await send(GET)).toMatchObject({ status: 500, retries: 0 });
    expect(sent).toHaveLength(1);
  });

  it('is not retried: an error with the retry policy "never"', async () => {
    const { send, sent } = play([fault('never')]);
    await expect(send(GET)).rejects.toMatchObject({ retries: 0 });
    expect(sent).toHaveLength(1);
  });

  it('is not retried: status 503 of a POST', async () => {
    const { send, sent } = play([response(503)]);
    expect(await send({ method: 'POST', path: '/oauth/token' })).toMatchObject({ status: 503, retries: 0 });
    expect(sent).toHaveLength(1);
  });

  it('is not decoded: status 404', async () => {
    const { send } = play([response(404, {}, 'none')]);
    const decode = () => {
      throw new Error('read');
    };
    expect(await send({ ...GET, decode })).toMatchObject({ status: 404 });
  });
});

describe('a failure that may come from a wrong base URL', () => {
  it.each([
    ['an unknown host', fault('once-reached')],
    ['403 from the service', response(403, {}, '{"message":"no"}')],
  ])('is retried only after the service has been reached: %s', async (_, failure) => {
    const { send, sent } = play([failure, response(200), failure, response(200)]);
    await send(GET).catch(() => {});
    expect(sent).toHaveLength(1);
    await send(GET);
    expect(await send(GET)).toMatchObject({ status: 200, retries: 1 });
  });
});

describe('the wait', () => {
  it('doubles with full jitter, up to 30 seconds', async () => {
    const { send, clock } = play([response(500)], { retries: 8 });
    expect(await send(GET)).toMatchObject({ status: 500, retries: 8 });
    expect(clock.sleeps).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    const none = play([response(500)], { retries: 2, random: () => 0 });
    await none.send(GET);
    expect(none.clock.sleeps).toEqual([0, 0]);
  });

  it('happens four times by default, and never with 0 retries', async () => {
    const { send, sent } = play([response(500)]);
    await send(GET);
    expect(sent).toHaveLength(5);
    const never = play([response(500)], { retries: 0 });
    await never.send(GET);
    expect(never.sent).toHaveLength(1);
  });

  it.each([
    ['seconds', '7'],
    ['a date', 'Mon, 01 Jan 2024 00:00:07 GMT'],
  ])('has the length of Retry-After in %s', async (_, value) => {
    const { send, clock } = play([response(429, { 'retry-after': value }), response(200)]);
    await send(GET);
    expect(clock.sleeps).toEqual([7_000]);
  });

  it.each(['601', '31536000', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'does not start if Retry-After is more than ten minutes: %s',
    async (retryAfter) => {
      const { send, sent } = play([response(503, { 'retry-after': retryAfter })]);
      expect(await send(GET)).toMatchObject({ status: 503, retries: 0 });
      expect(sent).toHaveLength(1);
    },
  );

  it('ends at once after an abort', async () => {
    const controller = new AbortController();
    const clock = createFakeClock();
    const send = withRetry(
      async () => {
        queueMicrotask(() => controller.abort(new Error('enough')));
        return response(503);
      },
      { clock },
    );
    await expect(send({ ...GET, signal: controller.signal })).rejects.toThrow('enough');
  });
});

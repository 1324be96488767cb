/** Many large responses at once need no more memory than the budget, and all of them are complete. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ByteBudget, type Reservation } from '../../../src/client/transport/byte-budget.js';
import { createTransport } from '../../../src/client/transport/transport.js';
import { createGate, serve } from '../server.js';

const MB = 1024 * 1024;
const GET = { method: 'GET', path: '/opacobjects' } as const;

/** Records the maximum number of counted bytes. */
class RecordingBudget extends ByteBudget {
  maxUsed = 0;

  override open(resume: () => void): Reservation {
    const share = super.open(resume);
    const record = <T>(value: T) => {
      this.maxUsed = Math.max(this.maxUsed, this.used);
      return value;
    };
    return {
      take: (bytes) => record(share.take(bytes)),
      reserve: (bytes) => record(share.reserve(bytes)),
      release: share.release,
    };
  }
}

/** Sends `count` requests. The server responds to none of them before it has received all. */
async function receive(
  count: number,
  body: Buffer,
  { budget, encoding }: { readonly budget: ByteBudget; readonly encoding?: string },
) {
  const all = createGate();
  let requested = 0;
  const { url } = await serve(async (_, response) => {
    if (++requested === count) all.resolve();
    await all.promise;
    response.writeHead(200, encoding ? { 'content-encoding': encoding } : {}).end(body);
  });
  const transport = createTransport({ baseUrl: url, budget, timeout: 60 });
  onTestFinished(() => transport.close());
  const sent = Array.from({ length: count }, () => transport.send(GET));
  return Promise.all(sent.map(async (response) => (await response).bytes));
}

describe('simultaneous responses', { timeout: 120_000 }, () => {
  it.each([1, 4, 64].map((megabytes) => [megabytes]))(
    'need at most %i MB, plus the memory of the oldest response',
    async (megabytes) => {
      const budget = new RecordingBudget(megabytes * MB);
      const body = Buffer.alloc(3 * MB, 'x');
      const received = await receive(6, body, { budget });
      expect(received.filter((bytes) => bytes.equals(body))).toHaveLength(6);
      expect(budget.maxUsed).toBeGreaterThan(2 * MB);
      // The oldest response (3 MB) may exceed the limit, and each waiting response has received one more piece.
      expect(budget.maxUsed).toBeLessThan((megabytes + 3) * MB + 6 * 128 * 1024);
      expect(budget.used).toBe(0);
    },
  );

  it('are decompressed at most two at a time, because each may be a zip bomb', async () => {
    const budget = new RecordingBudget(100 * MB);
    const plain = Buffer.alloc(64 * MB);
    const bomb = gzipSync(plain);
    const received = await receive(4, bomb, { budget, encoding: 'gzip' });
    expect(received.map(({ length }) => length)).toEqual([1, 2, 3, 4].map(() => plain.length));
    // The budget has room for one body of 64 MB. The oldest response, which never waits, may need 64 MB more.
    expect(budget.maxUsed).toBeLessThanOrEqual(2 * 64 * MB + 4 * bomb.length);
    expect(budget.used).toBe(0);
  });

  it.each([
    ['compressed', gzipSync(Buffer.alloc(64 * MB + 1)), 'gzip'],
    ['compressed twice', gzipSync(gzipSync(Buffer.alloc(64 * MB + 1))), 'gzip, gzip'],
    ['as it is', Buffer.alloc(64 * MB + 1), 'identity'],
  ])('are refused if they are larger than 64 MB: %s', async (_, body, encoding) => {
    const budget = new RecordingBudget();
    const error = await receive(6, body, { budget, encoding }).catch((reason) => reason);
    expect(error).toMatchObject({
      code: 'response-too-large',
      retry: 'never',
      message: expect.stringContaining('is larger than the limit'),
    });
    // A chunk that has arrived is counted before the response is paused.
    expect(budget.maxUsed).toBeLessThanOrEqual(512 * MB + 64 * 1024);
  });

  it('end with the reason of the signal while they wait for decompression', async () => {
    const reserved = createGate();
    const budget = new (class extends ByteBudget {
      override open(resume: () => void): Reservation {
        const share = super.open(resume);
        const reserve = (bytes: number) => {
          reserved.resolve();
          return share.reserve(bytes);
        };
        return { ...share, reserve };
      }
    })(2 * MB);
    const interruption = new AbortController();
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'));
    });
    const oldest = budget.open(() => {});
    oldest.take(MB);
    const transport = createTransport({ baseUrl: url, budget, timeout: 60 });
    onTestFinished(() => transport.close());
    const sent = transport.send({ ...GET, signal: interruption.signal });
    await reserved.promise;
    interruption.abort(new Error('enough'));
    oldest.release();
    await expect(sent).rejects.toThrow('enough');
    expect(budget.used).toBe(0);
  });

  it('release their bytes after a failure', async () => {
    const budget = new RecordingBudget(MB);
    await expect(receive(3, Buffer.from('no gzip'), { budget, encoding: 'gzip' })).rejects.toThrow();
    await expect(receive(1, Buffer.from('x'), { budget, encoding: 'zstd' })).rejects.toThrow();
    await expect(receive(1, Buffer.from('{}'), { budget })).resolves.toHaveLength(1);
    expect(budget.used).toBe(0);
  });
});

describe('ByteBudget', () => {
  /** Opens three reservations, and records the numbers of those that were resumed. */
  function openThree(limit: number) {
    const budget = new ByteBudget(limit);
    const resumed: number[] = [];
    const [first, second, third] = [0, 1, 2].map((n) => budget.open(() => resumed.push(n))) as [
      Reservation,
      Reservation,
      Reservation,
    ];
    return { budget, resumed, first, second, third };
  }

  it('accepts exactly its limit, and any number of bytes from the oldest response', () => {
    const { budget, resumed, first, second, third } = openThree(10);
    expect(second.take(6)).toBe(true);
    expect(third.take(4)).toBe(true);
    expect(third.take(1)).toBe(false);
    expect(first.take(100)).toBe(true);
    expect(budget.used).toBe(111);
    first.release();
    expect(resumed).toEqual([]);
    // The second response is now the oldest.
    expect(second.take(50)).toBe(true);
    second.release();
    expect(resumed).toEqual([2]);
    third.release();
    expect([budget.used, resumed]).toEqual([0, [2]]);
  });

  it('resumes waiting responses in order when there is room', async () => {
    const { budget, resumed, first, second, third } = openThree(10);
    expect(first.take(10)).toBe(true);
    const reserved: string[] = [];
    const two = second.reserve(8).then(() => reserved.push('second'));
    const last = third.reserve(3).then(() => reserved.push('third'));
    await Promise.resolve();
    expect([reserved, budget.used]).toEqual([[], 10]);
    first.release();
    await two;
    expect([reserved, budget.used]).toEqual([['second'], 8]);
    second.release();
    await last;
    expect([reserved, budget.used, resumed]).toEqual([['second', 'third'], 3, []]);
  });

  it('counts reserved bytes at once if there is room', async () => {
    const { budget, second, third } = openThree(10);
    await second.reserve(4);
    await third.reserve(6);
    expect(budget.used).toBe(10);
    expect(third.take(1)).toBe(false);
  });
});

describe('Content-Encoding', () => {
  it('may contain two codings', async () => {
    const body = gzipSync(gzipSync('{}'));
    const [bytes] = await receive(1, body, { budget: new ByteBudget(MB), encoding: 'gzip, gzip' });
    expect(String(bytes)).toBe('{}');
  });

  it.each(['gzip, gzip, gzip', 'gzip,'.repeat(1000), 'constructor', 'zstd'])(
    'must not be %s',
    async (encoding) => {
      let body = Buffer.from('{}');
      for (let n = 0; n < 3; n++) body = gzipSync(body);
      await expect(receive(1, body, { budget: new ByteBudget(MB), encoding })).rejects.toMatchObject({
        kind: 'deployment',
        code: 'unexpected-response',
        message: expect.stringContaining('compressed in a way that was not requested'),
      });
    },
  );
});

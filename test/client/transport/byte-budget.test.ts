/** Many large responses at once take no more memory than the budget, and all come whole. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ByteBudget, type Reservation } from '../../../src/client/transport/byte-budget.js';
import { createTransport } from '../../../src/client/transport/transport.js';
import { gate, serve } from '../server.js';

const MB = 1024 * 1024;
const GET = { method: 'GET', path: '/opacobjects' } as const;

/** Remembers the most that was ever counted. */
class Watched extends ByteBudget {
  most = 0;

  override open(resume: () => void): Reservation {
    const share = super.open(resume);
    const note = <T>(value: T) => {
      this.most = Math.max(this.most, this.used);
      return value;
    };
    return {
      take: (bytes) => note(share.take(bytes)),
      reserve: (bytes) => note(share.reserve(bytes)),
      release: share.release,
    };
  }
}

/** Asks for so many responses, none of which begins before all are asked for. */
async function receive(
  count: number,
  body: Buffer,
  { budget, encoding }: { readonly budget: ByteBudget; readonly encoding?: string },
) {
  const all = gate();
  let asked = 0;
  const { url } = await serve(async (_, response) => {
    if (++asked === count) all.resolve();
    await all.promise;
    response.writeHead(200, encoding ? { 'content-encoding': encoding } : {}).end(body);
  });
  const transport = createTransport({ baseUrl: url, budget, timeout: 60 });
  onTestFinished(() => transport.close());
  const sent = Array.from({ length: count }, () => transport.send(GET));
  return Promise.all(sent.map(async (response) => (await response).bytes));
}

describe('responses at once', { timeout: 120_000 }, () => {
  it.each([1, 4, 64].map((megabytes) => [megabytes]))(
    'take %i MB at most, and a share of the oldest',
    async (megabytes) => {
      const budget = new Watched(megabytes * MB);
      const body = Buffer.alloc(3 * MB, 'x');
      const received = await receive(6, body, { budget });
      expect(received.filter((bytes) => bytes.equals(body))).toHaveLength(6);
      expect(budget.most).toBeGreaterThan(2 * MB);
      // What the oldest is allowed beyond, and a piece of each that waits.
      expect(budget.most).toBeLessThan((megabytes + 3) * MB + 6 * 128 * 1024);
      expect(budget.used).toBe(0);
    },
  );

  it('are decompressed in turn, as each may be a bomb', async () => {
    const budget = new Watched(100 * MB);
    const plain = Buffer.alloc(64 * MB);
    const bomb = gzipSync(plain);
    const received = await receive(4, bomb, { budget, encoding: 'gzip' });
    expect(received.map(({ length }) => length)).toEqual([1, 2, 3, 4].map(() => plain.length));
    // One has room for 64 MB, and the oldest, which never waits, takes as much again.
    expect(budget.most).toBeLessThanOrEqual(2 * 64 * MB + 4 * bomb.length);
    expect(budget.used).toBe(0);
  });

  it.each([
    ['compressed', gzipSync(Buffer.alloc(64 * MB + 1)), 'gzip'],
    ['compressed twice', gzipSync(gzipSync(Buffer.alloc(64 * MB + 1))), 'gzip, gzip'],
    ['as it is', Buffer.alloc(64 * MB + 1), 'identity'],
  ])('of more than 64 MB are refused: %s', async (_, body, encoding) => {
    const budget = new Watched();
    const error = await receive(6, body, { budget, encoding }).catch((reason) => reason);
    expect(error).toMatchObject({
      code: 'response-too-large',
      retry: 'never',
      message: expect.stringContaining('is larger than the limit'),
    });
    // A chunk that has arrived is counted before the response is paused.
    expect(budget.most).toBeLessThanOrEqual(512 * MB + 64 * 1024);
  });

  it('that wait to be decompressed end with the reason of the signal', async () => {
    const reserved = gate();
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

  it('release their share when they fail', async () => {
    const budget = new Watched(MB);
    await expect(receive(3, Buffer.from('no gzip'), { budget, encoding: 'gzip' })).rejects.toThrow();
    await expect(receive(1, Buffer.from('x'), { budget, encoding: 'zstd' })).rejects.toThrow();
    await expect(receive(1, Buffer.from('{}'), { budget })).resolves.toHaveLength(1);
    expect(budget.used).toBe(0);
  });
});

describe('a budget', () => {
  /** Three responses, and the numbers of those that were told to go on. */
  function three(most: number) {
    const budget = new ByteBudget(most);
    const resumed: number[] = [];
    const [first, second, third] = [0, 1, 2].map((n) => budget.open(() => resumed.push(n))) as [
      Reservation,
      Reservation,
      Reservation,
    ];
    return { budget, resumed, first, second, third };
  }

  it('is full at its last byte, and never for the oldest', () => {
    const { budget, resumed, first, second, third } = three(10);
    expect(second.take(6)).toBe(true);
    expect(third.take(4)).toBe(true);
    expect(third.take(1)).toBe(false);
    expect(first.take(100)).toBe(true);
    expect(budget.used).toBe(111);
    first.release();
    expect(resumed).toEqual([]);
    // The second is the oldest now.
    expect(second.take(50)).toBe(true);
    second.release();
    expect(resumed).toEqual([2]);
    third.release();
    expect([budget.used, resumed]).toEqual([0, [2]]);
  });

  it('lets those that wait go on in their order, as far as there is room', async () => {
    const { budget, resumed, first, second, third } = three(10);
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

  it('counts what is reserved at once where there is room', async () => {
    const { budget, second, third } = three(10);
    await second.reserve(4);
    await third.reserve(6);
    expect(budget.used).toBe(10);
    expect(third.take(1)).toBe(false);
  });
});

describe('content codings', () => {
  it('may be two', async () => {
    const body = gzipSync(gzipSync('{}'));
    const [bytes] = await receive(1, body, { budget: new ByteBudget(MB), encoding: 'gzip, gzip' });
    expect(String(bytes)).toBe('{}');
  });

  it.each(['gzip, gzip, gzip', 'gzip,'.repeat(1000), 'constructor', 'zstd'])(
    '%s are refused',
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

/** Many large responses at once take no more memory than the budget, and all come whole. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ByteBudget, type Share } from '../../../src/client/wire/byte-budget.js';
import { createTransport } from '../../../src/client/wire/transport.js';
import { pageThrough, wellBehaved } from '../paging/list-server.js';
import { gate, serve } from '../server.js';

const MB = 1024 * 1024;
const GET = { method: 'GET', path: '/opacobjects' } as const;

/** Remembers the most that was ever counted. */
class Watched extends ByteBudget {
  most = 0;

  override share(resume: () => void): Share {
    const share = super.share(resume);
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

/** The oldest response is never the first that needs all the room: else which it is would depend on the threads of zlib. */
class OldestLast extends Watched {
  readonly #later = gate();
  #shares = 0;

  override share(resume: () => void): Share {
    const share = super.share(resume);
    const isOldest = this.#shares++ === 0;
    return {
      ...share,
      reserve: async (bytes) => {
        if (isOldest && bytes > 200 * MB) await this.#later.promise;
        await share.reserve(bytes);
        if (bytes > 200 * MB) this.#later.resolve();
      },
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

describe('responses at once', () => {
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

  it('are unpacked by turns where they are bombs', async () => {
    const budget = new OldestLast(300 * MB);
    const plain = Buffer.alloc(40 * MB);
    const bomb = gzipSync(plain);
    const received = await receive(4, bomb, { budget, encoding: 'gzip' });
    expect(received.map(({ length }) => length)).toEqual([1, 2, 3, 4].map(() => plain.length));
    // All the room for one, and again for the oldest, which never waits; a bomb and what is likely of it for each of the others.
    expect(budget.most).toBeGreaterThan(2 * 256 * MB);
    expect(budget.most).toBeLessThanOrEqual(2 * 256 * MB + 4 * 33 * bomb.length);
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
    const [first, second, third] = [0, 1, 2].map((n) => budget.share(() => resumed.push(n))) as [
      Share,
      Share,
      Share,
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

describe('pages', () => {
  const mostAtOnce = async (buffer: number | undefined) => {
    let now = 0;
    let most = 0;
    const { ids, error } = await pageThrough(
      wellBehaved(1_000),
      { pageSize: 20 },
      {
        buffer,
        wrapTransport: (send) => async (request) => {
          most = Math.max(most, ++now);
          return send(request).finally(() => now--);
        },
      },
    );
    expect([error, ids.length]).toEqual([undefined, 1_000]);
    return most;
  };

  it('are requested several at once where they are small', async () => {
    expect(await mostAtOnce(undefined)).toBeGreaterThan(2);
  });

  it('are requested one by one where each takes the budget', async () => {
    // The first requests know nothing of the size.
    expect(await mostAtOnce(1)).toBeLessThanOrEqual(2);
  });
});

/** When requests may start: in order, within the concurrency and the rate, and after a pause. */
import { describe, expect, it } from 'vitest';
import { RequestQueue } from '../../../src/client/layers/request-queue.js';

/** Creates a queue, by default for one request at a time, with a clock that the test moves. */
function open(rate?: number, concurrency = 1) {
  let now = 0;
  const sleeps: { readonly milliseconds: number; readonly signal: AbortSignal | undefined; wake(): void }[] =
    [];
  const clock = {
    now: () => now,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const wake = () => {
          now += milliseconds;
          resolve();
        };
        sleeps.push({ milliseconds, signal, wake });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const queue = new RequestQueue({ clock, concurrency, rate });
  const started: string[] = [];
  const enqueue = (name: string, signal?: AbortSignal) =>
    queue.acquire(signal).then(
      () => void started.push(name),
      (reason: unknown) => void started.push(`${name}: ${reason}`),
    );
  return { queue, sleeps, started, enqueue, pass: (milliseconds: number) => (now += milliseconds) };
}

const settle = () => new Promise(setImmediate);
const lengths = (sleeps: readonly { readonly milliseconds: number }[]) =>
  sleeps.map(({ milliseconds }) => milliseconds);

describe('RequestQueue', () => {
  it('starts requests in order, each when the one before has ended', async () => {
    const { queue, started, enqueue, sleeps } = open();
    for (const name of ['a', 'b', 'c']) void enqueue(name);
    await settle();
    expect(started).toEqual(['a']);
    queue.release();
    await settle();
    expect(started).toEqual(['a', 'b']);
    queue.release();
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
    expect(sleeps).toEqual([]);
  });

  it('starts two of three requests with a concurrency of 2', async () => {
    const { started, enqueue } = open(undefined, 2);
    for (const name of ['a', 'b', 'c']) void enqueue(name);
    await settle();
    expect(started).toEqual(['a', 'b']);
  });

  it('raises the limit by one after each response, up to the concurrency', async () => {
    const { queue, started, enqueue } = open(undefined, 4);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void enqueue(name);
    await settle();
    expect(started).toHaveLength(2);
    for (let n = 0; n < 4; n++) queue.grow(queue.halvings);
    queue.release();
    await settle();
    expect(started).toHaveLength(5);
  });

  it('halves the limit only once for simultaneous refusals, and never to less than one', async () => {
    const { queue, started, enqueue } = open(undefined, 4);
    for (let n = 0; n < 4; n++) queue.grow(0);
    expect([queue.halve(0), queue.halve(0), queue.halvings]).toEqual([true, false, 1]);
    // This response is for a request from before the refusal, so it does not raise the limit.
    queue.grow(0);
    for (const name of ['a', 'b', 'c']) void enqueue(name);
    await settle();
    expect(started).toEqual(['a', 'b']);
    for (const refusals of [1, 2, 3]) queue.halve(refusals);
    queue.release();
    queue.release();
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
    void enqueue('d');
    await settle();
    expect(started).toHaveLength(3);
  });

  it.each([
    [4, [250, 250]],
    [3, [334, 333]],
  ])('starts at most %i requests per second', async (rate, waits) => {
    const { queue, started, enqueue, sleeps } = open(rate, 9);
    for (const name of ['a', 'b', 'c']) void enqueue(name);
    await settle();
    expect(started).toEqual(['a']);
    for (const n of [0, 1]) {
      expect(sleeps).toHaveLength(n + 1);
      sleeps[n]?.wake();
      await settle();
      queue.release();
    }
    expect(started).toEqual(['a', 'b', 'c']);
    for (const [n, wait] of lengths(sleeps).entries())
      expect(Math.abs(wait - (waits[n] ?? 0))).toBeLessThan(2);
  });

  it('waits until the end of the longest pause, with one timer', async () => {
    const { queue, started, enqueue, sleeps, pass } = open(undefined, 2);
    queue.pause(1000);
    queue.pause(500);
    void enqueue('a');
    await settle();
    expect([started, lengths(sleeps)]).toEqual([[], [1000]]);
    pass(400);
    queue.pause(800);
    // Another request ends, so the queue replaces its timer.
    queue.release();
    await settle();
    expect(lengths(sleeps)).toEqual([1000, 800]);
    expect(sleeps.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    sleeps[1]?.wake();
    await settle();
    expect(started).toEqual(['a']);
  });
});

describe('an abort', () => {
  it('removes its request from any place in the queue, and the next one starts', async () => {
    const { queue, started, enqueue } = open();
    const [b, c] = [new AbortController(), new AbortController()];
    void enqueue('a');
    void enqueue('b', b.signal);
    void enqueue('c', c.signal);
    void enqueue('d');
    c.abort('enough');
    await settle();
    expect(started).toEqual(['a', 'c: enough']);
    b.abort('enough');
    queue.release();
    await settle();
    expect(started).toEqual(['a', 'c: enough', 'b: enough', 'd']);
  });

  it('rejects at once a request that waits for the end of a pause', async () => {
    const { queue, started, enqueue } = open();
    const controller = new AbortController();
    queue.pause(1000);
    void enqueue('a', controller.signal);
    controller.abort('enough');
    await settle();
    expect(started).toEqual(['a: enough']);
  });

  it('rejects a new request at once, and removes no other request from the queue', async () => {
    const { queue, started, enqueue } = open();
    const controller = new AbortController();
    void enqueue('a', controller.signal);
    void enqueue('b');
    await settle();
    controller.abort('enough');
    void enqueue('c', controller.signal);
    queue.release();
    await settle();
    expect(started).toEqual(['a', 'c: enough', 'b']);
  });
});

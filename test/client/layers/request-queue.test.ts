/** Who may start when: in order, so many at once, at a rate, and after a pause. */
import { describe, expect, it } from 'vitest';
import { RequestQueue } from '../../../src/client/layers/request-queue.js';

/** A queue of one request at a time, with a clock that is moved by hand. */
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
  const turn = (name: string, signal?: AbortSignal) =>
    queue.acquire(signal).then(
      () => void started.push(name),
      (reason: unknown) => void started.push(`${name}: ${reason}`),
    );
  return { queue, sleeps, started, turn, pass: (milliseconds: number) => (now += milliseconds) };
}

const settled = () => new Promise(setImmediate);
const lengths = (sleeps: readonly { readonly milliseconds: number }[]) =>
  sleeps.map(({ milliseconds }) => milliseconds);

describe('a queue of requests', () => {
  it('starts them in order, as others are done', async () => {
    const { queue, started, turn, sleeps } = open();
    for (const name of ['a', 'b', 'c']) void turn(name);
    await settled();
    expect(started).toEqual(['a']);
    queue.release();
    await settled();
    expect(started).toEqual(['a', 'b']);
    queue.release();
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
    expect(sleeps).toEqual([]);
  });

  it('starts as many at once as the limit has it', async () => {
    const { started, turn } = open(undefined, 2);
    for (const name of ['a', 'b', 'c']) void turn(name);
    await settled();
    expect(started).toEqual(['a', 'b']);
  });

  it('lets one more run after each response, up to the concurrency', async () => {
    const { queue, started, turn } = open(undefined, 4);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void turn(name);
    await settled();
    expect(started).toHaveLength(2);
    for (let n = 0; n < 4; n++) queue.grow(queue.halvings);
    queue.release();
    await settled();
    expect(started).toHaveLength(5);
  });

  it('halves the requests at once for a burst of refusals, and not below one', async () => {
    const { queue, started, turn } = open(undefined, 4);
    for (let n = 0; n < 4; n++) queue.grow(0);
    expect([queue.halve(0), queue.halve(0), queue.halvings]).toEqual([true, false, 1]);
    // A response to a request from before the refusal.
    queue.grow(0);
    for (const name of ['a', 'b', 'c']) void turn(name);
    await settled();
    expect(started).toEqual(['a', 'b']);
    for (const refusals of [1, 2, 3]) queue.halve(refusals);
    queue.release();
    queue.release();
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
    void turn('d');
    await settled();
    expect(started).toHaveLength(3);
  });

  it.each([
    [4, [250, 250]],
    [3, [334, 333]],
  ])('keeps to a rate of %i a second', async (rate, waits) => {
    const { queue, started, turn, sleeps } = open(rate, 9);
    for (const name of ['a', 'b', 'c']) void turn(name);
    await settled();
    expect(started).toEqual(['a']);
    for (const n of [0, 1]) {
      expect(sleeps).toHaveLength(n + 1);
      sleeps[n]?.wake();
      await settled();
      queue.release();
    }
    expect(started).toEqual(['a', 'b', 'c']);
    for (const [n, wait] of lengths(sleeps).entries())
      expect(Math.abs(wait - (waits[n] ?? 0))).toBeLessThan(2);
  });

  it('waits for the end of the longest pause, with one alarm', async () => {
    const { queue, started, turn, sleeps, pass } = open(undefined, 2);
    queue.pause(1000);
    queue.pause(500);
    void turn('a');
    await settled();
    expect([started, lengths(sleeps)]).toEqual([[], [1000]]);
    pass(400);
    queue.pause(800);
    // Somebody else is done: a new alarm takes the place of the old one.
    queue.release();
    await settled();
    expect(lengths(sleeps)).toEqual([1000, 800]);
    expect(sleeps.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    sleeps[1]?.wake();
    await settled();
    expect(started).toEqual(['a']);
  });
});

describe('an abort', () => {
  it('takes a request out, whichever it is, and lets the next one start', async () => {
    const { queue, started, turn } = open();
    const [b, c] = [new AbortController(), new AbortController()];
    void turn('a');
    void turn('b', b.signal);
    void turn('c', c.signal);
    void turn('d');
    c.abort('enough');
    await settled();
    expect(started).toEqual(['a', 'c: enough']);
    b.abort('enough');
    queue.release();
    await settled();
    expect(started).toEqual(['a', 'c: enough', 'b: enough', 'd']);
  });

  it('of one that waits for a pause is told at once', async () => {
    const { queue, started, turn } = open();
    const controller = new AbortController();
    queue.pause(1000);
    void turn('a', controller.signal);
    controller.abort('enough');
    await settled();
    expect(started).toEqual(['a: enough']);
  });

  it('before its turn is told at once, and later takes nobody else out', async () => {
    const { queue, started, turn } = open();
    const controller = new AbortController();
    void turn('a', controller.signal);
    void turn('b');
    await settled();
    controller.abort('enough');
    void turn('c', controller.signal);
    queue.release();
    await settled();
    expect(started).toEqual(['a', 'c: enough', 'b']);
  });
});

/** Tasks that start before their values are needed: how many start, the order of their values, and how they end. */
import { describe, expect, it } from 'vitest';
import { PrefetchQueue, runInOrder } from '../../../src/client/paging/prefetch.js';
import { createGate } from '../server.js';

/** Creates `count` tasks. Each task runs until the test calls `end`. */
function createTasks(count: number) {
  const gates: ReturnType<typeof createGate>[] = [];
  const signals: AbortSignal[] = [];
  const next = (signal?: AbortSignal): Promise<number> | undefined => {
    if (gates.length === count) return undefined;
    const n = gates.length;
    const opened = createGate();
    gates.push(opened);
    if (signal) signals.push(signal);
    return opened.promise.then(() => n);
  };
  return { next, signals, started: () => gates.length, end: (n: number) => gates[n]?.resolve() };
}

const settle = () => new Promise(setImmediate);

describe('PrefetchQueue', () => {
  it('limits the running tasks, and the tasks whose outcomes were not taken', async () => {
    const { next, started, end } = createTasks(10);
    const queue = new PrefetchQueue({ concurrency: 2, next });
    expect(started()).toBe(0);
    queue.fill();
    expect(started()).toBe(2);
    end(1);
    await settle();
    expect(started()).toBe(3);
    end(2);
    await settle();
    expect(started()).toBe(4);
    end(3);
    await settle();
    // The outcomes of four tasks were not taken. This is the maximum: two for each task that may run.
    expect(started()).toBe(4);
    const first = queue.take();
    end(0);
    expect(await first).toEqual({ value: 0 });
    expect(started()).toBe(5);
    expect(await queue.take()).toEqual({ value: 1 });
    expect(started()).toBe(6);
    for (const n of [4, 5, 6, 7]) end(n);
    await queue.stop();
    expect(started()).toBeLessThan(10);
  });

  it('returns an error for every kind of rejection, and undefined without tasks', async () => {
    const failures = [new Error('no'), undefined, null, 'text'];
    const queue = new PrefetchQueue({
      concurrency: 1,
      next: () => (failures.length > 0 ? Promise.reject(failures.shift()) : undefined),
    });
    expect(await queue.take()).toEqual({ error: new Error('no') });
    expect(await queue.take()).toEqual({ error: new Error('failed') });
    expect(await queue.take()).toEqual({ error: new Error('failed') });
    expect(await queue.take()).toEqual({ error: 'text' });
    expect(await queue.take()).toBeUndefined();
  });

  it('waits in stop() for running tasks, and starts no more', async () => {
    const { next, started, end } = createTasks(9);
    const queue = new PrefetchQueue({ concurrency: 2, next });
    queue.fill();
    let stopped = false;
    const stopping = queue.stop().then(() => {
      stopped = true;
    });
    end(0);
    await settle();
    expect([stopped, started()]).toEqual([false, 2]);
    end(1);
    await stopping;
    expect(started()).toBe(2);
  });
});

describe('runInOrder', () => {
  const signal = new AbortController().signal;

  it('yields the values in the order of the tasks, and starts two further tasks', async () => {
    const { next, started, end, signals } = createTasks(5);
    const values = runInOrder({ concurrency: 1, next, signal });
    const first = values.next();
    await settle();
    expect(started()).toBe(1);
    for (const n of [0, 1, 2, 3, 4]) {
      end(n);
      await settle();
    }
    expect(started()).toBe(3);
    expect(await first).toEqual({ value: 0, done: false });
    const rest: number[] = [];
    const reading = (async () => {
      for await (const value of values) rest.push(value);
    })();
    while (rest.length < 4) {
      for (const n of [3, 4]) end(n);
      await settle();
    }
    await reading;
    expect(rest).toEqual([1, 2, 3, 4]);
    expect(signals[0]?.aborted).toBe(true);
  });

  it('runs six tasks at once by default', async () => {
    const { next, started, end } = createTasks(99);
    const values = runInOrder({ next, signal });
    const first = values.next();
    await settle();
    expect(started()).toBe(6);
    for (let n = 0; n < 99; n++) end(n);
    await first;
    for (let n = 0; n < 99; n++) end(n);
    const ended = values.return(undefined);
    await settle();
    for (let n = 0; n < 99; n++) end(n);
    await ended;
  });

  it('throws the error of a task at its turn, and aborts the others', async () => {
    const { next, end, signals } = createTasks(2);
    const values = runInOrder({
      concurrency: 3,
      signal,
      next: (taskSignal) => {
        if (signals.length !== 2) return next(taskSignal);
        signals.push(taskSignal);
        return Promise.reject(new Error('third'));
      },
    });
    const first = values.next();
    end(1);
    await settle();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
    end(0);
    expect([await first, await values.next()]).toEqual([
      { value: 0, done: false },
      { value: 1, done: false },
    ]);
    await expect(values.next()).rejects.toThrow('third');
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it('aborts the tasks with the reason of the signal', async () => {
    const controller = new AbortController();
    const { next, signals, end } = createTasks(1);
    const values = runInOrder({ next, signal: controller.signal });
    const first = values.next();
    controller.abort(new Error('enough'));
    expect(signals[0]?.reason).toEqual(new Error('enough'));
    end(0);
    await first;
  });
});

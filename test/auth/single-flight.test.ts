/** One renewal for all requests that need one. */
import { expect, it } from 'vitest';
import { singleFlight } from '../../src/auth/single-flight.js';

/** A task that ends when it is told to. */
function setUp() {
  const runs: { readonly signal: AbortSignal; end(value: string): void; fail(error: Error): void }[] = [];
  const call = singleFlight<string>(
    (signal) =>
      new Promise((end, fail) => {
        runs.push({ signal, end, fail });
      }),
  );
  return { runs, call };
}

it('is shared by all who call while it runs, and begun anew after its end', async () => {
  const { runs, call } = setUp();
  const calls = [call(), call(new AbortController().signal)];
  runs[0]?.end('one');
  expect(await Promise.all(calls)).toEqual(['one', 'one']);
  const failed = call();
  runs[1]?.fail(new Error('two'));
  await expect(failed).rejects.toThrow('two');
  const last = call();
  runs[2]?.end('three');
  expect(await last).toBe('three');
  expect([runs.length, runs.some(({ signal }) => signal.aborted)]).toEqual([3, false]);
});

it('goes on for the others when one of them aborts', async () => {
  const { runs, call } = setUp();
  const stop = new AbortController();
  const stopped = call(stop.signal);
  const other = call();
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  expect(runs[0]?.signal.aborted).toBe(false);
  runs[0]?.end('one');
  expect(await other).toBe('one');
});

it('is aborted with the last who waits, for its reason, and the next begins anew', async () => {
  const { runs, call } = setUp();
  const stop = new AbortController();
  const stopped = call(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  expect(runs[0]?.signal.reason).toMatchObject({ message: 'stopped' });
  const next = call();
  runs[0]?.fail(new Error('late'));
  const joined = call();
  runs[1]?.end('two');
  expect(await Promise.all([next, joined])).toEqual(['two', 'two']);
  expect(runs).toHaveLength(2);
});

it('is not begun for one who had aborted before', async () => {
  const { runs, call } = setUp();
  await expect(call(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  expect(runs).toEqual([]);
});

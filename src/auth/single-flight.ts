/** Concurrent calls share one run of a task. */

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** A caller that aborts gets the signal's reason at once; the task is aborted with its last caller. */
export function singleFlight<T>(
  task: (signal: AbortSignal) => Promise<T>,
): (signal?: AbortSignal) => Promise<T> {
  let flight: Flight<T> | undefined;

  const start = (): Flight<T> => {
    const controller = new AbortController();
    const started = { result: task(controller.signal), controller, waiting: 0 };
    const land = () => {
      if (flight === started) flight = undefined;
    };
    started.result.then(land, land);
    return started;
  };

  return async (signal) => {
    signal?.throwIfAborted();
    flight ??= start();
    const joined = flight;
    joined.waiting++;
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal?.reason);
    });
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([joined.result, left]);
    } finally {
      signal?.removeEventListener('abort', leave);
      joined.waiting--;
      if (joined.waiting === 0 && signal?.aborted) {
        if (flight === joined) flight = undefined;
        joined.controller.abort(signal.reason);
      }
    }
  };
}

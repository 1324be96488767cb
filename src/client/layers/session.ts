/** Puts credentials on requests, and renews them once when the service no longer takes them. */
import type { Credentials } from '../credentials.js';
import type { Request, Send } from '../exchange.js';

/** A request is repeated with new credentials so often at most: a service that takes none of them must not be looped on. */
const MOST_RENEWALS = 10;

/**
 * Adds the Authorization header. On 401 asks for new credentials, once for all requests under way, and repeats the request;
 * when there are none, or the new ones were never taken by anyone, the 401 is the answer. Transport never lets a request
 * leave its origin.
 */
export function withSession(send: Send, credentials: Credentials): Send {
  /** By the value that was rejected. */
  const renewals = new Map<string, Promise<string | undefined>>();
  /** The last value that the service took: when it is rejected later, it was used up, perhaps by the other requests. */
  let taken: string | undefined;

  function renewal(rejected: string): Promise<string | undefined> {
    const running = renewals.get(rejected) ?? renewed(rejected).finally(() => renewals.delete(rejected));
    renewals.set(rejected, running);
    return running;
  }

  async function renewed(rejected: string): Promise<string | undefined> {
    // Another request may have had them renewed since this one was sent.
    const current = await credentials.authorization();
    return current !== rejected ? current : credentials.renew?.(rejected);
  }

  return async (request) => {
    let value = await unlessAborted(credentials.authorization(request.signal), request.signal);
    for (let repeats = 0; ; repeats++) {
      const answer = await send(withAuthorization(request, value));
      if (answer.status !== 401) taken = value;
      const usedUp = repeats === 0 || (value === taken && repeats < MOST_RENEWALS);
      if (answer.status !== 401 || value === undefined || !usedUp) return answer;
      // One renewal serves many: it is not ended by the signal of the request that happened to need it first.
      const fresh = await unlessAborted(renewal(value), request.signal);
      if (fresh === undefined) return answer;
      value = fresh;
    }
  };
}

function withAuthorization<T>(request: Request<T>, authorization: string | undefined): Request<T> {
  return authorization === undefined
    ? request
    : { ...request, headers: { ...request.headers, authorization } };
}

/** The promise's outcome, or at once the signal's reason. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

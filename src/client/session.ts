/** Puts credentials on requests, and renews them once when the service no longer takes them. */
import type { Credentials } from './credentials.js';
import type { Request, Send } from './exchange.js';

/**
 * Adds the Authorization header. On 401 asks for new credentials, once for all requests under way, and repeats the request
 * once; when there are none, the 401 is the answer. Transport never lets a request leave its origin.
 */
export function withSession(send: Send, credentials: Credentials): Send {
  /** By the value that was rejected. */
  const renewals = new Map<string, Promise<string | undefined>>();

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
    const value = await unlessAborted(credentials.authorization(request.signal), request.signal);
    const answer = await send(withAuthorization(request, value));
    if (answer.status !== 401 || value === undefined) return answer;
    // One renewal serves many: it is not ended by the signal of the request that happened to need it first.
    const fresh = await unlessAborted(renewal(value), request.signal);
    return fresh === undefined ? answer : send(withAuthorization(request, fresh));
  };
}

function withAuthorization(request: Request, authorization: string | undefined): Request {
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

/** Adds credentials to requests, and renews them when the service rejects them. */

import { keepSecret } from '../../service/redact.js';
import type { Credentials } from '../credentials.js';
import type { Request, Send } from '../exchange.js';

const MOST_RENEWALS = 10;

/** On 401 renews the credentials, once for all requests under way, and repeats. */
export function withSession(send: Send, credentials: Credentials): Send {
  const renewals = new Map<string, Promise<string | undefined>>();
  /** The last value that the service accepted: rejected later, it was used up, perhaps by other requests. */
  let accepted: string | undefined;

  function renewal(rejected: string): Promise<string | undefined> {
    const running = renewals.get(rejected) ?? renewed(rejected).finally(() => renewals.delete(rejected));
    renewals.set(rejected, running);
    return running;
  }

  async function renewed(rejected: string): Promise<string | undefined> {
    const current = await credentials.authorization();
    return current !== rejected ? current : credentials.renew?.(rejected);
  }

  return async (request) => {
    let value = await unlessAborted(credentials.authorization(request.signal), request.signal);
    for (let repeats = 0; ; repeats++) {
      const answer = await send(withAuthorization(request, value));
      if (answer.status !== 401) accepted = value;
      const usedUp = repeats === 0 || (value === accepted && repeats < MOST_RENEWALS);
      if (answer.status !== 401 || value === undefined || !usedUp) return answer;
      // One renewal serves many, so the signal of one request does not end it.
      const fresh = await unlessAborted(renewal(value), request.signal);
      if (fresh === undefined) return answer;
      value = fresh;
    }
  };
}

function withAuthorization<T>(request: Request<T>, authorization: string | undefined): Request<T> {
  if (authorization === undefined) return request;
  keepSecret(authorization.replace(/^\S+ /, ''));
  return { ...request, headers: { ...request.headers, authorization } };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

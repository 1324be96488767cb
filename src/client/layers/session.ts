/** Adds credentials to requests, and renews them when the service rejects them. */

import { registerSecret } from '../../service/redact.js';
import { abortable } from '../../system/abortable.js';
import type { Credentials } from '../credentials.js';
import type { DecodedResponse, HttpRequest, Send } from '../http-request.js';

/** Most repeats of one request. Each renewal answers at least the request that caused it, so this only ends a fault. */
const MAX_REPEATS = 100;

/**
 * Adds the Authorization header. On 401 one request renews the credentials and is the first to use them, while all others
 * wait: a token may be good for a few requests only, and other processes may use the same one. What the service rejects at
 * once, though nobody else has used it, is not renewed again.
 */
export function withSession(send: Send, credentials: Credentials): Send {
  /** The renewal in progress; its value is whether the service accepted the renewed credentials. */
  let renewal: Promise<boolean> | undefined;

  async function renewAndSend<T>(
    request: HttpRequest<T>,
    rejected: string,
    response: DecodedResponse<T>,
  ): Promise<DecodedResponse<T>> {
    let last = response;
    let failed: { readonly error: unknown } | undefined;
    const run = async () => {
      for (const next of [credentials.reload, credentials.renew]) {
        const fresh = await next?.(rejected);
        if (fresh === undefined) continue;
        try {
          last = await send(withAuthorization(request, fresh));
        } catch (error) {
          // It says nothing of the credentials: the other requests try them.
          failed = { error };
          return true;
        }
        if (last.status === 401) continue;
        await credentials.accepted?.(fresh);
        return true;
      }
      return false;
    };
    renewal = run().finally(() => {
      renewal = undefined;
    });
    await abortable(renewal, request.signal);
    if (failed) throw failed.error;
    return last;
  }

  return async (request) => {
    for (let repeats = 0; ; repeats++) {
      while (renewal !== undefined)
        await abortable(renewal, request.signal).catch(() => request.signal?.throwIfAborted());
      const value = await abortable(credentials.authorization(request.signal), request.signal);
      const response = await send(withAuthorization(request, value));
      if (response.status !== 401 || value === undefined || repeats === MAX_REPEATS) return response;
      if (renewal !== undefined) {
        if (!(await abortable(renewal, request.signal))) return response;
        continue;
      }
      // Another request may have renewed them since this one was sent.
      const current = await abortable(credentials.authorization(request.signal), request.signal);
      if (current === value && renewal === undefined) return renewAndSend(request, value, response);
    }
  };
}

function withAuthorization<T>(request: HttpRequest<T>, authorization: string | undefined): HttpRequest<T> {
  if (authorization === undefined) return request;
  registerSecret(authorization.replace(/^\S+ /, ''));
  return { ...request, headers: { ...request.headers, authorization } };
}

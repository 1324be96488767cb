/** Adds credentials to requests, and renews them when the service rejects them. */
import { registerSecret } from '../../service/redact.js';
import { abortable } from '../../system/abortable.js';
import type { Credentials } from '../credentials.js';
import type { DecodedResponse, HttpRequest, Send } from '../http-request.js';

/** How often opac sends one request again after renewals. Only a faulty service reaches this limit. */
const MAX_REPEATS = 100;

/** After a 401, one request renews the credentials. Other requests wait, because a token may be valid for only a few requests. */
export function withSession(send: Send, credentials: Credentials): Send {
  /** Resolves to false if no new credentials exist, or if the service rejects them. */
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
          // The error is not about the credentials, so the other requests can use the new credentials.
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
      // Another request may have renewed the credentials since this request was sent.
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

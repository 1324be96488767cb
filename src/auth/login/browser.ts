/** Login through a browser of this machine, which comes back to a listener at the registered redirect URI. */
import { OpacError, UsageError } from '../../service/errors.js';
import { authorizationUrl, type ObtainCode } from '../flow/authorization.js';
import { listenForCallback } from '../flow/callback-listener.js';
import { listenPlace } from '../flow/redirect-uri.js';

const OTHER_WAYS = 'log in with "opac login --method headless" or "--method paste"';

export interface BrowserOptions {
  readonly baseUrl: string;
  /** Opens the address in a browser. When it throws, the person is told to open it. */
  readonly open: (url: string) => Promise<void>;
  /** Shows the address to the person, before the browser opens. */
  readonly announce: (url: string) => void;
  /** Told what the person should know while the login waits. */
  readonly notice: (message: string) => void;
  /** How long to wait for the person, in milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for the redirect of a browser; the listener is up before the browser opens and closed at the first callback.
 * Throws a UsageError when the redirect URI is not of this machine, an OpacError when its port is taken, when the service
 * refuses, or when the time is up, and the signal's reason when aborted.
 */
export function codeByBrowser(options: BrowserOptions): ObtainCode {
  const { baseUrl, open, announce, notice, timeout, signal } = options;
  return async (authorization) => {
    const place = listenPlace(authorization.redirectURI);
    if (!place) {
      throw new UsageError(
        `no browser can come back to "${authorization.redirectURI}": it is not http at a port of this machine`,
        OTHER_WAYS,
      );
    }
    signal?.throwIfAborted();
    const listener = await listenForCallback(place, authorization, () =>
      notice('a callback with another state than was sent was discarded; still waiting for the right one'),
    );
    let waiting = true;
    try {
      const url = authorizationUrl(baseUrl, authorization);
      announce(url);
      // Command lines are for everyone on the machine to read, and a PLAIN challenge is the verifier.
      if (authorization.form === 'PLAIN') notice('with a PLAIN challenge, open the address above yourself');
      else {
        open(url).catch(() => {
          if (waiting)
            notice(`no browser could be opened: open the address above yourself, or ${OTHER_WAYS}`);
        });
      }
      return await before(listener.code, timeout, signal);
    } finally {
      waiting = false;
      listener.close();
    }
  };
}

/** The promise's outcome, unless the time is up or the signal aborted before. */
async function before<T>(promise: Promise<T>, timeout: number, signal: AbortSignal | undefined): Promise<T> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      const waited = timeout < 120_000 ? `${timeout / 1000} s` : `${Math.round(timeout / 60_000)} min`;
      reject(new OpacError('auth', `the browser did not come back within ${waited}`, { hint: OTHER_WAYS }));
    }, timeout);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    if (signal?.aborted) abort();
  });
  return Promise.race([promise, stopped]).finally(stop);
}

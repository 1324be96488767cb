/** Login through a browser on this machine, which is redirected to a loopback listener (RFC 8252 section 7.3). */
import { OpacError, UsageError } from '../../service/errors.js';
import { abortable } from '../../system/abortable.js';
import { authorizationUrl, type RequestCode } from '../flow/authorization.js';
import { listenForCallback } from '../flow/callback-listener.js';
import { loopbackRedirect } from '../flow/redirect-uri.js';
import type { LoginDependencies } from './login-context.js';
import { otherMethods } from './method-names.js';

const HINT = otherMethods('browser');

interface BrowserOptions extends Pick<LoginDependencies, 'openBrowser' | 'announce' | 'note' | 'signal'> {
  readonly baseUrl: string;
  readonly timeout: number;
}

/** Throws a UsageError for a redirect URI of another machine, an OpacError for a refusal, a port in use or a timeout. */
export function requestCodeInBrowser(options: BrowserOptions): RequestCode {
  const { baseUrl, openBrowser, announce, note, timeout, signal } = options;
  return async (authorization) => {
    const redirect = loopbackRedirect(authorization.redirectURI);
    if (!redirect) {
      throw new UsageError(
        `--method browser needs a redirect URI of the form http://127.0.0.1:<port>/…; this one is "${authorization.redirectURI}"`,
        HINT,
      );
    }
    signal?.throwIfAborted();
    const listener = await listenForCallback(redirect, authorization, () =>
      note('discarded a callback whose state does not match; still waiting'),
    );
    let waiting = true;
    try {
      const url = authorizationUrl(baseUrl, authorization);
      announce(url);
      note('waiting for the browser; press Ctrl-C to cancel');
      // Command lines can be read by every user of the machine, and a PLAIN challenge is the verifier.
      if (authorization.form === 'PLAIN')
        note('the challenge is PLAIN, so no browser was opened: open the address above yourself');
      else {
        openBrowser(url).catch(() => {
          if (waiting) note(`cannot open a browser: open the address above yourself, or ${HINT}`);
        });
      }
      return await withTimeout(listener.code, timeout, signal);
    } finally {
      waiting = false;
      listener.close();
    }
  };
}

function withTimeout<T>(promise: Promise<T>, timeout: number, signal: AbortSignal | undefined): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    const waited = timeout < 120_000 ? `${timeout / 1000} s` : `${Math.round(timeout / 60_000)} min`;
    late.abort(
      new OpacError('auth', `timed out: no redirect from the browser within ${waited}`, { hint: HINT }),
    );
  }, timeout);
  const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  return abortable(promise, ends).finally(() => clearTimeout(timer));
}

/** Logs in through a local browser. The service redirects the browser to a loopback listener (RFC 8252 section 7.3). */
import { OpacError, UsageError } from '../../service/errors.js';
import { abortable } from '../../system/abortable.js';
import { getAuthorizationUrl, type RequestCode } from '../flow/authorization.js';
import { listenForCallback } from '../flow/callback-listener.js';
import { parseLoopbackRedirect } from '../flow/redirect-uri.js';
import type { LoginDependencies } from './login-context.js';
import { suggestOtherMethods } from './method-names.js';

const HINT = suggestOtherMethods('browser');

interface BrowserOptions extends Pick<LoginDependencies, 'openBrowser' | 'announce' | 'note' | 'signal'> {
  readonly baseUrl: string;
  readonly timeout: number;
}

/** The returned function throws a UsageError for an unsuitable redirect URI, and an OpacError if the login fails. */
export function requestCodeInBrowser(options: BrowserOptions): RequestCode {
  const { baseUrl, openBrowser, announce, note, timeout, signal } = options;
  return async (authorization) => {
    const redirect = parseLoopbackRedirect(authorization.redirectURI);
    if (!redirect) {
      throw new UsageError(
        `--method browser needs a redirect URI of the form http://127.0.0.1:<port>/…, not "${authorization.redirectURI}"`,
        HINT,
      );
    }
    signal?.throwIfAborted();
    const listener = await listenForCallback(redirect, authorization, () =>
      note('ignoring a callback with a wrong state; still waiting'),
    );
    let isWaiting = true;
    try {
      const url = getAuthorizationUrl(baseUrl, authorization);
      announce(url);
      note('waiting for the browser; press Ctrl-C to cancel');
      // Every user of the machine can read the command line of a browser. With PLAIN, the URL contains the code verifier.
      if (authorization.form === 'PLAIN')
        note('the challenge is PLAIN, so opac opens no browser; open the URL above in a browser');
      else {
        openBrowser(url).catch(() => {
          if (isWaiting) note(`cannot open a browser; open the URL above in a browser, or ${HINT}`);
        });
      }
      return await withTimeout(listener.code, timeout, signal);
    } finally {
      isWaiting = false;
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
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  return abortable(promise, either).finally(() => clearTimeout(timer));
}

/** Login without a browser: a valid authorization request is answered with the redirect at once (FIELD-NOTES.md "PKCE"). */
import type { Answer, Send } from '../client/exchange.js';
import { OpacError } from '../service/errors.js';
import { type Authorization, isRedirectURI, type ObtainCode, readRedirect } from './authorization.js';
import { readRefusal } from './refusal.js';

const OTHER_WAYS =
  'Log in with "opac login --method browser", or with "--method paste" and a browser elsewhere.';

/**
 * Sends the authorization request itself and reads the code from the redirect, which is not followed: its address need not
 * be one of this machine.
 */
export function codeByRequest(send: Send, signal?: AbortSignal): ObtainCode {
  return async (authorization) => {
    const answer = await send({ ...authorization.request, signal });
    if (answer.status >= 300 && answer.status < 400) return codeOf(answer, authorization);
    if (answer.status === 400) throw readRefusal('authorization', answer, []);
    if (answer.status === 200) {
      throw new OpacError(
        'auth',
        'the deployment shows a sign-in page, which takes a person and a browser (GET /oauth/authorize)',
        { hint: OTHER_WAYS },
      );
    }
    const kind = answer.status === 401 || answer.status === 403 ? 'auth' : 'deployment';
    throw new OpacError(
      kind,
      `the service answered the authorization with status ${answer.status} (GET /oauth/authorize)`,
      { hint: 'Check the base URL; if it is right, try again later.' },
    );
  };
}

function codeOf(answer: Answer, authorization: Authorization): string {
  const { location = '' } = answer.headers;
  // A relative address is one of the deployment's own pages.
  const address = URL.canParse(location) ? new URL(location) : undefined;
  if (!address || !isRedirectURI(address, authorization.redirectURI)) {
    throw new OpacError(
      'auth',
      `the deployment redirects to ${address ? `"${address.origin}"` : 'a page of its own'}, not to the redirect URI (GET /oauth/authorize)`,
      { hint: `It may ask for a sign-in. ${OTHER_WAYS}` },
    );
  }
  const redirect = readRedirect(address.searchParams, authorization);
  switch (redirect.outcome) {
    case 'code':
      return redirect.code;
    case 'refused':
      throw redirect.error;
    case 'foreign':
      throw new OpacError(
        'auth',
        'the redirect carries another state than was sent, so its code was discarded',
        { hint: 'Log in again; if it happens again, something between here and the deployment interferes.' },
      );
    case 'incomplete':
      throw new OpacError('deployment', 'the redirect of the service has no state or no code', {
        hint: OTHER_WAYS,
      });
  }
}

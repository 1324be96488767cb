/** Login without a browser: a valid authorization request is answered with the redirect at once (FIELD-NOTES.md "PKCE"). */
import { statusError } from '../../client/errors/answer-errors.js';
import type { Answer } from '../../client/exchange.js';
import { OpacError } from '../../service/errors.js';
import {
  type Authorization,
  isRedirectURI,
  type ObtainCode,
  readRedirect,
  type Service,
} from '../flow/authorization.js';
import { readRefusal } from '../flow/refusal.js';

const OTHER_WAYS =
  'log in with "opac login --method browser", or with "--method paste" and a browser elsewhere';

/**
 * Sends the authorization request itself and reads the code from the redirect, which is not followed: its address need not
 * be one of this machine.
 */
export function codeByRequest({ send, baseUrl }: Service, signal?: AbortSignal): ObtainCode {
  return async (authorization) => {
    const request = { ...authorization.request, signal };
    const answer = await send(request);
    if (answer.status >= 300 && answer.status < 400) return codeOf(answer, authorization);
    if (answer.status === 400) throw readRefusal('authorization', answer, []);
    const error = statusError(request, answer, { baseUrl, credentialsHint: OTHER_WAYS });
    if (error) throw error;
    throw new OpacError(
      'auth',
      'the deployment shows a sign-in page, which takes a person and a browser (GET /oauth/authorize)',
      { hint: OTHER_WAYS },
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
      { hint: `it may ask for a sign-in. ${OTHER_WAYS}` },
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
        { hint: 'log in again; if it happens again, something between here and the deployment interferes' },
      );
    case 'incomplete':
      throw new OpacError('deployment', 'the redirect of the service has no state or no code', {
        hint: OTHER_WAYS,
      });
  }
}

/** Login without a browser: the service answers a valid authorization request with the redirect (FIELD-NOTES.md "PKCE"). */
import { isHtmlResponse } from '../../client/errors/firewall-response.js';
import { createStatusError } from '../../client/errors/response-errors.js';
import type { HttpResponse } from '../../client/http-request.js';
import { OpacError } from '../../service/errors.js';
import {
  type Authorization,
  type Connection,
  isRedirectURI,
  type RequestCode,
  readRedirect,
} from '../flow/authorization.js';
import { readOAuthError } from '../flow/oauth-error.js';
import { otherMethods } from './method-names.js';

const HINT = otherMethods('headless');

/** Sends the authorization request and reads the code from the redirect, which is not followed: it may lead to another machine. */
export function requestCodeHeadless({ send, baseUrl }: Connection, signal?: AbortSignal): RequestCode {
  return async (authorization) => {
    const request = { ...authorization.request, signal };
    const response = await send(request);
    if (response.status >= 300 && response.status < 400) return readCode(response, authorization);
    if (response.status === 400) throw readOAuthError('authorization', response);
    const error = createStatusError(request, response, { baseUrl, credentialsHint: HINT });
    if (error) throw error;
    if (!isHtmlResponse(response)) {
      throw new OpacError(
        'deployment',
        `the response (${response.status}) neither redirects nor is a web page (GET /oauth/authorize)`,
        { hint: `check that ${baseUrl} is the right base URL`, code: 'unexpected-response' },
      );
    }
    throw new OpacError(
      'auth',
      'the deployment shows a sign-in page, which needs a browser (GET /oauth/authorize)',
      { hint: HINT },
    );
  };
}

function readCode(response: HttpResponse, authorization: Authorization): string {
  const { location = '' } = response.headers;
  // A relative address leads to a page of the deployment.
  const address = URL.canParse(location) ? new URL(location) : undefined;
  if (!address || !isRedirectURI(address, authorization.redirectURI)) {
    throw new OpacError(
      'auth',
      `the deployment redirects to ${address ? `"${address.origin === 'null' ? address.protocol : address.origin}"` : 'one of its own pages'}, not to the redirect URI (GET /oauth/authorize)`,
      { hint: `it may require a sign-in: ${HINT}` },
    );
  }
  const redirect = readRedirect(address.searchParams, authorization);
  switch (redirect.outcome) {
    case 'code':
      return redirect.code;
    case 'refused':
      throw redirect.error;
    case 'state-mismatch':
      throw new OpacError('auth', 'the state in the redirect does not match, so its code was discarded', {
        hint: 'log in again; if it happens again, something between this machine and the deployment changes requests',
      });
    case 'incomplete':
      throw new OpacError('deployment', 'the redirect of the service has no state or no code', {
        hint: HINT,
      });
  }
}

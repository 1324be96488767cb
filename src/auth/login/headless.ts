/** Logs in without a browser: the service redirects a valid authorization request immediately (FIELD-NOTES.md "PKCE"). */
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
import { suggestOtherMethods } from './method-names.js';

const HINT = suggestOtherMethods('headless');

/** Reads the code from the redirect, but does not follow the redirect, which may lead to another machine. */
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
        `the response (${response.status}) is neither a redirect nor a web page (GET /oauth/authorize)`,
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
  // A relative URL leads to a page of the deployment, not to the redirect URI.
  const url = URL.canParse(location) ? new URL(location) : undefined;
  if (!url || !isRedirectURI(url, authorization.redirectURI)) {
    const origin = url?.origin === 'null' ? url.protocol : url?.origin;
    const target = origin === undefined ? 'another page of its site' : `"${origin}"`;
    throw new OpacError(
      'auth',
      `the deployment redirects to ${target}, not to the redirect URI (GET /oauth/authorize)`,
      { hint: `the deployment may require a sign-in; ${HINT}` },
    );
  }
  const redirect = readRedirect(url.searchParams, authorization);
  switch (redirect.outcome) {
    case 'code':
      return redirect.code;
    case 'refused':
      throw redirect.error;
    case 'state-mismatch':
      throw new OpacError(
        'auth',
        'the state in the redirect does not match; the authorization code was not used',
        {
          hint: 'log in again; if this happens again, ask your IT department whether a proxy changes requests',
        },
      );
    case 'incomplete':
      throw new OpacError('deployment', 'the redirect of the service contains no state or no code', {
        hint: HINT,
      });
  }
}

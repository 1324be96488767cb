/** The two ways to authorize a request (INTERFACE.md "Authentication"). */
import type { JsonObject } from '../json.js';

export function securitySchemes(root: string): JsonObject {
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'OAuth 2.0, authorization code grant with PKCE, in a dialect of its own: parameters are spelled in camel case ' +
        '(clientId, redirectURI, codeChallenge), the token request is a JSON body with grantType "code", the answer is ' +
        'accessToken, tokenType and expires, and there are no scopes and no refresh token. Generic OAuth clients cannot ' +
        'speak it; see the operations oauth.authorize and oauth.token.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${root}/oauth/authorize`,
          tokenUrl: `${root}/oauth/token`,
          scopes: {},
        },
      },
      'x-origin': 'documented',
    },
    basicKey: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'The word Basic, a space and the basic key, which the operator of the service supplies. The key is sent as it is: ' +
        'it is not a user name with a password. Requests made with it are slower.',
      'x-origin': 'documented',
    },
  };
}

export const SECURITY: readonly JsonObject[] = [{ oauth2: [] }, { basicKey: [] }];

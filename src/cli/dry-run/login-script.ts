/** A login as curl commands (INTERFACE.md "Authentication"), every secret a variable. */
import { type ChallengeForm, challengeMethod } from '../../auth/flow/pkce.js';
import { type EndpointId, endpoint } from '../../service/endpoints/catalogue.js';
import { quoted } from '../command/shell-words.js';
import { parameter } from './curl.js';

export interface LoginPlan {
  readonly baseUrl: string;
  readonly clientId: string | undefined;
  readonly redirectURI: string | undefined;
  readonly form: ChallengeForm;
}

const DIGEST = 'openssl dgst -sha256 -binary | openssl base64';

const CHALLENGES: Readonly<Record<ChallengeForm, string>> = {
  'S256-padded': `$(printf %s "$OPAC_CODE_VERIFIER" | ${DIGEST} | tr '+/' '-_')`,
  S256: `$(printf %s "$OPAC_CODE_VERIFIER" | ${DIGEST} | tr '+/' '-_' | tr -d =)`,
  PLAIN: '$OPAC_CODE_VERIFIER',
};

export function loginScript({ baseUrl, clientId, redirectURI, form }: LoginPlan): string[] {
  const url = (id: EndpointId) => quoted(`${baseUrl}/api/v3${endpoint(id).path}`);
  const given = (name: string, value: string | undefined, variable: string) =>
    value === undefined ? `--data-urlencode "${name}=$${variable}"` : parameter(name, value);
  const authorization = [
    `curl -sS -o /dev/null -w '%{redirect_url}\\n' -G ${url('oauth.authorize')}`,
    given('clientId', clientId, 'OPAC_CLIENT_ID'),
    parameter('responseType', 'code'),
    given('redirectURI', redirectURI, 'OPAC_REDIRECT_URI'),
    '--data-urlencode "state=$OPAC_STATE"',
    parameter('codeChallengeMethod', challengeMethod(form)),
    `--data-urlencode "codeChallenge=${CHALLENGES[form]}"`,
  ];
  const body = [
    member('code', undefined, 'OPAC_CODE'),
    member('grantType', 'code', ''),
    member('redirectURI', redirectURI, 'OPAC_REDIRECT_URI'),
    member('clientId', clientId, 'OPAC_CLIENT_ID'),
    member('clientSecret', undefined, 'OPAC_CLIENT_SECRET'),
    member('codeVerifier', undefined, 'OPAC_CODE_VERIFIER'),
  ];
  return [
    '# set OPAC_STATE to any letters and digits, OPAC_CODE_VERIFIER to 43 to 128 of them',
    authorization.join(' '),
    '# in the URL that it prints, state must equal $OPAC_STATE; set OPAC_CODE to code at once',
    `curl -sS --compressed ${url('oauth.token')} -H 'Content-Type: application/json' --data-binary '{${body.join(',')}}'`,
    '# set OPAC_ACCESS_TOKEN to accessToken of the response',
  ];
}

/** A member of the JSON body, inside single quotes of the shell. */
function member(name: string, value: string | undefined, variable: string): string {
  const text = value === undefined ? `"'"$${variable}"'"` : quoted(JSON.stringify(value)).slice(1, -1);
  return `"${name}":${text}`;
}

/** The error codes for scripts. A code keeps its meaning in all versions. New versions may add codes. */

interface CodeFacts {
  readonly meaning: string;
  /** Whether the same command may succeed later. */
  readonly retry: boolean;
}

const notRetryable = (meaning: string): CodeFacts => ({ meaning, retry: false });
const retryable = (meaning: string): CodeFacts => ({ meaning, retry: true });

const CODES = {
  internal: notRetryable('a bug in opac, or a problem on this machine'),
  usage: notRetryable('an invalid option, name or query'),
  'unknown-profile': notRetryable('the profile does not exist'),
  'request-rejected': notRetryable(
    'the service rejected the request as invalid or too long (400, 414, 422, 431)',
  ),
  'not-found': notRetryable('the service has no record, facet or other item with this id or name (404)'),
  auth: notRetryable('the login failed'),
  'no-deployment': notRetryable('no deployment was given, and no profile is in use'),
  'credentials-missing': notRetryable(
    'no token or key was given, or only some of OPAC_CLIENT_ID, OPAC_CLIENT_SECRET and OPAC_REDIRECT_URI',
  ),
  'token-expired': notRetryable('the access token has expired and cannot be renewed'),
  'credentials-rejected': notRetryable('the service rejected the credentials (401)'),
  'access-denied': notRetryable('the service denied access (403)'),
  deployment: retryable('the deployment failed in a way that has no other code'),
  'host-not-found': retryable('the host name does not exist, or has no address'),
  'connection-refused': retryable('no server accepts connections at this address and port'),
  'host-unreachable': retryable('the network has no route to the host'),
  timeout: retryable('no connection or response within the time limit'),
  deadline: retryable('the command exceeded --deadline'),
  'connection-lost': retryable('the connection was lost, or failed for a reason that has no other code'),
  certificate: notRetryable('the certificate of the deployment is not trusted or not valid'),
  'not-https': notRetryable('the server does not use HTTPS'),
  proxy: notRetryable('the proxy cannot be reached, refused the request, or requires a password'),
  'response-too-large': notRetryable('a response is larger than the limit'),
  'no-interface': notRetryable('the API was not found at this URL'),
  busy: retryable('the service accepts no more requests for now, or is temporarily unavailable (429, 503)'),
  'service-failed': retryable('the service failed (500 and up, except 503)'),
  'window-refused': notRetryable('the service does not return records beyond a certain position in a result'),
  firewall: retryable('a web firewall blocked the request'),
  'unexpected-response': retryable(
    'opac cannot use the response: for example, it is a web page, is not JSON, or is incomplete or damaged',
  ),
  incomplete: retryable('not all records were received'),
  'disk-full': notRetryable('the disk or its quota is full, or the file is too large'),
  'disk-failed': notRetryable('the disk failed, or is read-only'),
  'permission-denied': notRetryable('no permission to read or write the file or folder'),
  'no-such-file': notRetryable(
    'the path cannot be used: it does not exist, already exists, is too long, or has the wrong type',
  ),
  check: notRetryable('a check of a deployment failed'),
  locked: retryable('another run is writing the file'),
  different: notRetryable('the compared records differ (diff --exit-code)'),
  'file-changed': notRetryable('an exported file does not match its manifest, or the manifest is damaged'),
  'no-file': notRetryable('"opac verify" found no file with this name'),
  'no-manifest': notRetryable('"opac verify" found no manifest for the file'),
  interrupted: retryable('a signal interrupted the command'),
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof CODES;

export const ERROR_CODES: Readonly<Record<ErrorCode, CodeFacts>> = CODES;

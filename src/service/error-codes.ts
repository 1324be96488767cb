/** The stable codes of errors, for scripts. A code keeps its meaning between versions; versions may add codes. */

interface CodeFacts {
  readonly meaning: string;
  /** Whether the same command may succeed later without changes. */
  readonly retry: boolean;
}

const never = (meaning: string): CodeFacts => ({ meaning, retry: false });
const later = (meaning: string): CodeFacts => ({ meaning, retry: true });

const CODES = {
  internal: never('a bug in opac, or a problem on this machine'),
  usage: never('an invalid option, name or query'),
  'unknown-profile': never('the profile does not exist'),
  'request-rejected': never('the service rejected the request as invalid (400, 422)'),
  'not-found': never('the service has no record, facet or other item with this id or name (404)'),
  auth: never('the login failed'),
  'no-deployment': never('no deployment was given, and no profile exists'),
  'credentials-missing': never(
    'no token or key, or an incomplete set of client variables in the environment',
  ),
  'token-expired': never('the access token has expired and cannot be renewed'),
  'credentials-rejected': never('the service rejected the credentials (401)'),
  'access-denied': never('the service denied access (403)'),
  deployment: later('the deployment failed'),
  'host-not-found': later('the host name has no address'),
  'connection-refused': later('nothing listens at this address'),
  'host-unreachable': later('the network has no route to the host'),
  timeout: later('the deployment did not connect or respond in time'),
  deadline: later('the command exceeded --deadline'),
  'connection-lost': later('the connection was lost during a response'),
  certificate: never('the certificate of the deployment is not trusted or not valid'),
  'not-https': never('the server does not use HTTPS'),
  proxy: never('the proxy cannot be reached, refused the request, or requires a password'),
  'response-too-large': never('a response is larger than the limit'),
  'no-interface': never('the API was not found at this URL'),
  busy: later('the service accepts no more requests for now, or is temporarily unavailable (429, 503)'),
  'service-failed': later('the service failed (500 and up)'),
  'window-refused': never('the service does not return records that far into a result'),
  firewall: later('a web firewall blocked the request'),
  'unexpected-response': later('the response is not valid: a web page, not JSON, or incomplete'),
  incomplete: later('not all records were received'),
  'disk-full': never('the disk or its quota is full, or the file is too large'),
  'disk-failed': never('the disk failed, or is read-only'),
  'permission-denied': never('no permission to read or write the file or folder'),
  'no-such-file': never('the file or folder does not exist, or has another type'),
  check: never('a check of a deployment failed'),
  locked: later('another run is writing the file'),
  different: never('the compared records differ (diff --exit-code)'),
  'file-changed': never('a file does not match its manifest'),
  'no-file': never('the file does not exist'),
  'no-manifest': never('the file has no manifest'),
  interrupted: later('interrupted by a signal'),
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof CODES;

/** All codes with their meanings, in the order of the help. */
export const ERROR_CODES: Readonly<Record<ErrorCode, CodeFacts>> = CODES;

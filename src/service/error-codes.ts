/** The stable codes of errors: what scripts act on. A code keeps its meaning between versions; new ones may be added. */

interface CodeFacts {
  readonly meaning: string;
  /** Whether the same command may succeed later, with nothing changed. */
  readonly retry: boolean;
}

const never = (meaning: string): CodeFacts => ({ meaning, retry: false });
const later = (meaning: string): CodeFacts => ({ meaning, retry: true });

const CODES = {
  internal: never('a fault of the program, or of this machine'),
  usage: never('a bad option, name or query'),
  'unknown-profile': never('there is no profile of that name'),
  'request-rejected': never('the service rejected the request as invalid (400, 422)'),
  'not-found': never('the service has nothing of that id or name (404)'),
  auth: never('the login failed'),
  'no-deployment': never('no deployment was named, and there is no profile'),
  'credentials-missing': never(
    'there is no token or key to send, or only a part of the client is in the environment',
  ),
  'token-expired': never('the access token expired, and cannot be renewed'),
  'credentials-rejected': never('the service rejected the credentials (401)'),
  'access-denied': never('the service denied access (403)'),
  deployment: later('the deployment failed'),
  'host-not-found': later('the host name has no address'),
  'connection-refused': later('nothing listens at that address'),
  'host-unreachable': later('there is no way to the host from this network'),
  timeout: later('the deployment did not connect or respond in time'),
  deadline: later('the command did not end within --deadline'),
  'connection-lost': later('the connection ended in the middle of a response'),
  certificate: never('the certificate of the deployment is not trusted, or not valid'),
  'not-https': never('the server does not speak https'),
  proxy: never('the proxy cannot be reached, refused, or asks for a password'),
  'response-too-large': never('a response is larger than a page of records can be'),
  'no-interface': never('there is no such interface at this address'),
  busy: later('the service asks for fewer requests, or is down for the moment (429, 503)'),
  'service-failed': later('the service failed (500 and up)'),
  'window-refused': never('the service does not give records that far into a result'),
  firewall: later('a web firewall blocked the request'),
  'unexpected-response': later(
    'the response is not what the interface promises: a web page, no JSON, cut off',
  ),
  incomplete: later('not all records were received'),
  'disk-full': never('the disk or its quota is full, or the file too large'),
  'disk-failed': never('the disk failed, or is read-only'),
  'permission-denied': never('the file or folder may not be read or written'),
  'no-such-file': never('the file or folder does not exist, or is of another sort'),
  check: never('a check of a deployment failed'),
  locked: later('another run is writing the file'),
  different: never('what was compared differs (diff --exit-code)'),
  'file-changed': never('a file is not what its manifest says'),
  'no-file': never('there is no file of that name'),
  'no-manifest': never('there is no manifest beside the file'),
  interrupted: later('stopped by a signal'),
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof CODES;

/** Every code with its meaning, in the order of the help. */
export const ERROR_CODES: Readonly<Record<ErrorCode, CodeFacts>> = CODES;

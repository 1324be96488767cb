/** Explains why connections failed, by the error codes of Node, undici and opac. */
import type { ErrorCode } from '../../service/error-codes.js';
import type { HttpRequest } from '../http-request.js';
import { formatPrivateHost } from '../ssrf-guard.js';
import { HttpError, type RetryPolicy } from './http-error.js';

interface ConnectionTarget {
  readonly origin: string;
  readonly host: string;
  readonly timeout: number;
}

interface NetworkFailure {
  readonly code: ErrorCode;
  readonly codes: readonly string[];
  readonly message: (to: ConnectionTarget) => string;
  readonly hint?: string;
  readonly retry?: RetryPolicy;
}

const IS_IT_UP = 'check the base URL, that the service is up, and that this machine is online';
const MORE_TIME = 'increase --timeout, or request fewer records at a time with --page-size';
const OWN_AUTHORITY =
  'if your network has its own certificate authority, set NODE_EXTRA_CA_CERTS to the file of its certificate';

const NETWORK_FAILURES: readonly NetworkFailure[] = [
  {
    code: 'host-not-found',
    codes: ['ENOTFOUND'],
    message: ({ host }) => `cannot find the host "${host}"`,
    hint: 'check the spelling of the base URL, and that this machine is online',
    retry: 'once-reached',
  },
  {
    code: 'host-not-found',
    codes: ['EAI_AGAIN'],
    message: ({ host }) => `cannot look up the IP address of "${host}"`,
    hint: 'check that this machine is online; if your network needs a proxy, set HTTPS_PROXY',
  },
  {
    code: 'deployment',
    codes: ['OPAC_PRIVATE_ADDRESS'],
    message: ({ host }) => formatPrivateHost(host),
    retry: 'never',
  },
  {
    code: 'connection-refused',
    codes: ['ECONNREFUSED'],
    message: ({ origin }) => `cannot connect to ${origin}: connection refused`,
    hint: IS_IT_UP,
  },
  {
    code: 'host-unreachable',
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'],
    message: ({ origin }) => `cannot reach ${origin} from this network`,
    hint: IS_IT_UP,
  },
  {
    code: 'timeout',
    codes: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
    message: ({ origin, timeout }) => `cannot connect to ${origin} within ${timeout} s`,
    hint: IS_IT_UP,
  },
  {
    code: 'timeout',
    codes: ['UND_ERR_HEADERS_TIMEOUT'],
    message: ({ host, timeout }) => `${host} did not respond within ${timeout} s`,
    hint: MORE_TIME,
  },
  {
    code: 'timeout',
    codes: ['OPAC_TOO_SLOW', 'UND_ERR_BODY_TIMEOUT'],
    message: ({ host, timeout }) => `${host} started a response, but did not finish it within ${timeout} s`,
    hint: MORE_TIME,
  },
  {
    code: 'certificate',
    codes: ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    message: ({ host }) => `the certificate of ${host} is self-signed and cannot be trusted`,
    hint: OWN_AUTHORITY,
    retry: 'never',
  },
  {
    code: 'certificate',
    codes: [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_UNTRUSTED',
    ],
    message: ({ host }) => `the certificate of ${host} is from an authority that this machine does not trust`,
    hint: OWN_AUTHORITY,
    retry: 'never',
  },
  {
    code: 'certificate',
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    message: ({ host }) => `the certificate of ${host} has expired or is not valid yet`,
    hint: "check this machine's date, or tell the operator of the service",
    retry: 'never',
  },
  {
    code: 'certificate',
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'UND_ERR_PRX_TLS'],
    message: ({ host }) => `the certificate of ${host} is for another name`,
    hint: 'check the spelling of the base URL',
    retry: 'never',
  },
  {
    code: 'not-https',
    codes: ['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
    message: ({ origin }) => `${origin} does not use HTTPS`,
    hint: 'check the port of the base URL, and whether the URL should begin with http://',
    retry: 'never',
  },
  {
    code: 'proxy',
    codes: ['OPAC_PROXY_AUTH'],
    message: () => 'the proxy requires a user name and password (407)',
    hint: 'put them in HTTPS_PROXY: http://user:password@proxy:port',
    retry: 'never',
  },
  {
    code: 'proxy',
    codes: ['OPAC_PROXY_REFUSED'],
    message: ({ host }) => `the proxy refused to connect to ${host}`,
    hint: 'ask your IT department to allow the host, or add it to NO_PROXY to connect directly',
  },
  {
    code: 'unexpected-response',
    codes: ['OPAC_NOT_HTTP'],
    message: ({ host }) => `the response of ${host} is not valid HTTP`,
    hint: 'check the port of the base URL, whether the URL should begin with https://, and the proxy if there is one',
  },
  {
    code: 'unexpected-response',
    codes: ['UND_ERR_HEADERS_OVERFLOW'],
    message: ({ host }) => `the response of ${host} has too many or too long headers`,
    hint: 'tell the operator of the service',
  },
  {
    code: 'unexpected-response',
    codes: ['OPAC_DAMAGED'],
    message: ({ host }) => `the compressed response of ${host} is damaged`,
    hint: 'try again; if it happens again, tell the operator of the service',
  },
  {
    code: 'response-too-large',
    codes: ['OPAC_TOO_LARGE', 'ERR_BUFFER_TOO_LARGE'],
    message: ({ host }) => `the response of ${host} is larger than the limit`,
    hint: 'if it is a list of records, request fewer at a time with --page-size',
    retry: 'never',
  },
  {
    code: 'unexpected-response',
    codes: ['OPAC_CODING'],
    message: ({ host }) => `the response of ${host} is compressed in a way that was not requested`,
    hint: 'check the base URL, and the proxy if there is one',
  },
];

const CONNECTION_LOST: NetworkFailure = {
  code: 'connection-lost',
  codes: [],
  message: ({ host }) => `the connection to ${host} was lost`,
  hint: 'try again; if it happens again, request fewer records at a time with --page-size',
};

const BY_CODE = new Map(
  NETWORK_FAILURES.flatMap((failure) => failure.codes.map((code) => [code, failure] as const)),
);

/** A connection to a proxy, or a tunnel through it, failed for the reason in `cause`. */
export class ProxyError extends Error {
  /** The environment variable with the URL of the proxy. */
  readonly variable: string;
  readonly url: URL;

  constructor({ variable, url }: { readonly variable: string; readonly url: string }, cause: unknown) {
    super('no connection through the proxy', { cause });
    this.name = 'ProxyError';
    this.variable = variable;
    this.url = new URL(url);
  }
}

export function createNetworkError(request: HttpRequest, cause: unknown, to: ConnectionTarget): HttpError {
  const { code, message, hint, retry = 'always' } = BY_CODE.get(getFailureCode(cause)) ?? CONNECTION_LOST;
  const options = { kind: 'deployment', request, retry, cause } as const;
  if (!(cause instanceof ProxyError)) return new HttpError({ ...options, code, message: message(to), hint });
  const { variable, url } = cause;
  return new HttpError({
    ...options,
    code: 'proxy',
    message: message({ origin: url.origin, host: url.host, timeout: to.timeout }),
    hint: `check the proxy in ${variable}, or add ${to.host} to NO_PROXY to connect directly`,
  });
}

function getFailureCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const refusal = /^Proxy response \((\d+)\)/.exec(error.message);
  if (refusal) return refusal[1] === '407' ? 'OPAC_PROXY_AUTH' : 'OPAC_PROXY_REFUSED';
  if (error.message.startsWith('Proxy Authentication Required')) return 'OPAC_PROXY_AUTH';
  // The parser reports EOF for an incomplete response: the connection was lost.
  if (error.name === 'HTTPParserError' && !/EOF/.test(error.message)) return 'OPAC_NOT_HTTP';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return BY_CODE.has(code) ? code : getFailureCode(error.cause);
}

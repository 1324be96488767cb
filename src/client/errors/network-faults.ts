/** What a failed connection means, told to a registrar: one table from the codes of Node and undici to sentences. */
import type { Request } from '../exchange.js';
import { HttpError, type Retry } from './http-error.js';

/** What a sentence may name. */
export interface Destination {
  readonly origin: string;
  readonly host: string;
  /** Seconds. */
  readonly timeout: number;
}

interface Fault {
  readonly codes: readonly string[];
  readonly says: (to: Destination) => string;
  readonly hint: string;
  readonly retry: Retry;
}

const IS_IT_UP = 'check the base URL, and that the service is up and this machine online';
const OWN_AUTHORITY =
  'if your network has its own certificate authority, set NODE_EXTRA_CA_CERTS to the file of its certificate';

const FAULTS: readonly Fault[] = [
  {
    codes: ['ENOTFOUND'],
    says: ({ host }) => `there is no host "${host}"`,
    hint: 'check the spelling of the base URL, and that this machine is online',
    retry: 'once-reached',
  },
  {
    codes: ['EAI_AGAIN'],
    says: ({ host }) => `the address of "${host}" could not be looked up`,
    hint: 'check that this machine is online; a network that needs a proxy is named in HTTPS_PROXY',
    retry: 'always',
  },
  {
    codes: ['ECONNREFUSED'],
    says: ({ origin }) => `nothing answers at ${origin}`,
    hint: IS_IT_UP,
    retry: 'always',
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'],
    says: ({ origin }) => `there is no way to ${origin} from here`,
    hint: IS_IT_UP,
    retry: 'always',
  },
  {
    codes: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
    says: ({ origin, timeout }) => `no connection to ${origin} within ${timeout} s`,
    hint: IS_IT_UP,
    retry: 'always',
  },
  {
    codes: ['UND_ERR_HEADERS_TIMEOUT'],
    says: ({ host, timeout }) => `${host} did not answer within ${timeout} s`,
    hint: 'give it longer with --timeout, or ask for less at a time with --page-size',
    retry: 'always',
  },
  {
    codes: ['UND_ERR_BODY_TIMEOUT'],
    says: ({ host, timeout }) => `${host} began an answer and then sent nothing for ${timeout} s`,
    hint: 'give it longer with --timeout, or ask for less at a time with --page-size',
    retry: 'always',
  },
  {
    codes: ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    says: ({ host }) => `the certificate of ${host} is self-signed, so it may be anyone's`,
    hint: OWN_AUTHORITY,
    retry: 'never',
  },
  {
    codes: [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_UNTRUSTED',
    ],
    says: ({ host }) => `the certificate of ${host} comes from an authority that this machine does not know`,
    hint: OWN_AUTHORITY,
    retry: 'never',
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    says: ({ host }) => `the certificate of ${host} is not valid today`,
    hint: "check this machine's date, and tell whoever runs the service",
    retry: 'never',
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'UND_ERR_PRX_TLS'],
    says: ({ host }) => `the certificate presented by ${host} is for another name`,
    hint: 'check the spelling of the base URL',
    retry: 'never',
  },
  {
    codes: ['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
    says: ({ origin }) => `what answers at ${origin} does not speak https`,
    hint: 'check the port of the base URL, and whether it should begin with http://',
    retry: 'never',
  },
  {
    codes: ['OPAC_PROXY_AUTH'],
    says: () => 'the proxy asks for a user name and password (407)',
    hint: 'put them into HTTPS_PROXY: http://user:password@proxy:port',
    retry: 'never',
  },
  {
    codes: ['OPAC_PROXY_REFUSED'],
    says: ({ host }) => `the proxy refused the way to ${host}`,
    hint: 'ask your IT to allow the host, or name it in NO_PROXY to go there directly',
    retry: 'always',
  },
  {
    codes: ['OPAC_TOO_LARGE', 'ERR_BUFFER_TOO_LARGE'],
    says: ({ host }) => `the answer of ${host} is too large to be one page of records`,
    hint: 'ask for less at a time with --page-size',
    retry: 'never',
  },
];

/** Everything else that happens to a connection is one fault to a reader: it was cut. */
const CUT: Fault = {
  codes: [],
  says: ({ host }) => `the connection to ${host} was cut`,
  hint: 'try again; if it keeps happening, ask for less at a time with --page-size',
  retry: 'always',
};

const BY_CODE = new Map(FAULTS.flatMap((fault) => fault.codes.map((code) => [code, fault] as const)));

/** The error of a request that got no whole answer. `cause` is what Node or undici threw. */
export function networkError(request: Request, cause: unknown, to: Destination): HttpError {
  const { says, hint, retry } = BY_CODE.get(codeOf(cause)) ?? CUT;
  return new HttpError({ kind: 'deployment', request, says: says(to), hint, retry, cause });
}

/** The code of an error or, when it has none we know, of what caused it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const refusal = /^Proxy response \((\d+)\)/.exec(error.message);
  if (refusal) return refusal[1] === '407' ? 'OPAC_PROXY_AUTH' : 'OPAC_PROXY_REFUSED';
  if (error.message.startsWith('Proxy Authentication Required')) return 'OPAC_PROXY_AUTH';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return BY_CODE.has(code) ? code : codeOf(error.cause);
}

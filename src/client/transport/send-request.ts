/** One HTTP exchange on undici, with the whole body, decompressed. Redirects are not followed. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { MAX_TIMER_MS } from '../../system/clock.js';
import { MAX_BODY } from '../defaults.js';
import type { HttpResponse } from '../http-request.js';
import type { ByteBudget, Reservation } from './byte-budget.js';

export interface WireRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** In bytes, as received and again after decompression. Default MAX_BODY. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds for the whole exchange, from the request to the last byte of the body. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly budget: ByteBudget;
}

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Gives a response of any status. Throws what undici throws, or the signal's reason. */
export async function sendRequest(dispatcher: Dispatcher, request: WireRequest): Promise<HttpResponse> {
  const started = performance.now();
  const { maxBytes = MAX_BODY } = request;
  let goOn = () => {};
  const share = request.budget.open(() => goOn());
  try {
    const received = await receive(dispatcher, { ...request, maxBytes }, share, (resume) => {
      goOn = resume;
    });
    const bytes = await decompress(received, maxBytes, share);
    return { ...received, bytes, elapsed: performance.now() - started };
  } finally {
    share.release();
  }
}

type Received = Pick<HttpResponse, 'status' | 'headers' | 'bytes'>;

function receive(
  dispatcher: Dispatcher,
  request: WireRequest & { readonly maxBytes: number },
  share: Reservation,
  onPause: (resume: () => void) => void,
): Promise<Received> {
  const { url, signal, maxBytes } = request;
  const timeout = Math.min(request.timeout, MAX_TIMER_MS);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let headers: Record<string, string> = {};
    let controller: Dispatcher.DispatchController | undefined;
    // Rejects at once: undici tells a request nothing while it waits for a connection.
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
      controller?.abort(new Error('aborted'));
    };
    signal?.addEventListener('abort', abort, { once: true });
    let timer: NodeJS.Timeout | undefined;
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const finish = () => {
      done();
      resolve({ status, headers, bytes: Buffer.concat(chunks, size) });
    };

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { ...request.headers },
        body: request.body ?? null,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      },
      {
        onRequestStart(started) {
          controller = started;
          if (signal?.aborted) return started.abort(new Error('aborted'));
          // A body that drips never reaches undici's limits, which are for each part of it.
          clearTimeout(timer);
          timer = setTimeout(() => started.abort(createTimeoutError(status !== 0)), timeout);
        },
        onResponseStart(current, statusCode, incoming) {
          status = statusCode;
          headers = joinHeaderValues(incoming);
          if (Number(headers['content-length']) > maxBytes) current.abort(createTooLargeError());
        },
        onResponseData(current, chunk) {
          size += chunk.length;
          if (size > maxBytes) return current.abort(createTooLargeError());
          chunks.push(chunk);
          if (!share.take(chunk.length)) {
            onPause(() => current.resume());
            current.pause();
          }
        },
        onResponseEnd: finish,
        onResponseError(_, error) {
          done();
          reject(error);
        },
      },
    );
  });
}

function joinHeaderValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/** The codes are those of the table in network-faults.ts. */
function wireError(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

export function createTimeoutError(hasBegun: boolean): Error {
  return wireError(
    hasBegun ? 'OPAC_TOO_SLOW' : 'UND_ERR_HEADERS_TIMEOUT',
    'the response did not end in time',
  );
}

const createTooLargeError = () => wireError('OPAC_TOO_LARGE', 'the response is too large');

interface Limit {
  readonly maxOutputLength: number;
}

type Decoder = (bytes: Buffer, limit: Limit) => Promise<Buffer>;

const gunzipped = promisify<Buffer, Limit, Buffer>(gunzip);
const inflated = promisify<Buffer, Limit, Buffer>(inflate);
const inflatedRaw = promisify<Buffer, Limit, Buffer>(inflateRaw);

/** RFC 9110 section 8.4.1. Some servers send `deflate` without the zlib frame: its first byte tells. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzipped,
  'x-gzip': gunzipped,
  deflate: (bytes, limit) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflated : inflatedRaw)(bytes, limit),
  br: promisify<Buffer, Limit, Buffer>(brotliDecompress),
};

/** One of the server, and one of a proxy on the way: more are a bomb. */
const MAX_CODINGS = 2;

async function decompress(
  { bytes, headers }: Received,
  largest: number,
  share: Reservation,
): Promise<Buffer> {
  let plain = bytes;
  const codings = (headers['content-encoding'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const names = codings.filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_CODINGS)
    throw wireError('OPAC_CODING', `the response has ${names.length} content codings`);
  for (const name of names.reverse()) {
    const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (!decode) throw wireError('OPAC_CODING', `the content coding "${name}" was not requested`);
    // An empty body (of a 304, or an error) has no frame in any coding.
    if (plain.length === 0) continue;
    // A compression bomb can be this large.
    await share.reserve(largest);
    plain = await decode(plain, { maxOutputLength: largest }).catch((error) => {
      // The body is here in full, so the connection is not at fault. These are the codes of zlib and of brotli.
      const isDamaged = /^(Z_|ERR__)/.test(error.code ?? '');
      throw isDamaged ? wireError('OPAC_DAMAGED', `the body is no ${name}`, error) : error;
    });
  }
  return plain;
}

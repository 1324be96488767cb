/** Sends one HTTP request with undici and reads the complete body, decompressed. Does not follow redirects. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { MAX_TIMER_MS } from '../../system/clock.js';
import { MAX_BODY } from '../defaults.js';
import type { HttpResponse } from '../http-request.js';
import { BodyBuffer } from './body-buffer.js';
import type { ByteBudget, Reservation } from './byte-budget.js';

interface WireRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly maxBytes?: number | undefined;
  /** Milliseconds until the last byte of the body. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly budget: ByteBudget;
}

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Throws the errors of undici and zlib, errors with the codes of network-error.ts, or the signal's reason. */
export async function sendRequest(dispatcher: Dispatcher, request: WireRequest): Promise<HttpResponse> {
  const started = performance.now();
  const { maxBytes = MAX_BODY } = request;
  let resume = () => {};
  const reservation = request.budget.open(() => resume());
  try {
    const received = await receive(dispatcher, { ...request, maxBytes }, reservation, (resumePaused) => {
      resume = resumePaused;
    });
    const bytes = await decompress(received, { ...request, maxBytes }, reservation);
    return { ...received, bytes, elapsed: performance.now() - started };
  } finally {
    reservation.release();
  }
}

type Received = Pick<HttpResponse, 'status' | 'headers' | 'bytes'>;

function receive(
  dispatcher: Dispatcher,
  request: WireRequest & { readonly maxBytes: number },
  reservation: Reservation,
  onPause: (resume: () => void) => void,
): Promise<Received> {
  const { url, signal, maxBytes } = request;
  const timeout = Math.min(request.timeout, MAX_TIMER_MS);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const body = new BodyBuffer();
    let status = 0;
    let headers: Record<string, string> = {};
    let controller: Dispatcher.DispatchController | undefined;
    // Rejects immediately: undici does not report an abort to a request that waits for a connection.
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
      controller?.abort(new Error('aborted'));
    };
    signal?.addEventListener('abort', abort, { once: true });
    let timer: NodeJS.Timeout | undefined;
    const cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
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
          // undici's timeouts restart with each chunk, so a very slow body would never reach them.
          clearTimeout(timer);
          timer = setTimeout(() => started.abort(createTimeoutError(status !== 0)), timeout);
        },
        onResponseStart(current, statusCode, incoming) {
          status = statusCode;
          headers = joinHeaderValues(incoming);
          if (Number(headers['content-length']) > maxBytes) current.abort(createTooLargeError());
        },
        onResponseData(current, chunk) {
          if (body.length + chunk.length > maxBytes) return current.abort(createTooLargeError());
          body.append(chunk);
          if (!reservation.take(chunk.length)) {
            onPause(() => current.resume());
            current.pause();
          }
        },
        onResponseEnd() {
          cleanUp();
          resolve({ status, headers, bytes: body.join() });
        },
        onResponseError(_, error) {
          cleanUp();
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

function createCodedError(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

export function createTimeoutError(hasBegun: boolean): Error {
  return createCodedError(
    hasBegun ? 'OPAC_TOO_SLOW' : 'UND_ERR_HEADERS_TIMEOUT',
    'the response did not end in time',
  );
}

const createTooLargeError = () => createCodedError('OPAC_TOO_LARGE', 'the response is too large');

type Decoder = (bytes: Buffer, limit: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gunzipAsync: Decoder = promisify(gunzip);
const inflateAsync: Decoder = promisify(inflate);
const inflateRawAsync: Decoder = promisify(inflateRaw);

/** RFC 9110 section 8.4.1. Some servers send `deflate` without a zlib header; the first byte shows this. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzipAsync,
  'x-gzip': gunzipAsync,
  deflate: (bytes, limit) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateAsync : inflateRawAsync)(bytes, limit),
  br: promisify(brotliDecompress),
};

/** The server may add one coding, and a proxy another coding. More codings may be a compression bomb. */
const MAX_CODINGS = 2;

async function decompress(
  { bytes, headers }: Received,
  {
    maxBytes: maxOutputLength,
    signal,
  }: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
  reservation: Reservation,
): Promise<Buffer> {
  let plain = bytes;
  const codings = (headers['content-encoding'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const names = codings.filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_CODINGS)
    throw createCodedError('OPAC_CODING', `the response has ${names.length} content codings`);
  for (const name of names.reverse()) {
    const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (!decode) throw createCodedError('OPAC_CODING', `the content coding "${name}" was not requested`);
    // An empty body, for example of a 304 response, is not encoded.
    if (plain.length === 0) continue;
    // The decompressed size is not known yet, so this reserves the maximum.
    await reservation.reserve(maxOutputLength);
    signal?.throwIfAborted();
    plain = await decode(plain, { maxOutputLength }).catch((error) => {
      // The codes of zlib and brotli for a damaged body.
      const isDamaged = /^(Z_|ERR__)/.test(error.code ?? '');
      throw isDamaged ? createCodedError('OPAC_DAMAGED', `the body is not valid ${name}`, error) : error;
    });
  }
  return plain;
}

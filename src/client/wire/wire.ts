/** One HTTP exchange on undici, with the whole body, decompressed. Redirects are not followed. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { LONGEST_TIMER } from '../clock.js';
import type { HttpResponse } from '../exchange.js';
import type { BodyBuffers } from './body-buffers.js';
import type { ByteBudget, Share } from './byte-budget.js';

export interface WireRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** In bytes, before decompression. Default and most: 256 MB. */
  readonly largest?: number | undefined;
  /** Milliseconds for the whole exchange, from the request to the last byte of the body. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly enough?: number | undefined;
  readonly budget: ByteBudget;
  readonly buffers: BodyBuffers;
}

const LARGEST_BODY = 256 * 1024 * 1024;

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Gives a response of any status. Throws what undici throws, or the signal's reason. */
export async function exchange(dispatcher: Dispatcher, request: WireRequest): Promise<HttpResponse> {
  const started = performance.now();
  let goOn = () => {};
  const share = request.budget.share(() => goOn());
  try {
    const { status, headers, bytes } = await receive(dispatcher, request, share, (resume) => {
      goOn = resume;
    });
    const release = () => request.buffers.giveBack(bytes);
    const plain = await decompress(bytes, share, headers['content-encoding']);
    if (plain !== bytes) release();
    return { status, headers, bytes: plain, elapsed: performance.now() - started, release };
  } finally {
    share.release();
  }
}

type Received = Pick<HttpResponse, 'status' | 'headers' | 'bytes'>;

function receive(
  dispatcher: Dispatcher,
  request: WireRequest,
  share: Share,
  onPause: (resume: () => void) => void,
): Promise<Received> {
  const { url, signal, enough = Number.POSITIVE_INFINITY } = request;
  const timeout = Math.min(request.timeout, LONGEST_TIMER);
  const largest = Math.min(request.largest ?? LARGEST_BODY, LARGEST_BODY);
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
      resolve({ status, headers, bytes: request.buffers.join(chunks, size) });
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
          timer = setTimeout(() => started.abort(tooSlow(status !== 0)), timeout);
        },
        onResponseStart(current, statusCode, incoming) {
          status = statusCode;
          headers = flatten(incoming);
          if (Number(headers['content-length']) > largest) current.abort(tooLarge());
        },
        onResponseData(current, chunk) {
          size += chunk.length;
          if (size > largest) return current.abort(tooLarge());
          chunks.push(chunk);
          if (size >= enough) {
            finish();
            current.abort(new Error('that is enough'));
          } else if (!share.take(chunk.length)) {
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

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

export function tooSlow(hasBegun: boolean): Error {
  const code = hasBegun ? 'OPAC_TOO_SLOW' : 'UND_ERR_HEADERS_TIMEOUT';
  return Object.assign(new Error('the response did not end in time'), { code });
}

function tooLarge(): Error {
  return Object.assign(new Error('the response is too large'), { code: 'OPAC_TOO_LARGE' });
}

/** The body is here in full, so the connection is not at fault. */
function damaged(error: NodeJS.ErrnoException, coding: string): Error {
  // The codes of zlib and of brotli.
  if (!/^(Z_|ERR__)/.test(error.code ?? '')) return error;
  return Object.assign(new Error(`the body is no ${coding}`, { cause: error }), { code: 'OPAC_DAMAGED' });
}

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
const MOST_CODINGS = 2;

async function decompress(bytes: Buffer, share: Share, coding = ''): Promise<Buffer> {
  let plain = bytes;
  const codings = coding.split(',').map((name) => name.trim().toLowerCase());
  const names = codings.filter((name) => name !== '' && name !== 'identity');
  if (names.length > MOST_CODINGS) throw unwantedCoding(`has ${names.length} content codings`);
  for (const name of names.reverse()) {
    const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (!decode) throw unwantedCoding(`has the content coding "${name}", which was not requested`);
    // An empty body (of a 304, or an error) has no frame in any coding.
    if (plain.length > 0)
      plain = await unpacked(plain, decode, share).catch((error) => Promise.reject(damaged(error, name)));
  }
  return plain;
}

function unwantedCoding(fact: string): Error {
  return Object.assign(new Error(`the response ${fact}`), { code: 'OPAC_CODING' });
}

/** JSON and pages of the web do not shrink to less than a 32nd; what does may be a bomb, and first needs all the room. */
const LIKELY_RATIO = 32;
const LEAST_ROOM = 1 << 20;

async function unpacked(bytes: Buffer, decode: Decoder, share: Share): Promise<Buffer> {
  const likely = Math.min(LARGEST_BODY, Math.max(LEAST_ROOM, bytes.length * LIKELY_RATIO));
  await share.reserve(likely);
  try {
    return await decode(bytes, { maxOutputLength: likely });
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (!isFull || likely === LARGEST_BODY) throw error;
    await share.reserve(LARGEST_BODY - likely);
    return decode(bytes, { maxOutputLength: LARGEST_BODY });
  }
}

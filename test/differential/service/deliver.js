/** Sends a response: its content coding, the size of its chunks, and faults of the connection. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Some servers send `deflate` without the zlib header. */
const CODINGS = {
  identity: [undefined, (bytes) => bytes],
  gzip: ['gzip', (bytes) => gzipSync(bytes, { level: 1 })],
  'x-gzip': ['x-gzip', (bytes) => gzipSync(bytes, { level: 1 })],
  deflate: ['deflate', (bytes) => deflateSync(bytes, { level: 1 })],
  'raw deflate': ['deflate', (bytes) => deflateRawSync(bytes, { level: 1 })],
  br: ['br', (bytes) => brotliCompressSync(bytes, QUICK)],
};

export const CODING_NAMES = Object.keys(CODINGS);

/** The number of small chunks. More of them would take long and test nothing new. */
const MAX_SMALL_CHUNKS = 60;

const pause = () => new Promise((resolve) => setImmediate(resolve));

/** Sends JSON text. The fault is `cut` (the connection ends within the body), or undefined. */
export async function deliver(response, text, { status = 200, coding, chunkSize, isChunked, fault }) {
  const [name, encode] = CODINGS[coding];
  const bytes = encode(Buffer.from(text));
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(name && { 'content-encoding': name }),
    ...(!isChunked && { 'content-length': bytes.length }),
  });
  const end = fault === 'cut' ? Math.floor(bytes.length / 2) : bytes.length;
  let sent = 0;
  for (let chunks = 0; sent < end && !response.destroyed; chunks++) {
    const size = chunks < MAX_SMALL_CHUNKS ? chunkSize : Math.max(chunkSize, 65_536);
    response.write(bytes.subarray(sent, Math.min(end, sent + size)));
    sent += size;
    await pause();
  }
  if (fault === 'cut') response.destroy();
  else response.end();
}

// The image server of the bench, in its own process: each object has one image. All images have the same bytes.
// Arguments: the number of images, and the milliseconds before each response. Sends its port to the parent process.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';

const [count, latency] = process.argv.slice(2).map(Number);
const SIDE = 400;
const SIZE = 500_000;

function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Returns a PNG of a black square. A text chunk increases its size to SIZE. */
function createImage() {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const start = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
  ]);
  const data = Buffer.concat([
    chunk('IDAT', deflateSync(Buffer.alloc((SIDE + 1) * SIDE))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return Buffer.concat([
    start,
    chunk('tEXt', Buffer.alloc(SIZE - start.length - data.length - 12, 'a')),
    data,
  ]);
}

const bytes = createImage();
const createObject = (n, base) => ({
  opacObjectId: String(n),
  opacObjectFieldSets: [{ identifier: 'accession_no', opacObjectFields: [{ value: `A${n}` }] }],
  imagesCollection: {
    images: [
      {
        imageId: String(n),
        imageDerivatives: [
          { identifier: 'LARGE', url: `${base}/images/${n}.png`, width: SIDE, height: SIDE },
        ],
      },
    ],
  },
});

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://bench');
  if (latency > 0) await sleep(latency);
  if (pathname.startsWith('/images/')) {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length });
    return response.end(bytes);
  }
  const offset = Number(searchParams.get('offset') ?? 0);
  const limit = Math.max(0, Math.min(100, Number(searchParams.get('limit') ?? 100), count - offset));
  const base = `http://127.0.0.1:${server.address().port}`;
  const opacObjects = Array.from({ length: limit }, (_, n) => createObject(offset + n, base));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ opacObjects, totalObjects: count }));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());

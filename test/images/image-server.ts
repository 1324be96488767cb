/** A deployment with objects and images that a test determines, and that the built-in museum does not have. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createPattern, renderPng } from '../../src/mock/images/image-pattern.js';

export interface TestObject {
  readonly id: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly images: readonly TestImage[];
}

export interface TestImage {
  /** A path on the server, or a complete URL. */
  readonly url: string;
  readonly imageId?: string;
  readonly caption?: string;
  readonly size?: readonly [width: number, height: number];
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Returns a PNG of about 113 x 150 pixels. */
export function createSmallPng(seed: number): Buffer {
  return renderPng(createPattern(seed), 'SMALL') as Buffer;
}

/** Returns a TIFF. Each page has 4 x 4 grey pixels in two strips. Offsets have `word` bytes: 4, or 8 in a BigTIFF. */
export function createTiff(word: 4 | 8, order: 'LE' | 'BE', pages = 1): Buffer {
  const entries = [
    [256, 4],
    [257, 4],
    [258, 8],
    [262, 1],
    [277, 1],
    [278, 2],
  ] as const;
  const head = word === 8 ? 8 : 2;
  const start = word === 8 ? 16 : 8;
  const beforeNext = head + (entries.length + 2) * (4 + 2 * word);
  const page = beforeNext + word + 4 * word + 16;
  const bytes = Buffer.alloc(start + pages * page);
  const put = (value: number, at: number, size: number) => {
    if (size === 2) bytes[`writeUInt16${order}`](value, at);
    else if (size === 4) bytes[`writeUInt32${order}`](value, at);
    else bytes[`writeBigUInt64${order}`](BigInt(value), at);
  };
  bytes.write(order === 'LE' ? 'II' : 'MM');
  put(word === 8 ? 43 : 42, 2, 2);
  if (word === 8) put(8, 4, 2);
  put(start, word, word);
  for (let directory = start; directory < bytes.length; directory += page) {
    const next = directory + page;
    if (next < bytes.length) put(next, directory + beforeNext, word);
    putPage(directory, directory + beforeNext + word);
  }
  return bytes;

  function putPage(directory: number, lists: number) {
    put(entries.length + 2, directory, head);
    const type = word === 8 ? 16 : 4;
    const all = [
      ...entries.map(([tag, value]) => [tag, 3, 1, value]),
      [273, type, 2, lists],
      [279, type, 2, lists + 2 * word],
    ];
    for (const [n, [tag = 0, kind = 0, count = 0, value = 0]] of all
      .sort(([a = 0], [b = 0]) => a - b)
      .entries()) {
      const at = directory + head + n * (4 + 2 * word);
      put(tag, at, 2);
      put(kind, at + 2, 2);
      put(count, at + 4, word);
      put(value, at + 4 + word, kind === 3 ? 2 : word);
    }
    for (const n of [0, 1]) {
      put(lists + 4 * word + 8 * n, lists + n * word, word);
      put(8, lists + (2 + n) * word, word);
    }
  }
}

/** Responds at one path. At all other paths outside the API, the server returns a different image for each path. */
export type Responder = RequestListener;

export interface ImageServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** Returns the paths of the requested images, in order. */
  readonly asked: () => string[];
  objects: readonly TestObject[];
  readonly respond: Map<string, Responder>;
}

/** Starts the server, which closes when the test ends. */
export async function startImageServer(objects: readonly TestObject[]): Promise<ImageServer> {
  const requests: IncomingMessage[] = [];
  const respond = new Map<string, Responder>();
  const server = createServer((request, response) => {
    requests.push(request);
    const url = new URL(request.url ?? '/', 'http://server');
    const own = respond.get(url.pathname);
    if (own) return own(request, response);
    if (url.pathname === '/api/v3/opacobjects') {
      const offset = Number(url.searchParams.get('offset') ?? 0);
      const limit = Number(url.searchParams.get('limit') ?? 100);
      const all = started.objects.map((object) => wireObject(object, started.url));
      const body = { opacObjects: all.slice(offset, offset + limit), totalObjects: all.length };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
    if (url.pathname.startsWith('/api/')) return response.writeHead(404).end('{}');
    response.writeHead(200, { 'content-type': 'image/png' }).end(createSmallPng(seedOf(url.pathname)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const started: ImageServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asked: () => requests.map(({ url = '' }) => url).filter((url) => !url.startsWith('/api/')),
    objects,
    respond,
  };
  return started;
}

function seedOf(path: string): number {
  return [...path].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 1_000_003;
}

/** Returns the image that the server has at a path. */
export function createImageFor(path: string): Buffer {
  return createSmallPng(seedOf(path));
}

function wireObject({ id, fields = {}, images }: TestObject, base: string) {
  return {
    opacObjectId: id,
    opacObjectFieldSets: Object.entries(fields).map(([identifier, value]) => ({
      identifier,
      opacObjectFields: [{ value }],
    })),
    imagesCollection: {
      images: images.map(({ url, imageId = `${id}0`, caption = '', size, attributes = {} }) => ({
        imageId,
        caption,
        imageAttributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
        imageDerivatives: [
          {
            identifier: 'LARGE',
            url: url.startsWith('/') ? base + url : url,
            ...(size && { width: String(size[0]), height: String(size[1]) }),
          },
        ],
      })),
    },
  };
}

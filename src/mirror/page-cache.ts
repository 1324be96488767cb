/**
 * Conditional requests (RFC 9110, section 13): pages of a search are kept with their ETag or date, and requested again on
 * condition that they have changed.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type HttpResponse, pathAndQuery, type Request, type Send } from '../client/exchange.js';
import { readPage } from '../records/json/page-records.js';
import { asObject } from '../service/json.js';
import { KIND_WORDS, KINDS, type Kind } from '../service/kinds.js';
import { parseJson } from '../service/parse-json.js';
import { openOurs } from '../system/our-file.js';
import { replaceFile } from '../system/replace-file.js';
import { folderExists } from './folder-exists.js';

/** In bytes, compressed or not. Larger pages are not kept. */
const MAX_PAGE = 32 * 1024 * 1024;

const CACHED_HEADERS = ['etag', 'last-modified', 'content-type'];

type CachedPage = Pick<HttpResponse, 'headers' | 'bytes'>;

export class PageCache {
  readonly #folder: string;
  readonly #requested = new Set<string>();
  /** Pages that were not sent again. */
  notModifiedPages = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws a UsageError when something other than a folder is at that path. */
  static async open(folder: string): Promise<PageCache> {
    await folderExists(folder);
    return new PageCache(folder);
  }

  /** A layer around the transport that requests known pages conditionally. */
  readonly wrap =
    (send: Send): Send =>
    async (request) => {
      const page = readPageRequest(request);
      if (!page) return send(request);
      const path = join(this.#folder, createHash('sha256').update(pathAndQuery(request)).digest('hex'));
      // A page that is requested twice in a run could not be used the first time: perhaps its copy is at fault.
      const cached = this.#requested.has(path) ? undefined : await readCachedPage(path);
      this.#requested.add(path);
      const conditions = cached && createConditionalHeaders(cached);
      const response = await send({ ...request, headers: { ...request.headers, ...conditions } });
      if (response.status === 304 && cached) {
        this.notModifiedPages++;
        const headers = { ...cached.headers, ...response.headers };
        return { ...response, status: 200, headers, bytes: cached.bytes };
      }
      // A damaged or empty page would be confirmed by each later 304.
      const isGood = response.status === 200 && hasRecords(response.bytes, page);
      if (isGood) await storePage(this.#folder, path, response).catch(() => undefined);
      return response;
    };
}

interface PageRequest {
  readonly kind: Kind;
  readonly offset: number;
}

function readPageRequest({ method, path, query = [] }: Request): PageRequest | undefined {
  const kind = KINDS.find((each) => path === `/${KIND_WORDS[each].segment}`);
  const offset = query.find(([name]) => name === 'offset')?.[1];
  return method === 'GET' && kind && offset !== undefined ? { kind, offset: Number(offset) } : undefined;
}

function hasRecords(bytes: Buffer, { kind, offset }: PageRequest): boolean {
  return bytes.length <= MAX_PAGE && (readPage(bytes, kind, offset)?.records.length ?? 0) > 0;
}

/** Undefined for a file that is not ours, or damaged: the page is then requested like any other. */
async function readCachedPage(path: string): Promise<CachedPage | undefined> {
  try {
    const handle = await openOurs(path, constants.O_RDONLY);
    try {
      const { size, uid } = await handle.stat();
      if (size > MAX_PAGE || uid !== (process.getuid?.() ?? uid)) return undefined;
      const file = await handle.readFile();
      const end = file.indexOf('\n');
      const headers = pickHeaders(asObject(parseJson(file.subarray(0, end))));
      const bytes = await promisify(gunzip)(file.subarray(end + 1), { maxOutputLength: MAX_PAGE });
      return { headers, bytes };
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

async function storePage(folder: string, path: string, { headers, bytes }: CachedPage): Promise<void> {
  const { 'last-modified': modified = '', date = '' } = headers;
  // Within the same second the page may change again (RFC 9110, section 8.8.2.2).
  const isFinal = Date.parse(date) - Date.parse(modified) >= 1000;
  const cached = pickHeaders(isFinal ? headers : { ...headers, 'last-modified': undefined });
  if (!cached.etag && !cached['last-modified']) return;
  const file = Buffer.concat([Buffer.from(`${JSON.stringify(cached)}\n`), await promisify(gzip)(bytes)]);
  await mkdir(folder, { recursive: true });
  await replaceFile(path, file);
}

/** Those that can be sent again. */
function pickHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const found = CACHED_HEADERS.map((name): [string, string] => [name, String(headers[name] ?? '')]);
  return Object.fromEntries(found.filter(([, value]) => /^[\t\x20-\x7e]+$/.test(value)));
}

function createConditionalHeaders({ headers }: CachedPage): Record<string, string> {
  const { etag, 'last-modified': modified } = headers;
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

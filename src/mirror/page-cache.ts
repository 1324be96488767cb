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
import { isOurFolder } from './our-folder.js';

/** In bytes, compressed or not. Larger pages are not kept. */
const MAX_PAGE = 32 * 1024 * 1024;

const KEPT_HEADERS = ['etag', 'last-modified', 'content-type'] as const;
type KeptHeaders = { readonly [Name in (typeof KEPT_HEADERS)[number]]?: string };

interface KeptPage {
  readonly headers: KeptHeaders;
  readonly bytes: Buffer;
}

export class PageCache {
  readonly #folder: string;
  readonly #requested = new Set<string>();
  /** Pages that were not sent again. */
  unchanged = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws a UsageError when something other than a folder is at that path. */
  static async open(folder: string): Promise<PageCache> {
    await isOurFolder(folder);
    return new PageCache(folder);
  }

  /** A layer around the transport that requests known pages conditionally. */
  readonly wrap =
    (send: Send): Send =>
    async (request) => {
      const page = pageOf(request);
      if (!page) return send(request);
      const path = join(this.#folder, createHash('sha256').update(pathAndQuery(request)).digest('hex'));
      // A page that is requested twice in a run could not be used the first time: perhaps its copy is at fault.
      const kept = this.#requested.has(path) ? undefined : await readKept(path);
      this.#requested.add(path);
      const response = await send(
        kept ? { ...request, headers: { ...request.headers, ...conditions(kept) } } : request,
      );
      if (response.status === 304 && kept) {
        this.unchanged++;
        return {
          ...response,
          status: 200,
          headers: { ...kept.headers, ...response.headers },
          bytes: kept.bytes,
        };
      }
      // A damaged or empty page would be confirmed by each later 304.
      const isGood = response.status === 200 && hasRecords(response.bytes, page);
      if (isGood) await keep(this.#folder, path, response).catch(() => undefined);
      return response;
    };
}

interface PageRequest {
  readonly kind: Kind;
  readonly offset: number;
}

function pageOf({ method, path, query = [] }: Request): PageRequest | undefined {
  const kind = KINDS.find((each) => path === `/${KIND_WORDS[each].segment}`);
  const offset = query.find(([name]) => name === 'offset')?.[1];
  return method === 'GET' && kind && offset !== undefined ? { kind, offset: Number(offset) } : undefined;
}

function hasRecords(bytes: Buffer, { kind, offset }: PageRequest): boolean {
  return bytes.length <= MAX_PAGE && (readPage(bytes, kind, offset)?.records.length ?? 0) > 0;
}

/** Undefined for a file that is not ours, or damaged: the page is then requested like any other. */
async function readKept(path: string): Promise<KeptPage | undefined> {
  try {
    const handle = await openOurs(path, constants.O_RDONLY);
    try {
      const { size, uid } = await handle.stat();
      if (size > MAX_PAGE || uid !== (process.getuid?.() ?? uid)) return undefined;
      const file = await handle.readFile();
      const end = file.indexOf('\n');
      const headers = keptHeaders(asObject(parseJson(file.subarray(0, end))));
      const bytes = await promisify(gunzip)(file.subarray(end + 1), { maxOutputLength: MAX_PAGE });
      return { headers, bytes };
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

async function keep(folder: string, path: string, { headers, bytes }: HttpResponse): Promise<void> {
  const { 'last-modified': modified = '', date = '' } = headers;
  // Within the same second the page may change again (RFC 9110, section 8.8.2.2).
  const isFinal = Date.parse(date) - Date.parse(modified) >= 1000;
  const kept = keptHeaders(isFinal ? headers : { ...headers, 'last-modified': undefined });
  if (!kept.etag && !kept['last-modified']) return;
  const file = Buffer.concat([Buffer.from(`${JSON.stringify(kept)}\n`), await promisify(gzip)(bytes)]);
  await mkdir(folder, { recursive: true });
  await replaceFile(path, file);
}

/** Those that can be sent again. */
function keptHeaders(headers: Readonly<Record<string, unknown>>): KeptHeaders {
  const entries = KEPT_HEADERS.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(
    entries.filter(([, value]) => typeof value === 'string' && /^[\t\x20-\x7e]+$/.test(value)),
  );
}

function conditions({ headers: { etag, 'last-modified': modified } }: KeptPage): Record<string, string> {
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

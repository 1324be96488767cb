/**
 * Conditional requests (RFC 9110, section 13): pages of a search are kept with the ETag or the date that the deployment gave them,
 * and asked for again on the condition that they are others now.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type HttpResponse, pathAndQuery, type Request, type Send } from '../client/exchange.js';

interface KeptPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

export class PageCache {
  readonly #folder: string;
  /** Pages that were not sent again. */
  unchanged = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A layer around the transport that asks for known pages conditionally. */
  readonly wrap =
    (send: Send): Send =>
    async (request) => {
      if (!isPage(request)) return send(request);
      const kept = await this.#read(request);
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
      if (response.status === 200) await this.#keep(request, response);
      return response;
    };

  #path(request: Request): string {
    return join(this.#folder, createHash('sha256').update(pathAndQuery(request)).digest('hex'));
  }

  async #read(request: Request): Promise<KeptPage | undefined> {
    try {
      const file = await readFile(this.#path(request));
      const end = file.indexOf('\n');
      const headers = JSON.parse(file.toString('utf8', 0, end)) as KeptPage['headers'];
      return { headers, bytes: await promisify(gunzip)(file.subarray(end + 1)) };
    } catch {
      // Without it, or with half of it after a power cut, the page is asked for as any other.
      return undefined;
    }
  }

  async #keep(request: Request, { headers, bytes }: HttpResponse): Promise<void> {
    const { etag, 'last-modified': modified, 'content-type': type } = headers;
    if (!etag && !modified) return;
    const kept = {
      ...(etag && { etag }),
      ...(modified && { 'last-modified': modified }),
      ...(type && { 'content-type': type }),
    };
    const path = this.#path(request);
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeFile(
        `${path}.new`,
        Buffer.concat([Buffer.from(`${JSON.stringify(kept)}\n`), await promisify(gzip)(bytes)]),
      );
      await rename(`${path}.new`, path);
    } catch {
      // It would only have saved a request.
    }
  }
}

function isPage({ method, query = [] }: Request): boolean {
  return method === 'GET' && query.some(([name]) => name === 'offset');
}

function conditions({ headers: { etag, 'last-modified': modified } }: KeptPage): Record<string, string> {
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

/** A museum whose records change while its address stays the same: a proxy that switches from one museum to the next. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Museum, startMuseum } from '../../src/mock/index.js';

export interface ChangingRecord {
  readonly id: number;
  readonly name: string;
  /** Increases with every edit, unless a test simulates an edit that this field does not show. */
  readonly modified: number;
}

export class ChangingMuseum {
  readonly folder: string;
  /** Number of requests so far. */
  requests = 0;
  #server: Server | undefined;
  #museum: Museum | undefined;
  #museums: Museum[] = [];
  /** A change that happens before request number `at`. */
  #plan: { readonly at: number; readonly change: () => Promise<void> } | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(): Promise<ChangingMuseum> {
    const museum = new ChangingMuseum(await mkdtemp(join(tmpdir(), 'opac-mirror-')));
    museum.#server = createServer((request, response) => {
      museum.#answer(request.url ?? '/').then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => museum.#server?.listen(0, '127.0.0.1', resolve));
    return museum;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo | undefined)?.port}`;
  }

  async publish(records: readonly ChangingRecord[]): Promise<void> {
    const file = join(this.folder, `records-${this.#museums.length}.ndjson`);
    await writeFile(file, `${records.map(formatLine).join('\n')}\n`);
    const museum = await startMuseum({ data: [file], maxPageSize: 20 });
    this.#museums.push(museum);
    this.#museum = museum;
  }

  /** Publishes other records before one of the next requests; `after` 1 means before the next request. */
  publishDuring(after: number, records: readonly ChangingRecord[]): void {
    this.#plan = { at: this.requests + after, change: () => this.publish(records) };
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
    for (const museum of this.#museums) await museum.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #answer(path: string) {
    this.requests++;
    const plan = this.#plan;
    if (plan && this.requests >= plan.at) {
      this.#plan = undefined;
      await plan.change();
    }
    const response = await fetch(`${this.#museum?.url}${path}`);
    const body = Buffer.from(await response.arrayBuffer());
    const json = { 'content-type': 'application/json' };
    return { status: response.status, headers: json, body };
  }
}

export function formatLine({ id, name, modified }: ChangingRecord): string {
  const set = (identifier: string, value: string) => ({ identifier, opacObjectFields: [{ value }] });
  return JSON.stringify({
    opacObjectId: String(id),
    opacObjectFieldSets: [set('name', name), set('modified', String(modified).padStart(8, '0'))],
  });
}

/** Returns the records with some edited, some removed and eight added. */
export function changeRecords(records: readonly ChangingRecord[], run: number): ChangingRecord[] {
  const kept = records.filter((_, n) => (n + run) % 17 !== 0);
  const edited = kept.map((record, n) =>
    (n + run) % 11 === 0 ? { ...record, name: `edited in ${run}`, modified: 1000 + run } : record,
  );
  const added = Array.from({ length: 8 }, (_, n) => ({
    id: 1000 * run + n,
    name: `added in ${run}`,
    modified: 1000 + run,
  }));
  return run % 2 === 0 ? [...edited, ...added] : [...added, ...edited];
}

export const FIRST: readonly ChangingRecord[] = Array.from({ length: 90 }, (_, n) => ({
  id: n + 1,
  name: `object ${n}`,
  modified: n,
}));

/** Records whose bytes are not UTF-8, found by position: what reads the page puts U+FFFD in their place. */
import { isUtf8 } from 'node:buffer';
import type { HasId, ListResult } from '../../client/paging/fetch-page.js';
import { readList } from '../../client/paging/read-list.js';
import { formatCount } from '../../service/format-numbers.js';
import { isObject } from '../../service/json.js';
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import { tryParseJson } from '../../service/parse-json.js';

/** One byte a character: what is written as an escape in JSON is ASCII, and stays out of it. */
const ESCAPE = /\\(?:u[0-9a-f]{4}|[^u])/gi;

/** The positions of these records in the list of the page at `offset`. */
export function findInvalidUtf8Records(bytes: Buffer, kind: Kind, offset: number): readonly number[] {
  if (isUtf8(bytes)) return [];
  const { listKey: key, totalKey: total } = KIND_KEYS[kind];
  const text = bytes.toString('latin1').replace(ESCAPE, '?');
  const records = readList(tryParseJson(text), { key, total }, offset)?.records.filter(isObject) ?? [];
  return [...records.keys()].filter((n) => !isUtf8(Buffer.from(JSON.stringify(records[n]), 'latin1')));
}

/** Most of the ids that are kept: the count tells the rest. */
const MAX_NAMED = 1000;

export interface InvalidUtf8 {
  readonly records: number;
  readonly ids: readonly string[];
}

/** In words, for a warning. */
export function formatInvalidUtf8({ records, ids }: InvalidUtf8): string {
  const some = `${ids.slice(0, 5).join(', ')}${records > 5 ? ', …' : ''}`;
  const them = formatCount(records, 'record');
  return `${them} with bytes that are not UTF-8, written as U+FFFD: ${some}`;
}

/** Counts records that are not UTF-8, each once however often its page is read; a record without an id counts by its offset. */
export class InvalidUtf8Counter {
  readonly #kind: Kind;
  readonly #before: number;
  readonly #keys: Set<string>;

  /** `before`: of the run that is resumed. */
  constructor(kind: Kind, before: InvalidUtf8 = { records: 0, ids: [] }) {
    this.#kind = kind;
    this.#keys = new Set(before.ids);
    this.#before = before.records - before.ids.length;
  }

  /** Counts a page that was read. */
  addPage(bytes: Buffer, offset: number, list: ListResult<HasId>): void {
    for (const n of findInvalidUtf8Records(bytes, this.#kind, offset))
      this.#keys.add(list.records[n]?.id ?? `record ${offset + n + 1}`);
  }

  get counts(): InvalidUtf8 {
    return { records: this.#before + this.#keys.size, ids: [...this.#keys].slice(0, MAX_NAMED) };
  }
}

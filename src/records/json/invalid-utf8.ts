/** Counts records with bytes that are not UTF-8, which opac replaces with U+FFFD. */
import { isUtf8 } from 'node:buffer';
import type { HasId, ListResult } from '../../client/paging/fetch-page.js';
import { readList } from '../../client/paging/read-list.js';
import { formatCount } from '../../service/format-numbers.js';
import { isObject } from '../../service/json.js';
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import { tryParseJson } from '../../service/parse-json.js';

/** An escape in JSON. It is always ASCII, so replacing it does not change which bytes are invalid. */
const ESCAPE = /\\(?:u[0-9a-f]{4}|[^u])/gi;

/** Returns the positions in the page, counted from 0, of records with invalid bytes. */
export function findInvalidUtf8Records(bytes: Buffer, kind: Kind, offset: number): readonly number[] {
  if (isUtf8(bytes)) return [];
  const { listKey: key, totalKey: total } = KIND_KEYS[kind];
  // Latin-1 keeps each byte as one character.
  const text = bytes.toString('latin1').replace(ESCAPE, '?');
  const records = readList(tryParseJson(text), { key, total }, offset)?.records.filter(isObject) ?? [];
  return [...records.keys()].filter((n) => !isUtf8(Buffer.from(JSON.stringify(records[n]), 'latin1')));
}

/** The maximum number of ids in a result. Records after these are only counted. */
const MAX_IDS = 1000;

export interface InvalidUtf8 {
  readonly records: number;
  readonly ids: readonly string[];
}

export function formatInvalidUtf8({ records, ids }: InvalidUtf8): string {
  const some = `${ids.slice(0, 5).join(', ')}${records > 5 ? ', …' : ''}`;
  const count = formatCount(records, 'record');
  return `${count} with bytes that are not UTF-8, written as U+FFFD: ${some}`;
}

/** Counts each id once, even if opac reads its page twice. */
export class InvalidUtf8Counter {
  readonly #kind: Kind;
  readonly #before: number;
  readonly #keys: Set<string>;

  constructor(kind: Kind, before: InvalidUtf8 = { records: 0, ids: [] }) {
    this.#kind = kind;
    this.#keys = new Set(before.ids);
    this.#before = before.records - before.ids.length;
  }

  addPage(bytes: Buffer, offset: number, list: ListResult<HasId>): void {
    for (const n of findInvalidUtf8Records(bytes, this.#kind, offset))
      this.#keys.add(list.records[n]?.id ?? `record ${offset + n + 1}`);
  }

  get counts(): InvalidUtf8 {
    return { records: this.#before + this.#keys.size, ids: [...this.#keys].slice(0, MAX_IDS) };
  }
}

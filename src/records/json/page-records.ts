/** The records of a response as positions in its bytes, found by the scanner or else the parser. */

import type { ListResult } from '../../client/paging/fetch-page.js';
import { readRecords } from '../../client/paging/read-list.js';
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import { parseJsonLossless, tryParseJson } from '../../service/parse-json.js';
import { readRecordKey } from '../../service/records/record-key.js';
import { compactJson } from './compact-json.js';
import { jsonLine, keepBytes } from './item-bytes.js';
import { scanList } from './scan-list.js';

export interface PageRecord {
  readonly id: string | undefined;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

export interface PageRecords extends ListResult<PageRecord> {
  /** Whether the scanner found the records, not the parser. */
  readonly isScanned: boolean;
  /** Whether there is whitespace with line breaks, so that a record may span lines. */
  readonly hasLineBreaks: boolean;
}

/**
 * Reads the page at `offset`; undefined when it is not a list of records or not valid JSON. Leaves out items that are no
 * records.
 */
export function readPage(bytes: Buffer, kind: Kind, offset: number): PageRecords | undefined {
  const scanned = scanList(bytes, kind);
  if (!scanned) return parsePageJson(bytes, kind, offset);
  const { ids, spans, total, lineBreaks: hasLineBreaks } = scanned;
  const records = ids.map((id, n) => ({
    id,
    bytes,
    start: spans[2 * n] as number,
    end: spans[2 * n + 1] as number,
  }));
  return { records, total, isScanned: true, hasLineBreaks };
}

/** As `readPage`, each record on one line. */
export function readLines(bytes: Buffer, kind: Kind, offset: number): PageRecords | undefined {
  const page = readPage(bytes, kind, offset);
  return page?.hasLineBreaks ? { ...page, records: page.records.map(toOneLine) } : page;
}

function toOneLine({ id, bytes, start, end }: PageRecord): PageRecord {
  const line = compactJson(bytes.subarray(start, end));
  return { id, bytes: line, start: 0, end: line.length };
}

function parsePageJson(bytes: Buffer, kind: Kind, offset: number): PageRecords | undefined {
  const { listKey, totalKey } = KIND_KEYS[kind];
  const value = tryParseJson(bytes);
  const list = readRecords(value, { key: listKey, total: totalKey }, offset);
  if (!list) return undefined;
  keepBytes(value, bytes);
  const records = list.records.map((raw) => createPageRecord(readRecordKey(raw, kind), jsonLine(raw)));
  return { records, total: list.total, isScanned: false, hasLineBreaks: false };
}

function createPageRecord(id: string | undefined, text: string): PageRecord {
  const bytes = Buffer.from(text);
  return { id, bytes, start: 0, end: bytes.length };
}

export function parsePageRecord({ bytes, start, end }: PageRecord): unknown {
  return parseJsonLossless(bytes.subarray(start, end));
}

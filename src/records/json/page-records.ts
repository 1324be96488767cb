/** Finds the positions of the records in the bytes of a list response. Uses the JSON parser for unusual responses. */
import { isUtf8 } from 'node:buffer';
import type { ListResult } from '../../client/paging/fetch-page.js';
import { assertItemCount, readRecords } from '../../client/paging/read-list.js';
import { asObject, asText, type JsonObject } from '../../service/json.js';
import { KIND_KEYS, type Kind, RECORD_KINDS } from '../../service/kinds.js';
import { parseJsonLossless, tryParseJson } from '../../service/parse-json.js';
import { hasFieldValues, hasOnlyId, readRecord } from '../../service/records/record.js';
import { readRecordKey } from '../../service/records/record-key.js';
import { hasUnreadableParts, lacksImages } from '../../service/records/unreadable-parts.js';
import { compactJson } from './compact-json.js';
import { getRecordKey, IdentityScanner } from './id-scan.js';
import { jsonLine, keepBytes } from './item-bytes.js';
import { createObjectParser, JsonReader, type ValueParser } from './json-reader.js';
import { skipSpace } from './skip-json.js';
import { Span } from './spans.js';

/** A record of a page: its JSON in `bytes` from `start` to `end`, and its key (record-key.ts) as `id`. */
export interface PageRecord {
  readonly id: string | undefined;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Whether the record surely has fields and all its images, and opac can read all of its parts. False if unknown. */
  readonly isReadable: boolean;
}

export interface PageRecords extends ListResult<PageRecord> {
  readonly hasLineBreaks: boolean;
  /** Whether records may be of another kind than the search. */
  readonly mayHaveOtherKinds: boolean;
}

/** Omits items that are not objects. Returns undefined if the response is not a list of records of this kind. */
export function readPage(bytes: Buffer, kind: Kind, offset: number): PageRecords | undefined {
  const scanned = scanPage(bytes, kind);
  return scanned && !scanned.mayHaveOtherKinds ? scanned : parsePage(bytes, kind, offset);
}

/** Like `readPage`, but the JSON of each record is one line. */
export function readLines(bytes: Buffer, kind: Kind, offset: number): PageRecords | undefined {
  const page = readPage(bytes, kind, offset);
  if (!page?.hasLineBreaks) return page;
  const records = page.records.map(({ id, bytes, start, end, isReadable }) =>
    createPageRecord(id, compactJson(bytes.subarray(start, end)), isReadable),
  );
  return { ...page, records };
}

export function parsePageRecord({ bytes, start, end }: PageRecord): unknown {
  return parseJsonLossless(bytes.subarray(start, end));
}

/** Returns true if parts are unreadable or missing. `isDetailed`: the view is `detail`, so records need fields and all images. */
export function isStubOrUnreadable(record: PageRecord, isDetailed: boolean): boolean {
  if (record.isReadable) return false;
  const raw = asObject(parsePageRecord(record));
  const isStub = isDetailed ? lacksImages(raw) || !hasFieldValues(readRecord(raw)) : hasOnlyId(raw);
  return hasUnreadableParts(raw) || isStub;
}

/** A number with at most 15 digits is exact. */
const TOTAL = /^\d{1,15}$/;

/** Returns the same records as the parser; undefined if the response is unusual or not valid UTF-8. */
export function scanPage(bytes: Buffer, kind: Kind): PageRecords | undefined {
  if (!isUtf8(bytes)) return undefined;
  const json = new JsonReader();
  const scanner = new IdentityScanner({ checksParts: true });
  const records: PageRecord[] = [];
  const total = new Span();
  let lists = 0;
  let mayHaveOtherKinds = false;
  const readRecord: ValueParser = (at) => {
    if (!json.isObject(at)) return json.skip(at);
    const identity = scanner.scan(bytes, at);
    if (!identity) return -1;
    mayHaveOtherKinds ||= identity.kind !== undefined && identity.kind !== kind && kind !== 'records';
    const { end, isReadable } = identity;
    assertItemCount(records.push({ id: getRecordKey(identity, kind), bytes, start: at, end, isReadable }));
    return end;
  };
  const list = createObjectParser({
    [KIND_KEYS[kind].listKey]: (at) =>
      lists++ === 0 && json.isArray(at) ? json.readItems(at, readRecord) : -1,
    [KIND_KEYS[kind].totalKey]: (at) => (total.isEmpty && !json.isString(at) ? json.readText(at, total) : -1),
  });
  json.setBytes(bytes);
  const start = skipSpace(bytes, 0);
  const end = json.isObject(start) ? json.readMembers(start, list) : -1;
  if (end < 0 || skipSpace(bytes, end) !== bytes.length) return undefined;
  const digits = bytes.toString('latin1', total.start, total.end);
  if (lists === 0 || !TOTAL.test(digits)) return undefined;
  // Line breaks are between values: strings cannot contain unescaped line breaks (RFC 8259 section 7).
  const hasLineBreaks = bytes.includes('\n') || bytes.includes('\r');
  return { records, total: Number(digits), hasLineBreaks, mayHaveOtherKinds };
}

function parsePage(bytes: Buffer, kind: Kind, offset: number): PageRecords | undefined {
  const { listKey, totalKey } = KIND_KEYS[kind];
  const value = tryParseJson(bytes);
  const list = readRecords(value, { key: listKey, total: totalKey }, offset);
  if (!list || list.records.some((raw) => isOfOtherKind(raw, kind))) return undefined;
  keepBytes(value, bytes);
  const records = list.records.map((raw) =>
    createPageRecord(readRecordKey(raw, kind), Buffer.from(jsonLine(raw))),
  );
  return { records, total: list.total, hasLineBreaks: false, mayHaveOtherKinds: false };
}

/** A faulty cache may return records of another kind. */
function isOfOtherKind(raw: JsonObject, kind: Kind): boolean {
  const hasId = (other: Kind) => asText(raw[KIND_KEYS[other].idKey]) !== '';
  return kind !== 'records' && !hasId(kind) && RECORD_KINDS.some(hasId);
}

const PART_SCANNER = new IdentityScanner({ checksParts: true });

/** `bytes` is the JSON of one record. */
export function createPageRecord(
  id: string | undefined,
  bytes: Buffer,
  isReadable = PART_SCANNER.scan(bytes, 0)?.isReadable ?? false,
): PageRecord {
  return { id, bytes, start: 0, end: bytes.length, isReadable };
}

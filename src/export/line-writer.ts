/** NDJSON and JSON: the service's own records, their bytes passed on as received. */
import type { Listed } from '../client/page.js';
import type { Kind } from '../service/kinds.js';
import { compact } from './compact-json.js';
import { parsePage, unlessBroken } from './parsed-page.js';
import type { RecordWriter } from './record-writer.js';
import { scanList } from './scan.js';

/** A record as one line of JSON in the bytes of its page. */
export interface LineRecord {
  readonly id: string | undefined;
  readonly page: Buffer;
  readonly start: number;
  readonly end: number;
}

const LINE_FEED = 0x0a;

/** What stands before, between and behind records, and what the whole file is without any. */
const FRAMES = {
  ndjson: { head: '', between: '', end: '\n', tail: '', empty: '' },
  json: { head: '[\n', between: ',\n', end: '', tail: '\n]\n', empty: '[]\n' },
} as const;

/** Writes each record on a line of its own. */
export function lineWriter(format: 'ndjson' | 'json', kind: Kind): RecordWriter<LineRecord> {
  const frame = FRAMES[format];
  const between = Buffer.from(frame.between);
  const end = Buffer.from(frame.end);
  return {
    read: unlessBroken((bytes, offset) => readLines(bytes, kind, offset)),
    write,
    head: () => Buffer.from(frame.head),
    tail: Buffer.from(frame.tail),
    empty: () => Buffer.from(frame.empty),
  };

  function write(records: readonly LineRecord[], first: boolean): Buffer {
    if (format === 'ndjson' && areNeighbours(records)) return inPlace(records);
    let size = 0;
    for (const record of records) size += between.length + record.end - record.start + end.length;
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    for (const record of records) {
      if (length > 0 || !first) length += between.copy(bytes, length);
      length += record.page.copy(bytes, length, record.start, record.end);
      length += end.copy(bytes, length);
    }
    return bytes.subarray(0, length);
  }
}

/** Whether the records stand in one answer with a single byte (a comma) between each two, and all are known by their ids. */
function areNeighbours(records: readonly LineRecord[]): boolean {
  let before: LineRecord | undefined;
  for (const record of records) {
    // Pages without ids are told apart by their bytes, which therefore must stay.
    if (record.id === undefined || record.end >= record.page.length) return false;
    if (before && (record.page !== before.page || record.start !== before.end + 1)) return false;
    before = record;
  }
  return before !== undefined;
}

/** Makes the commas between them, and what stands behind the last, into line feeds: nothing is copied. */
function inPlace(records: readonly LineRecord[]): Buffer {
  const [first] = records as readonly [LineRecord];
  let end = first.end;
  for (const record of records) {
    end = record.end;
    first.page[end] = LINE_FEED;
  }
  return first.page.subarray(first.start, end + 1);
}

/** By the scanner where it can, else by the parser. */
function readLines(bytes: Buffer, kind: Kind, offset: number): Listed<LineRecord> | undefined {
  const scanned = scanList(bytes, kind);
  if (!scanned) return parseLines(bytes, kind, offset);
  const { ids, spans, total, lineBreaks } = scanned;
  const records = ids.map((id, n): LineRecord => {
    const start = spans[2 * n] as number;
    const end = spans[2 * n + 1] as number;
    if (!lineBreaks) return { id, page: bytes, start, end };
    const line = compact(bytes.subarray(start, end));
    return { id, page: line, start: 0, end: line.length };
  });
  return { records, total };
}

function parseLines(bytes: Buffer, kind: Kind, offset: number): Listed<LineRecord> | undefined {
  const page = parsePage(bytes, kind, offset);
  return (
    page && {
      records: page.records.map(({ id, index }) => lineOf(id, JSON.stringify(page.exact(index)))),
      total: page.total,
    }
  );
}

/** A record that is printed anew. */
export function lineOf(id: string | undefined, text: string): LineRecord {
  const page = Buffer.from(text);
  return { id, page, start: 0, end: page.length };
}

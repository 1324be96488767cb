/** NDJSON and JSON: the service's own records, byte for byte. */
import type { Kind } from '../../service/kinds.js';
import { compact } from '../json/compact-json.js';
import { type PageRecord, readPage } from '../json/page-records.js';
import { recordScanner } from '../json/scan.js';
import type { RecordWriter } from './record-writer.js';

const LINE_FEED = 0x0a;

const FRAMES = {
  ndjson: { head: '', between: '', end: '\n', tail: '', empty: '' },
  json: { head: '[\n', between: ',\n', end: '', tail: '\n]\n', empty: '[]\n' },
} as const;

export function lineWriter(format: 'ndjson' | 'json', kind: Kind): RecordWriter<PageRecord> {
  const frame = FRAMES[format];
  const between = Buffer.from(frame.between);
  const end = Buffer.from(frame.end);
  const scanRecord = recordScanner(kind);
  return {
    read,
    write,
    head: () => Buffer.from(frame.head),
    tail: Buffer.from(frame.tail),
    empty: () => Buffer.from(frame.empty),
  };

  function read(bytes: Buffer, offset: number) {
    const page = readPage(bytes, kind, offset, scanRecord);
    return page?.lineBreaks ? { ...page, records: page.records.map(onOneLine) } : page;
  }

  function write(records: readonly PageRecord[], first: boolean): Buffer {
    if (format === 'ndjson' && areNeighbours(records)) return inPlace(records);
    let size = 0;
    for (const record of records) size += between.length + record.end - record.start + end.length;
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    for (const record of records) {
      if (length > 0 || !first) length += between.copy(bytes, length);
      length += record.bytes.copy(bytes, length, record.start, record.end);
      length += end.copy(bytes, length);
    }
    return bytes.subarray(0, length);
  }
}

/** Whether the records follow each other in one response, a single byte (a comma) apart, all with ids. */
function areNeighbours(records: readonly PageRecord[]): boolean {
  let before: PageRecord | undefined;
  for (const record of records) {
    // Pages without ids are compared by their bytes, which must not change.
    if (record.id === undefined || record.end >= record.bytes.length) return false;
    if (before && (record.bytes !== before.bytes || record.start !== before.end + 1)) return false;
    before = record;
  }
  return true;
}

function inPlace(records: readonly PageRecord[]): Buffer {
  const [first] = records as readonly [PageRecord];
  let end = first.end;
  for (const record of records) {
    end = record.end;
    first.bytes[end] = LINE_FEED;
  }
  return first.bytes.subarray(first.start, end + 1);
}

function onOneLine({ id, bytes, start, end }: PageRecord): PageRecord {
  const line = compact(bytes.subarray(start, end));
  return { id, bytes: line, start: 0, end: line.length };
}

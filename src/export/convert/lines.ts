/** Writes NDJSON, JSON and lists of ids. */
import { asObject } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { toFlatJson } from '../../service/records/flat-json.js';
import { type CollectionRecord, readRecord, readRecordId } from '../../service/records/record.js';
import { escapeIdLine } from '../../service/records/record-key.js';
import { type Converter, type RecordBytes, type Records, recordBytes } from './converter.js';

const FRAMES = {
  lines: { start: '', between: '\n', end: '\n', empty: '' },
  array: { start: '[\n', between: ',\n', end: '\n]\n', empty: '[]\n' },
} as const;

type Print = (record: RecordBytes) => Uint8Array;

export function createJsonConverter(frame: 'lines' | 'array'): Converter {
  return { ...createFramedConverter(frame, recordBytes), keepsLines: frame === 'lines' };
}

export function createFlatConverter(
  frame: 'lines' | 'array',
  kind: Kind,
  plain = (record: CollectionRecord) => record,
): Converter {
  return createFramedConverter(frame, (record) =>
    Buffer.from(JSON.stringify(toFlatJson(plain(readRecord(parseJsonLossless(recordBytes(record)), kind))))),
  );
}

/** Writes one id per line; an empty line for a record without an id. */
export function createIdConverter(): Converter {
  return createFramedConverter('lines', (record) =>
    Buffer.from(escapeIdLine(readRecordId(asObject(parseJsonLossless(recordBytes(record)))))),
  );
}

function createFramedConverter(name: keyof typeof FRAMES, print: Print): Converter {
  const { start, between, end, empty } = FRAMES[name];
  return {
    async *convert(records: Records) {
      const separator = Buffer.from(between);
      let before = Buffer.from(start);
      let isEmpty = true;
      for await (const group of records) {
        if (group.length === 0) continue;
        const chunks = group.flatMap((record, n) => [n === 0 ? before : separator, print(record)]);
        isEmpty = false;
        before = separator;
        yield Buffer.concat(chunks);
      }
      yield Buffer.from(isEmpty ? empty : end);
    },
  };
}

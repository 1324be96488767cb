/** NDJSON and JSON: the service's own records byte for byte, or in the normal form (`--flat`), and bare ids. */
import { asObject } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { toFlatJson } from '../../service/records/flat-json.js';
import { type CollectionRecord, readRecord, readRecordId } from '../../service/records/record.js';
import { escapeIdLine } from '../../service/records/record-key.js';
import { type Converter, type RecordBytes, type Records, recordBytes } from './converter.js';

const FRAMES = {
  lines: { head: '', between: '', end: '\n', tail: '', empty: '' },
  array: { head: '[\n', between: ',\n', end: '', tail: '\n]\n', empty: '[]\n' },
} as const;

type Print = (record: RecordBytes) => Uint8Array;

export function linesOfRecords(frame: 'lines' | 'array'): Converter {
  return framed(frame, recordBytes);
}

export function flatLines(
  frame: 'lines' | 'array',
  kind: Kind,
  plain = (record: CollectionRecord) => record,
): Converter {
  return framed(frame, (record) =>
    Buffer.from(JSON.stringify(toFlatJson(plain(readRecord(parseJsonLossless(recordBytes(record)), kind))))),
  );
}

/** One id per line, empty for a record without one. */
export function idLines(): Converter {
  return framed('lines', (record) =>
    Buffer.from(escapeIdLine(readRecordId(asObject(parseJsonLossless(recordBytes(record)))))),
  );
}

function framed(name: keyof typeof FRAMES, print: Print): Converter {
  const { head, between, end, tail, empty } = FRAMES[name];
  return {
    async *convert(records: Records) {
      let joint = Buffer.from(head);
      const next = Buffer.from(`${end}${between}`);
      let isEmpty = true;
      for await (const group of records) {
        if (group.length === 0) continue;
        const pieces = group.flatMap((record, n) => [n === 0 ? joint : next, print(record)]);
        isEmpty = false;
        joint = next;
        yield Buffer.concat(pieces);
      }
      yield Buffer.from(isEmpty ? empty : `${end}${tail}`);
    },
  };
}

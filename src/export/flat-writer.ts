/** NDJSON and JSON in the normal form (`--flat`), and bare ids. */
import { flat } from '../service/flat.js';
import type { Kind } from '../service/kinds.js';
import { readRecord } from '../service/record.js';
import { type LineRecord, lineOf, lineWriter } from './line-writer.js';
import { type ParsedRecord, parsePage, unlessBroken } from './parsed-page.js';
import type { RecordWriter } from './record-writer.js';

/** Writes each record in its normal form on a line of its own. */
export function flatWriter(format: 'ndjson' | 'json', kind: Kind): RecordWriter<LineRecord> {
  return parsedLines(format, kind, ({ page, index }) =>
    JSON.stringify(flat(readRecord(page.exact(index), kind))),
  );
}

/** Writes the id of each record on a line of its own, an empty one for a record without. */
export function idWriter(kind: Kind): RecordWriter<LineRecord> {
  return parsedLines('ndjson', kind, ({ recordId }) => recordId.replace(/[\r\n]+/g, ' '));
}

function parsedLines(
  format: 'ndjson' | 'json',
  kind: Kind,
  print: (record: ParsedRecord) => string,
): RecordWriter<LineRecord> {
  return {
    ...lineWriter(format, kind),
    read: unlessBroken((bytes, offset) => {
      const page = parsePage(bytes, kind, offset);
      return (
        page && {
          records: page.records.map((record) => lineOf(record.id, print(record))),
          total: page.total,
        }
      );
    }),
  };
}

/** NDJSON and JSON in the normal form (`--flat`), and bare ids. */

import { asObject } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { flat } from '../../service/records/flat.js';
import { idLine } from '../../service/records/identity.js';
import { type CollectionRecord, readRecord, recordId } from '../../service/records/record.js';
import { type PageRecord, parsedRecord, printed, readPage } from '../json/page-records.js';
import { lineWriter } from './line-writer.js';
import type { RecordWriter } from './record-writer.js';

export function flatWriter(
  format: 'ndjson' | 'json',
  kind: Kind,
  plain = (record: CollectionRecord) => record,
): RecordWriter<PageRecord> {
  return printedLines(format, kind, (record) =>
    JSON.stringify(flat(plain(readRecord(parsedRecord(record), kind)))),
  );
}

/** One id per line, empty for a record without one. */
export function idWriter(kind: Kind): RecordWriter<PageRecord> {
  // Across all kinds, identities hold more than the id.
  const idOf = (record: PageRecord) =>
    kind === 'records' ? recordId(asObject(parsedRecord(record))) : (record.id ?? '');
  return printedLines('ndjson', kind, (record) => idLine(idOf(record)));
}

function printedLines(
  format: 'ndjson' | 'json',
  kind: Kind,
  print: (record: PageRecord) => string,
): RecordWriter<PageRecord> {
  return {
    ...lineWriter(format, kind),
    read(bytes, offset) {
      const page = readPage(bytes, kind, offset);
      return page && { ...page, records: page.records.map((record) => printed(record.id, print(record))) };
    },
  };
}

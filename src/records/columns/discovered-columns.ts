/** Finds columns and cells in the bytes of records. A test checks that they agree with src/service/records/columns.ts. */
import { getOrAddList } from '../../service/get-or-add-list.js';
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { parseColumn, RECORD_COLUMN_NAMES } from '../../service/records/columns.js';
import { readRecord, TITLE_FIELDS } from '../../service/records/record.js';
import { RecordScanner } from '../json/record/record-scan.js';
import { type NamedLists, type Spans, textAt } from '../json/spans.js';
import { ColumnNumbers, type NumberByKey } from './column-numbers.js';
import { createCell, Row } from './row.js';

export interface ColumnReader {
  readonly names: readonly string[];
  readonly row: Row;
  read(bytes: Buffer, start: number, end: number): void;
}

const FIXED = RECORD_COLUMN_NAMES.map(parseColumn);
const findColumn = (name: string) => RECORD_COLUMN_NAMES.indexOf(name);
const ID = findColumn('id');
const TITLE = findColumn('title');
const RECORD_TYPE = findColumn('recordType');
const SLUG = findColumn('slug');
const COLLECTION = findColumn('collection');
const LABEL = findColumn('label');
const IMAGE_COUNT = findColumn('image.count');
const IMAGE_URL = findColumn('image.url');

export class DiscoveredColumns implements ColumnReader {
  readonly row: Row;
  readonly #kind: Kind;
  readonly #columns: ColumnNumbers;
  readonly #found = new RecordScanner();
  /** For each column of a field or relationship: the number of the last record that filled it. */
  readonly #filledBy: number[] = [];
  #record = 0;

  constructor(kind: Kind, names: readonly string[] = []) {
    this.#kind = kind;
    this.#columns = new ColumnNumbers(names);
    this.row = new Row(this.#found.values);
  }

  get names(): readonly string[] {
    return this.#columns.names;
  }

  read(bytes: Buffer, start: number, end: number): void {
    if (this.#found.scan(bytes, start) < 0 || !this.#fillRow(bytes)) this.#parse(bytes.subarray(start, end));
  }

  /** Returns false if opac must parse the record instead. */
  #fillRow(bytes: Buffer): boolean {
    const { row } = this;
    const found = this.#found;
    this.#record++;
    row.bytes = bytes;
    row.clear(this.#columns.names.length);
    if (!this.#setLists(found.fields, this.#columns.fields)) return false;
    if (!this.#setLists(found.relationships, this.#columns.relationships)) return false;
    row.setSpan(ID, found.id.id);
    this.#setTitle(found);
    const kind = found.id.kind ?? (this.#kind === 'records' ? undefined : this.#kind);
    if (!found.id.recordType.isEmpty) row.setSpan(RECORD_TYPE, found.id.recordType);
    else if (kind) row.setText(RECORD_TYPE, KIND_KEYS[kind].recordType);
    row.setSpan(SLUG, found.slug);
    row.setSpan(COLLECTION, found.collection);
    this.#setLabels(found.images.labels);
    row.setText(IMAGE_COUNT, String(found.images.count));
    row.setSpans(IMAGE_URL, found.images.urls);
    return true;
  }

  /** Returns false if two lists belong to one column. */
  #setLists(lists: NamedLists, numbers: NumberByKey): boolean {
    const { row } = this;
    const { starts, ends } = lists.names;
    for (let n = 0; n < lists.length; n++) {
      const number = numbers.getOrAddBytes(row.bytes, starts[n] as number, ends[n] as number);
      if (this.#filledBy[number] === this.#record) return false;
      this.#filledBy[number] = this.#record;
      row.widen(number + 1);
      row.setList(number, lists.firsts[n] as number, lists.counts[n] as number);
    }
    return true;
  }

  #setLabels(labels: Spans): void {
    if (labels.length === 0) return;
    const texts = new Set<string>();
    for (let n = 0; n < labels.length; n++) {
      texts.add(textAt(this.row.bytes, labels.starts[n] as number, labels.ends[n] as number));
    }
    this.row.setText(LABEL, createCell([...texts]));
  }

  #setTitle({ fieldTitle, title, slug }: RecordScanner): void {
    const position = fieldTitle.isEmpty ? this.#findTitle() : undefined;
    if (position !== undefined) this.row.setList(TITLE, position, 1);
    else this.row.setSpan(TITLE, [fieldTitle, title].find((span) => !span.isEmpty) ?? slug);
  }

  #findTitle(): number | undefined {
    const { firsts, counts, values } = this.row;
    for (const identifier of TITLE_FIELDS) {
      const number = this.#columns.fields.get(identifier);
      if (number === undefined) continue;
      const first = firsts[number] ?? 0;
      const end = first + (counts[number] ?? 0);
      for (let n = first; n < end; n++) if (values.starts[n] !== values.ends[n]) return n;
    }
    return undefined;
  }

  #parse(bytes: Buffer): void {
    const { row } = this;
    const record = readRecord(parseJsonLossless(bytes), this.#kind);
    const lists = new Map<number, string[]>();
    for (const [identifier, values] of record.fields) {
      lists.set(
        this.#columns.fields.getOrAdd(identifier),
        values.map(({ value }) => value),
      );
    }
    for (const { id, records } of record.relationships) {
      if (id === '') continue;
      const number = this.#columns.relationships.getOrAdd(id);
      const values = getOrAddList(lists, number);
      for (const each of records) values.push(each.title || each.id);
    }
    row.clear(this.#columns.names.length);
    FIXED.forEach(({ values }, number) => {
      row.setText(number, createCell(values(record)));
    });
    for (const [number, values] of lists) row.setText(number, createCell(values));
  }
}

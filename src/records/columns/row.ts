/** The cells of one record: as text, or as positions in the bytes of the record. */
import type { Cell } from '../cells/multi-value-rule.js';
import { type Span, type Spans, textAt } from '../json/spans.js';

export class Row {
  bytes: Buffer = Buffer.alloc(0);
  width = 0;
  /** The cell of each column as text; undefined if the cell consists of positions. */
  readonly texts: (Cell | undefined)[] = [];
  /** Cell `n` consists of `counts[n]` positions in `values`, beginning at index `firsts[n]`. */
  readonly firsts: number[] = [];
  readonly counts: number[] = [];
  readonly values: Spans;

  constructor(values: Spans) {
    this.values = values;
  }

  clear(width: number): void {
    this.width = 0;
    this.widen(width);
  }

  widen(width: number): void {
    for (let n = this.width; n < width; n++) {
      this.texts[n] = undefined;
      this.firsts[n] = 0;
      this.counts[n] = 0;
    }
    if (width > this.width) this.width = width;
  }

  setText(column: number, cell: Cell): void {
    this.texts[column] = cell;
  }

  setList(column: number, first: number, count: number): void {
    this.firsts[column] = first;
    this.counts[column] = count;
  }

  setSpan(column: number, span: Span): void {
    if (span.isEmpty) return;
    this.setList(column, this.values.length, 1);
    this.values.add(span);
  }

  setSpans(column: number, spans: Spans): void {
    this.setList(column, this.values.length, spans.length);
    this.values.addAll(spans);
  }

  countValues(column: number): number {
    const text = this.texts[column];
    return text === undefined ? (this.counts[column] as number) : [text].flat().length;
  }

  /** Returns the value `n` of a cell; `''` if the cell has fewer values. */
  valueAt(column: number, n: number): string {
    const text = this.texts[column];
    if (text !== undefined) return (typeof text !== 'string' ? text[n] : n === 0 ? text : undefined) ?? '';
    const at = (this.firsts[column] as number) + n;
    if (n >= (this.counts[column] as number)) return '';
    return textAt(this.bytes, this.values.starts[at] as number, this.values.ends[at] as number);
  }

  cell(column: number): Cell {
    const text = this.texts[column];
    if (text !== undefined) return text;
    const { starts, ends } = this.values;
    const first = this.firsts[column] as number;
    return createCell(
      Array.from({ length: this.counts[column] as number }, (_, n) =>
        textAt(this.bytes, starts[first + n] as number, ends[first + n] as number),
      ),
    );
  }
}

export function createCell(values: readonly string[]): Cell {
  return values.length > 1 ? values : (values[0] ?? '');
}

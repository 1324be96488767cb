/** The part of an export, the ids of its records beside it, and its layout. */
import { syncFolder } from '../../system/sync-folder.js';
import { PartFile } from '../files/part-file.js';
import type { Identified, RecordWriter } from '../writers/record-writer.js';
import type { Checkpoint } from './checkpoint.js';
import type { Target } from './target.js';

export type PartLayout = Pick<
  Checkpoint,
  | 'bytes'
  | 'headBytes'
  | 'idsBytes'
  | 'sha256'
  | 'idsSha256'
  | 'columns'
  | 'widths'
  | 'splits'
  | 'formulas'
  | 'rows'
  | 'splitRows'
>;

export class PartRecords<R extends Identified> {
  readonly part: PartFile;
  readonly #ids: PartFile;
  readonly #writer: RecordWriter<R>;
  readonly #split: number | undefined;
  readonly #formulasBefore: number;
  readonly #widths: (readonly [number, number])[];
  readonly #splits: number[];
  /** Unknown where an earlier version began. */
  readonly #rowsBefore: number | undefined;
  readonly #splitRows: number[];
  #headBytes: number;
  #count: number;

  private constructor(
    writer: RecordWriter<R>,
    { split }: Target,
    files: { readonly part: PartFile; readonly ids: PartFile },
    checkpoint: Checkpoint | undefined,
  ) {
    this.part = files.part;
    this.#ids = files.ids;
    this.#writer = writer;
    this.#split = split;
    this.#formulasBefore = checkpoint?.formulas ?? 0;
    this.#widths = [...(checkpoint?.widths ?? [])];
    this.#splits = [...(checkpoint?.splits ?? [])];
    this.#rowsBefore = checkpoint ? checkpoint.rows : 0;
    this.#splitRows = [...(checkpoint?.splitRows ?? [])];
    this.#headBytes = checkpoint?.headBytes ?? 0;
    this.#count = checkpoint?.tally.written ?? 0;
  }

  static async open<R extends Identified>(
    writer: RecordWriter<R>,
    target: Target,
    checkpoint: Checkpoint | undefined,
    signal?: AbortSignal,
  ): Promise<PartRecords<R>> {
    const open = (path: string, bytes: number | undefined, sha256: string | undefined) =>
      bytes === undefined ? PartFile.create(path) : PartFile.resume(path, { bytes, sha256, signal });
    const part = await open(target.part, checkpoint?.bytes, checkpoint?.sha256);
    try {
      const ids = await open(target.ids, checkpoint?.idsBytes, checkpoint?.idsSha256);
      // Their names too, before a checkpoint tells of them.
      await syncFolder(target.folder);
      return new PartRecords(writer, target, { part, ids }, checkpoint);
    } catch (error) {
      await part.close();
      throw error;
    }
  }

  get count(): number {
    return this.#count;
  }

  get layout(): PartLayout {
    const { table } = this.#writer;
    return {
      bytes: this.part.bytes,
      headBytes: this.#headBytes,
      idsBytes: this.#ids.bytes,
      sha256: this.part.sha256(),
      idsSha256: this.#ids.sha256(),
      columns: table?.columns() ?? [],
      widths: this.#widths,
      splits: this.#splits,
      formulas: this.#formulasBefore + (table?.formulas() ?? 0),
      rows: this.#rows,
      splitRows: this.#splitRows,
    };
  }

  async append(records: readonly R[]): Promise<void> {
    for (let at = 0; at < records.length; ) {
      const room = this.#split === undefined ? records.length : this.#split - (this.#count % this.#split);
      const batch = records.slice(at, at + room);
      at += batch.length;
      await this.#write(batch);
    }
    let ids = '';
    for (const { id } of records) if (id !== undefined) ids += `${JSON.stringify(id)}\n`;
    await this.#ids.append(Buffer.from(ids));
  }

  async flush(): Promise<void> {
    await this.part.flush();
  }

  async sync(): Promise<void> {
    await this.part.sync();
    await this.#ids.sync();
  }

  /** All is synced by now; a failure on closing tells nothing new. */
  async close(): Promise<void> {
    await Promise.allSettled([this.part.close(), this.#ids.close()]);
  }

  get #rows(): number | undefined {
    const { table } = this.#writer;
    return table && this.#rowsBefore !== undefined ? this.#rowsBefore + table.rows() : undefined;
  }

  async #write(records: readonly R[]): Promise<void> {
    const isFirst = this.#split === undefined ? this.#count === 0 : this.#count % this.#split === 0;
    if (isFirst && this.#split !== undefined) this.#splitRows.push(this.#rows ?? 0);
    const bytes = this.#writer.write(records, isFirst);
    if (isFirst && this.#split === undefined) {
      // The head of growing columns is replaced at the end.
      const head = this.#writer.head();
      this.#headBytes = head.length;
      await this.part.append(head);
    }
    const at = this.part.bytes;
    if (isFirst && this.#split !== undefined) this.#splits.push(at);
    const width = this.#writer.table?.columns().length;
    if (width !== undefined && width !== this.#widths.at(-1)?.[1]) this.#widths.push([at, width]);
    await this.part.append(bytes);
    this.#count += records.length;
  }
}

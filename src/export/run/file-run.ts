/**
 * One run of an export into files: pages to the part, checkpoints on the way. What is on the disk is always enough to go on:
 * first the data, then its sync, then the checkpoint by rename.
 */
import { createSeenIds } from '../../client/paging/seen-ids.js';
import { readIds } from '../files/id-file.js';
import { PartFile } from '../files/part-file.js';
import type { RecordSource, SourcePages } from '../source/record-source.js';
import type { Identified, RecordWriter } from '../writers/record-writer.js';
import { CHECKPOINT_FORMAT, type Checkpoint, writeCheckpoint } from './checkpoint.js';
import type { ExportSpec } from './export-spec.js';
import { addReport, NO_TALLY, type PageEntry, type Tally } from './tally.js';
import { removeTraces, type Target } from './target.js';

/** Milliseconds between checkpoints. */
const CHECKPOINT_EVERY = 1000;

export interface Progress {
  /** Records in the file. */
  readonly written: number;
  /** As the service last reported it. */
  readonly total: number | undefined;
  readonly duplicates: number;
  readonly retries: number;
}

export interface RunOptions {
  readonly source: RecordSource;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Milliseconds between checkpoints. Default 1000; 0 for one after every page. */
  readonly checkpointEvery?: number | undefined;
}

/** What a run knows when its pages have ended. */
export type Walked = Pick<
  Checkpoint,
  'bytes' | 'headBytes' | 'widths' | 'splits' | 'formulas' | 'tally' | 'pages'
> & {
  readonly report: SourcePages<Identified>['report'];
  readonly notFound: readonly string[];
};

export class FileRun<R extends Identified> {
  readonly #writer: RecordWriter<R>;
  readonly #target: Target;
  readonly #job: ExportSpec;
  readonly #options: RunOptions;
  readonly #part: PartFile;
  readonly #ids: PartFile;
  readonly #from: Checkpoint | undefined;
  readonly #started: string;
  readonly #begun = performance.now();

  #pages: SourcePages<R> | undefined;
  #next: number | undefined;
  #written: number;
  /** Records that the checkpoint speaks of. */
  #safe: number;
  #headBytes: number;
  readonly #widths: (readonly [number, number])[];
  readonly #splits: number[];
  readonly #entries: PageEntry[];
  readonly #tallyBefore: Tally;
  #tally: Tally;
  #notFound: readonly string[];
  #retries = 0;
  /** Due at once, so that something is kept from the first page on. */
  #lastCheckpoint = Number.NEGATIVE_INFINITY;
  /** Set where a page is missing: the checkpoint stays before it, so that a resumed run gets it in its place. */
  #frozen = false;
  /** Whether a page is in the part by half. */
  #taking = false;

  private constructor(
    writer: RecordWriter<R>,
    target: Target,
    job: ExportSpec,
    options: RunOptions,
    from: Checkpoint | undefined,
    files: { readonly part: PartFile; readonly ids: PartFile },
  ) {
    this.#writer = writer;
    this.#target = target;
    this.#job = job;
    this.#options = options;
    this.#part = files.part;
    this.#ids = files.ids;
    this.#from = from;
    this.#started = from?.started ?? new Date().toISOString();
    this.#next = from?.next;
    this.#written = from?.tally.written ?? 0;
    this.#safe = this.#written;
    this.#headBytes = from?.headBytes ?? 0;
    this.#widths = [...(from?.widths ?? [])];
    this.#splits = [...(from?.splits ?? [])];
    this.#entries = [...(from?.pages ?? [])];
    this.#tallyBefore = from ? { ...from.tally, resumed: from.tally.resumed + 1 } : NO_TALLY;
    this.#tally = this.#tallyBefore;
    this.#notFound = from?.notFound ?? [];
  }

  /** Opens the files, anew or as the checkpoint says. Throws an OpacError when they cannot be written or gone on with. */
  static async open<R extends Identified>(
    writer: RecordWriter<R>,
    target: Target,
    job: ExportSpec,
    options: RunOptions,
    from: Checkpoint | undefined,
  ): Promise<FileRun<R>> {
    if (!from) await removeTraces(target);
    const part = await (from ? PartFile.resume(target.part, from.bytes) : PartFile.create(target.part));
    try {
      const ids = await (from ? PartFile.resume(target.ids, from.idsBytes) : PartFile.create(target.ids));
      return new FileRun(writer, target, job, options, from, { part, ids });
    } catch (error) {
      await part.close();
      throw error;
    }
  }

  /** Records that a run which goes on will not ask for again. */
  get safe(): number {
    return this.#safe;
  }

  get part(): PartFile {
    return this.#part;
  }

  get started(): string {
    return this.#started;
  }

  /** Takes every page of the source. Throws what the source or the disk threw; what had come by then is made safe. */
  async walk(): Promise<Walked> {
    try {
      return await this.#walk();
    } catch (error) {
      // The disk may be what failed: then the last checkpoint is what there is.
      await this.checkpoint().catch(() => undefined);
      throw error;
    }
  }

  async #walk(): Promise<Walked> {
    const seen = createSeenIds();
    if (this.#from) for await (const id of readIds(this.#target.ids)) seen.add(id);
    const { source, signal } = this.#options;
    const pages = source.pages<R>((bytes, offset) => this.#writer.read(bytes, offset), {
      offset: this.#next,
      delivered: this.#written,
      duplicates: this.#tallyBefore.duplicates,
      drift: this.#tallyBefore.drift,
      seen,
      signal,
    });
    this.#pages = pages;
    for await (const page of pages) {
      if (pages.report.gaps.length > 0 && !this.#frozen) {
        await this.checkpoint();
        this.#frozen = true;
      }
      this.#taking = true;
      await this.#take(page.records);
      this.#taking = false;
      this.#entries.push([page.offset, page.received, page.retries]);
      this.#next = page.next;
      this.#note();
      this.#retries += page.retries;
      this.#tell(page.total);
      if (this.#isCheckpointDue()) await this.checkpoint();
    }
    await this.#part.flush();
    this.#note();
    return {
      bytes: this.#part.bytes,
      headBytes: this.#headBytes,
      widths: this.#widths,
      splits: this.#splits,
      formulas: this.#formulas(),
      tally: this.#tally,
      pages: this.#entries,
      report: pages.report,
      notFound: this.#notFound,
    };
  }

  /** Makes what has been taken safe. Does nothing in the middle of a page, and where a gap keeps the checkpoint back. */
  async checkpoint(): Promise<void> {
    this.#lastCheckpoint = performance.now();
    if (this.#frozen || this.#taking || this.#next === undefined) return;
    await this.#part.sync();
    await this.#ids.sync();
    await writeCheckpoint(this.#target.checkpoint, {
      format: CHECKPOINT_FORMAT,
      job: this.#job,
      started: this.#started,
      next: this.#next,
      bytes: this.#part.bytes,
      headBytes: this.#headBytes,
      idsBytes: this.#ids.bytes,
      columns: this.#writer.table?.columns() ?? [],
      widths: this.#widths,
      splits: this.#splits,
      formulas: this.#formulas(),
      notFound: this.#notFound,
      tally: this.#tally,
      pages: this.#entries,
    });
    this.#safe = this.#tally.written;
  }

  /** What had to be safe has been synced: that a disk fails once more on closing tells nothing new. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#part.close(), this.#ids.close()]);
  }

  async #take(records: readonly R[]): Promise<void> {
    const { split } = this.#target;
    for (let at = 0; at < records.length; ) {
      const room = split === undefined ? records.length : split - (this.#written % split);
      const batch = records.slice(at, at + room);
      at += batch.length;
      await this.#write(batch, split);
    }
    let ids = '';
    for (const { id } of records) if (id !== undefined) ids += `${JSON.stringify(id)}\n`;
    await this.#ids.append(Buffer.from(ids));
  }

  async #write(records: readonly R[], split: number | undefined): Promise<void> {
    const first = split === undefined ? this.#written === 0 : this.#written % split === 0;
    const bytes = this.#writer.write(records, first);
    if (first && split === undefined) {
      // The head is known no better before the first rows are; where it grows later, the file is made anew at the end.
      const head = this.#writer.head();
      this.#headBytes = head.length;
      await this.#part.append(head);
    }
    const at = this.#part.bytes;
    if (first && split !== undefined) this.#splits.push(at);
    const width = this.#writer.table?.columns().length;
    if (width !== undefined && width !== this.#widths.at(-1)?.[1]) this.#widths.push([at, width]);
    await this.#part.append(bytes);
    this.#written += records.length;
  }

  #isCheckpointDue(): boolean {
    const { checkpointEvery = CHECKPOINT_EVERY } = this.#options;
    return performance.now() - this.#lastCheckpoint >= checkpointEvery;
  }

  /** Takes down what the source reports, which is one page ahead while that page is being taken. */
  #note(): void {
    if (!this.#pages) return;
    const { report, notFound } = this.#pages;
    const elapsed = Math.round(performance.now() - this.#begun);
    this.#tally = addReport(this.#tallyBefore, report, this.#written, elapsed);
    this.#notFound = [...(this.#from?.notFound ?? []), ...(notFound?.() ?? [])];
  }

  #formulas(): number {
    return (this.#from?.formulas ?? 0) + (this.#writer.table?.formulas() ?? 0);
  }

  #tell(total: number | undefined): void {
    this.#options.onProgress?.({
      written: this.#written,
      total,
      duplicates: (this.#from?.tally.duplicates ?? 0) + (this.#pages?.report.duplicates ?? 0),
      retries: this.#retries,
    });
  }
}

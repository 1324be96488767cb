/**
 * One run of an export: writes pages, counts, and saves checkpoints. The disk always holds enough to resume: data first,
 * then its sync, then the checkpoint by rename.
 */
import { createSeenIds, type SeenIds } from '../../client/paging/seen-ids.js';
import type { Kind } from '../../service/kinds.js';
import { readIds } from '../files/id-file.js';
import type { PartFile } from '../files/part-file.js';
import { NotUtf8Counter } from '../json/not-utf8.js';
import type { RecordSource, SourcePage, SourcePages } from '../source/record-source.js';
import type { Identified, RecordWriter } from '../writers/record-writer.js';
import { CHECKPOINT_FORMAT, type Checkpoint, checkIdCount, writeCheckpoint } from './checkpoint.js';
import type { ExportSpec } from './export-spec.js';
import { dropOlder } from './older-part.js';
import { type PartLayout, PartRecords } from './part-records.js';
import { addReport, NO_COUNTS, type PageEntry, type RunCounts } from './run-counts.js';
import { removeTraces, type Target } from './target.js';

const CHECKPOINT_EVERY = 1000;

export interface ExportProgress {
  readonly written: number;
  readonly total: number | undefined;
  readonly duplicates: number;
  readonly retries: number;
}

export interface RunOptions {
  readonly source: RecordSource;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** Milliseconds. Default 1000; 0 saves after every page. */
  readonly checkpointEvery?: number | undefined;
}

export interface RunSetup<R extends Identified> {
  readonly writer: RecordWriter<R>;
  readonly target: Target;
  readonly spec: ExportSpec;
  readonly kind: Kind;
  readonly options: RunOptions;
  readonly checkpoint: Checkpoint | undefined;
  /** The records of an earlier part, which is removed when this run has more. */
  readonly older: number;
}

export type RunResult = PartLayout &
  Pick<Checkpoint, 'tally' | 'notFound' | 'pages' | 'plan'> &
  Required<Pick<Checkpoint, 'notUtf8'>> & {
    readonly report: SourcePages<Identified>['report'];
  };

export class ExportRun<R extends Identified> {
  readonly started: string;
  readonly #setup: RunSetup<R>;
  readonly #records: PartRecords<R>;
  readonly #begun = performance.now();
  /** Over all runs. */
  #counts: RunCounts;
  readonly #countsBefore: RunCounts;
  #notFound: readonly string[];
  readonly #notUtf8: NotUtf8Counter;
  readonly #seen: SeenIds;
  readonly #pages: PageEntry[];
  #pagesPlan: SourcePages<R>['plan'];
  #next: number | undefined;
  /** The first page is saved at once. */
  #lastCheckpoint = Number.NEGATIVE_INFINITY;
  #saved: number;
  /** Set at a missing page: the checkpoint stays before it, so that a resumed run fetches it. */
  #isFrozen = false;
  #isTaking = false;

  private constructor(setup: RunSetup<R>, records: PartRecords<R>, seen: SeenIds) {
    const { checkpoint } = setup;
    this.#seen = seen;
    this.#notUtf8 = new NotUtf8Counter(setup.kind, checkpoint?.notUtf8);
    this.#setup = setup;
    this.#records = records;
    this.started = checkpoint?.started ?? new Date().toISOString();
    this.#saved = records.count;
    this.#countsBefore = checkpoint
      ? { ...checkpoint.tally, resumed: checkpoint.tally.resumed + 1 }
      : NO_COUNTS;
    this.#counts = this.#countsBefore;
    this.#notFound = checkpoint?.notFound ?? [];
    this.#pages = [...(checkpoint?.pages ?? [])];
    this.#next = checkpoint?.next;
  }

  static async open<R extends Identified>(setup: RunSetup<R>): Promise<ExportRun<R>> {
    const { writer, target, checkpoint, options } = setup;
    if (!checkpoint) await removeTraces(target);
    const records = await PartRecords.open(writer, target, checkpoint, options.signal);
    try {
      return new ExportRun(setup, records, await idsBefore(setup));
    } catch (error) {
      await records.close();
      throw error;
    }
  }

  get saved(): number {
    return this.#saved;
  }

  get part(): PartFile {
    return this.#records.part;
  }

  /** Saves what arrived before it throws what the source or the disk threw. */
  async takePages(): Promise<RunResult> {
    try {
      const pages = await this.#source();
      this.#pagesPlan = pages.plan;
      let retries = 0;
      for await (const page of pages) {
        if (pages.report.gaps.length > 0) await this.#freeze();
        await this.#take(page, pages);
        retries += page.retries;
        this.#tell(page, pages, retries);
        if (this.#isCheckpointDue()) await this.checkpoint();
      }
      await this.#records.flush();
      this.#count(pages);
      return { ...this.#records.layout, ...this.#taken, plan: this.#plan, report: pages.report };
    } catch (error) {
      // If the disk failed, the last checkpoint stands.
      await this.checkpoint().catch(() => undefined);
      throw error;
    }
  }

  /** Does nothing within a page, or after a gap. */
  async checkpoint(): Promise<void> {
    const { target, spec, older } = this.#setup;
    this.#lastCheckpoint = performance.now();
    if (this.#isFrozen || this.#isTaking || this.#next === undefined) return;
    await this.#records.sync();
    await writeCheckpoint(target.checkpoint, {
      format: CHECKPOINT_FORMAT,
      job: spec,
      started: this.started,
      next: this.#next,
      ...this.#records.layout,
      ...this.#taken,
      plan: this.#plan,
    });
    if (older > 0 && this.#saved <= older && this.#counts.written > older) await dropOlder(target);
    this.#saved = this.#counts.written;
  }

  async close(): Promise<void> {
    await this.#records.close();
  }

  async #source(): Promise<SourcePages<R>> {
    const { writer, options, checkpoint } = this.#setup;
    return options.source.pages<R>(this.#notUtf8.watching(writer), {
      offset: this.#next,
      delivered: this.#counts.written,
      duplicates: this.#counts.duplicates,
      drift: this.#counts.drift,
      seen: this.#seen,
      plan: checkpoint?.plan,
      signal: options.signal,
    });
  }

  async #freeze(): Promise<void> {
    if (this.#isFrozen) return;
    await this.checkpoint();
    this.#isFrozen = true;
  }

  async #take(
    { offset, records, received, retries, next }: SourcePage<R>,
    pages: SourcePages<R>,
  ): Promise<void> {
    this.#isTaking = true;
    await this.#records.append(records);
    this.#isTaking = false;
    this.#pages.push([offset, received, retries]);
    this.#next = next;
    this.#count(pages);
  }

  /** The report is one page ahead while a page is being written. */
  #count({ report, notFound }: SourcePages<R>): void {
    const elapsed = Math.round(performance.now() - this.#begun);
    this.#counts = addReport(this.#countsBefore, report, this.#records.count, elapsed);
    this.#notFound = [...(this.#setup.checkpoint?.notFound ?? []), ...(notFound?.() ?? [])];
  }

  get #plan(): Checkpoint['plan'] {
    return this.#pagesPlan?.() ?? this.#setup.checkpoint?.plan;
  }

  get #taken(): Pick<RunResult, 'tally' | 'notFound' | 'notUtf8' | 'pages'> {
    const { counted: notUtf8 } = this.#notUtf8;
    return { tally: this.#counts, notFound: this.#notFound, notUtf8, pages: this.#pages };
  }

  #isCheckpointDue(): boolean {
    const { checkpointEvery = CHECKPOINT_EVERY } = this.#setup.options;
    return performance.now() - this.#lastCheckpoint >= checkpointEvery;
  }

  #tell({ total }: SourcePage<R>, { report }: SourcePages<R>, retries: number): void {
    this.#setup.options.onProgress?.({
      written: this.#records.count,
      total,
      duplicates: this.#countsBefore.duplicates + report.duplicates,
      retries,
    });
  }
}

/** The ids of the records in the part. Throws a UsageError when the checkpoint counts others. */
async function idsBefore({
  target,
  checkpoint,
  options,
}: Pick<RunSetup<Identified>, 'target' | 'checkpoint' | 'options'>): Promise<SeenIds> {
  const seen = createSeenIds();
  if (!checkpoint) return seen;
  let count = 0;
  for await (const id of readIds(target.ids, options.signal)) {
    seen.add(id);
    count++;
  }
  checkIdCount(target.checkpoint, checkpoint, count);
  return seen;
}

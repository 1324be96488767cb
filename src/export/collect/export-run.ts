/**
 * One run of an export: writes pages, counts, and saves checkpoints. The disk always holds enough to resume: data first,
 * then its sync, then the checkpoint by rename.
 */
import { createSeenIds, type SeenIds } from '../../client/paging/seen-ids.js';
import { type NotUtf8, NotUtf8Counter } from '../../records/json/not-utf8.js';
import type { PageRecord } from '../../records/json/page-records.js';
import type { Kind } from '../../service/kinds.js';
import type { AppendFile } from '../../system/append-file.js';
import type { CollectSpec } from '../export-spec.js';
import { removeTraces, type Target } from '../target.js';
import { CHECKPOINT_FORMAT, type Checkpoint, checkRecordCount, writeCheckpoint } from './checkpoint.js';
import { PartialFile, type PartialSizes } from './partial-file.js';
import { addReport, NO_COUNTS, type PageEntry, type RunCounts } from './run-counts.js';
import type { RecordSource, SourcePage, SourcePages } from './source/record-source.js';

const CHECKPOINT_EVERY = 1000;

export interface ExportProgress {
  readonly written: number;
  readonly total: number | undefined;
  readonly duplicates: number;
  readonly retries: number;
}

export interface RunOptions {
  readonly source: RecordSource;
  /** Records of the source that are known not to be UTF-8. */
  readonly notUtf8?: NotUtf8 | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** Milliseconds. Default 1000; 0 saves after every page. */
  readonly checkpointEvery?: number | undefined;
}

export interface RunSetup {
  readonly target: Target;
  readonly job: CollectSpec;
  readonly command: string | undefined;
  readonly kind: Kind;
  readonly options: RunOptions;
  readonly checkpoint: Checkpoint | undefined;
}

export type RunResult = PartialSizes &
  Pick<Checkpoint, 'tally' | 'notFound' | 'pages' | 'plan' | 'notUtf8'> & {
    readonly report: SourcePages['report'];
  };

export class ExportRun {
  readonly started: string;
  readonly #setup: RunSetup;
  readonly #records: PartialFile;
  readonly #begun = performance.now();
  /** Over all runs. */
  #counts: RunCounts;
  readonly #countsBefore: RunCounts;
  #notFound: readonly string[];
  readonly #notUtf8: NotUtf8Counter;
  readonly #seen: SeenIds;
  readonly #lastIds: readonly (string | undefined)[];
  readonly #pages: PageEntry[];
  #pagesPlan: SourcePages['plan'];
  #next: number | undefined;
  /** The first page is saved at once. */
  #lastCheckpoint = Number.NEGATIVE_INFINITY;
  #saved: number;
  /** Set at a missing page: the checkpoint stays before it, so that a resumed run fetches it. */
  #isFrozen = false;
  #isTaking = false;

  private constructor(setup: RunSetup, records: PartialFile, { seen, last }: IdsBefore) {
    const { checkpoint } = setup;
    this.#seen = seen;
    this.#lastIds = last;
    this.#notUtf8 = new NotUtf8Counter(setup.kind, checkpoint?.notUtf8 ?? setup.options.notUtf8);
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

  static async open(setup: RunSetup): Promise<ExportRun> {
    const { target, kind, checkpoint, options } = setup;
    if (!checkpoint) await removeTraces(target);
    const records = await PartialFile.open(target, kind, checkpoint, options.signal);
    try {
      return new ExportRun(setup, records, await idsBefore(setup, records));
    } catch (error) {
      await records.close();
      throw error;
    }
  }

  get saved(): number {
    return this.#saved;
  }

  get part(): AppendFile {
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
      await this.#records.part.flush();
      this.#count(pages);
      return { ...this.#records.sizes, ...this.#taken, plan: this.#plan, report: pages.report };
    } catch (error) {
      // If the disk failed, the last checkpoint stands.
      await this.checkpoint().catch(() => undefined);
      throw error;
    }
  }

  /** Adds records that are of no page. */
  async append(records: readonly PageRecord[]): Promise<void> {
    await this.#records.append(records);
    this.#counts = { ...this.#counts, written: this.#records.count };
  }

  /** The ids of the records so far; `seen` has also those that were not wanted. */
  ids(): AsyncGenerator<string | undefined> {
    return this.#records.ids(this.#setup.options.signal);
  }

  /** Counts the records of a response that are not UTF-8. */
  readonly watch: NotUtf8Counter['see'] = (bytes, offset, list) => this.#notUtf8.see(bytes, offset, list);

  get notUtf8(): NotUtf8 {
    return this.#notUtf8.counted;
  }

  get count(): number {
    return this.#records.count;
  }

  get seen(): SeenIds {
    return this.#seen;
  }

  /** Those of the last page before this run, where it was resumed. */
  get lastIds(): readonly (string | undefined)[] {
    return this.#lastIds;
  }

  /** Does nothing within a page, or after a gap. */
  async checkpoint(): Promise<void> {
    const { target, job, command } = this.#setup;
    this.#lastCheckpoint = performance.now();
    if (this.#isFrozen || this.#isTaking || this.#next === undefined) return;
    await this.#records.part.sync();
    await writeCheckpoint(target.checkpoint, {
      format: CHECKPOINT_FORMAT,
      job,
      command,
      started: this.started,
      next: this.#next,
      ...this.#records.sizes,
      ...this.#taken,
      plan: this.#plan,
    });
    this.#saved = this.#counts.written;
  }

  async close(): Promise<void> {
    await this.#records.close();
  }

  async #source(): Promise<SourcePages> {
    const { options, checkpoint } = this.#setup;
    return options.source.pages({
      offset: this.#next,
      delivered: this.#counts.written,
      seen: this.#seen,
      plan: checkpoint?.plan,
      signal: options.signal,
      watch: this.watch,
    });
  }

  async #freeze(): Promise<void> {
    if (this.#isFrozen) return;
    await this.checkpoint();
    this.#isFrozen = true;
  }

  async #take({ offset, records, received, retries, next }: SourcePage, pages: SourcePages): Promise<void> {
    this.#isTaking = true;
    await this.#records.append(records);
    this.#isTaking = false;
    this.#pages.push([offset, received, retries]);
    this.#next = next;
    this.#count(pages);
  }

  /** The report is one page ahead while a page is being written. */
  #count({ report, notFound }: SourcePages): void {
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

  #tell({ total }: SourcePage, { report }: SourcePages, retries: number): void {
    this.#setup.options.onProgress?.({
      written: this.#records.count,
      total,
      duplicates: this.#countsBefore.duplicates + report.duplicates,
      retries,
    });
  }
}

interface IdsBefore {
  readonly seen: SeenIds;
  /** Of the last page. */
  readonly last: readonly (string | undefined)[];
}

/** The ids of the records in the partial file. Throws a UsageError when the checkpoint counts others. */
async function idsBefore(
  { target, checkpoint, options }: RunSetup,
  records: PartialFile,
): Promise<IdsBefore> {
  const seen = createSeenIds();
  const last: (string | undefined)[] = [];
  if (!checkpoint) return { seen, last };
  const [, received = 0] = checkpoint.pages.at(-1) ?? [];
  let count = 0;
  for await (const id of records.ids(options.signal)) {
    if (id !== undefined) seen.add(id);
    if (count++ >= checkpoint.tally.written - received) last.push(id);
  }
  checkRecordCount(target.checkpoint, checkpoint, count);
  return { seen, last };
}

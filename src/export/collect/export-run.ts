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
import { idsIn, linesOf, openPartialFile } from './partial-file.js';
import { addReport, NO_COUNTS, type PageEntry, type RunCounts } from './run-counts.js';
import type { RecordSource, SourcePage, SourcePages } from './source/record-source.js';

const CHECKPOINT_EVERY = 1000;

export interface ExportProgress {
  readonly written: number;
  readonly total: number | undefined;
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

export type RunResult = Pick<Checkpoint, 'tally' | 'notFound' | 'pages' | 'plan' | 'notUtf8'> & {
  readonly report: SourcePages['report'];
};

export class ExportRun {
  readonly started: string;
  readonly part: AppendFile;
  /** The ids of all records, also of those that were not wanted. */
  readonly seen: SeenIds;
  readonly #setup: RunSetup;
  readonly #begun = performance.now();
  /** Over all runs. */
  #counts: RunCounts;
  readonly #countsBefore: RunCounts;
  #notFound: readonly string[];
  readonly #notUtf8: NotUtf8Counter;
  readonly #pages: PageEntry[];
  #pagesPlan: SourcePages['plan'];
  #next: number | undefined;
  /** The first page is saved at once. */
  #lastCheckpoint = Number.NEGATIVE_INFINITY;
  /** Records in the partial file. */
  #written: number;
  /** Set at a missing page: the checkpoint stays before it, so that a resumed run fetches it. */
  #isFrozen = false;
  #isTaking = false;

  private constructor(setup: RunSetup, part: AppendFile, seen: SeenIds) {
    const { checkpoint } = setup;
    this.#setup = setup;
    this.part = part;
    this.seen = seen;
    this.started = checkpoint?.started ?? new Date().toISOString();
    this.#notUtf8 = new NotUtf8Counter(setup.kind, checkpoint?.notUtf8 ?? setup.options.notUtf8);
    this.#countsBefore = checkpoint
      ? { ...checkpoint.tally, resumed: checkpoint.tally.resumed + 1 }
      : NO_COUNTS;
    this.#counts = this.#countsBefore;
    this.#written = this.#counts.written;
    this.#notFound = checkpoint?.notFound ?? [];
    this.#pages = [...(checkpoint?.pages ?? [])];
    this.#next = checkpoint?.next;
  }

  static async open(setup: RunSetup): Promise<ExportRun> {
    const { target, checkpoint, options } = setup;
    if (!checkpoint) await removeTraces(target);
    const part = await openPartialFile(target, checkpoint, options.signal);
    try {
      return new ExportRun(setup, part, await seenBefore(setup, part));
    } catch (error) {
      await closeQuietly(part);
      throw error;
    }
  }

  /** Saves what arrived before it throws what the source or the disk threw. */
  async takePages(): Promise<RunResult> {
    const { onProgress } = this.#setup.options;
    try {
      const pages = this.#readSource();
      this.#pagesPlan = pages.plan;
      for await (const page of pages) {
        if (pages.report.gaps.length > 0) await this.#freeze();
        await this.#take(page, pages);
        onProgress?.({ written: this.#written, total: page.total });
        if (this.#isCheckpointDue()) await this.checkpoint();
      }
      await this.part.flush();
      this.#count(pages);
      return { ...this.#taken, report: pages.report };
    } catch (error) {
      // If the disk failed, the last checkpoint stands.
      await this.checkpoint().catch(() => undefined);
      throw error;
    }
  }

  /** Adds records that are of no page. */
  async append(records: readonly PageRecord[]): Promise<void> {
    await this.part.append(linesOf(records));
    this.#written += records.length;
    this.#counts = { ...this.#counts, written: this.#written };
  }

  /** The ids of the records so far; `seen` has also those that were not wanted. */
  ids(): AsyncGenerator<string | undefined> {
    return idsIn(this.part, this.#setup.kind, this.#setup.options.signal);
  }

  /** Counts the records of a response that are not UTF-8. */
  readonly watch: NotUtf8Counter['see'] = (bytes, offset, list) => this.#notUtf8.see(bytes, offset, list);

  get notUtf8(): NotUtf8 {
    return this.#notUtf8.counted;
  }

  get count(): number {
    return this.#written;
  }

  /** Does nothing within a page, or after a gap. */
  async checkpoint(): Promise<void> {
    const { target, job, command } = this.#setup;
    this.#lastCheckpoint = performance.now();
    if (this.#isFrozen || this.#isTaking || this.#next === undefined) return;
    await this.part.sync();
    await writeCheckpoint(target.checkpoint, {
      format: CHECKPOINT_FORMAT,
      job,
      command,
      started: this.started,
      next: this.#next,
      bytes: this.part.bytes,
      sha256: this.part.sha256(),
      ...this.#taken,
    });
  }

  async close(): Promise<void> {
    await closeQuietly(this.part);
  }

  #readSource(): SourcePages {
    const { options, checkpoint } = this.#setup;
    return options.source.pages({
      offset: this.#next,
      delivered: this.#counts.written,
      seen: this.seen,
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
    await this.part.append(linesOf(records));
    this.#written += records.length;
    this.#isTaking = false;
    this.#pages.push([offset, received, retries]);
    this.#next = next;
    this.#count(pages);
  }

  /** The report is one page ahead while a page is being written. */
  #count({ report, notFound }: SourcePages): void {
    const elapsed = Math.round(performance.now() - this.#begun);
    this.#counts = addReport(this.#countsBefore, report, this.#written, elapsed);
    this.#notFound = [...(this.#setup.checkpoint?.notFound ?? []), ...(notFound?.() ?? [])];
  }

  get #taken(): Omit<RunResult, 'report'> {
    return {
      tally: this.#counts,
      notFound: this.#notFound,
      notUtf8: this.notUtf8,
      pages: this.#pages,
      plan: this.#pagesPlan?.() ?? this.#setup.checkpoint?.plan,
    };
  }

  #isCheckpointDue(): boolean {
    const { checkpointEvery = CHECKPOINT_EVERY } = this.#setup.options;
    return performance.now() - this.#lastCheckpoint >= checkpointEvery;
  }
}

/** All is synced by now; a failure on closing changes nothing. */
async function closeQuietly(part: AppendFile): Promise<void> {
  await part.close().catch(() => undefined);
}

/** The ids of the records in the partial file. Throws a UsageError when the checkpoint counts others. */
async function seenBefore(
  { target, kind, checkpoint, options }: RunSetup,
  part: AppendFile,
): Promise<SeenIds> {
  const seen = createSeenIds();
  if (!checkpoint) return seen;
  let count = 0;
  for await (const id of idsIn(part, kind, options.signal)) {
    if (id !== undefined) seen.add(id);
    count++;
  }
  checkRecordCount(target.checkpoint, checkpoint, count);
  return seen;
}

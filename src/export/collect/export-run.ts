/** Writes the records of a source to the partial file, and saves checkpoints. */
import { createSeenIds, type SeenIds } from '../../client/paging/seen-ids.js';
import { type InvalidUtf8, InvalidUtf8Counter } from '../../records/json/invalid-utf8.js';
import { isStubOrUnreadable, type PageRecord, parsePageRecord } from '../../records/json/page-records.js';
import type { Kind } from '../../service/kinds.js';
import { readRecord } from '../../service/records/record.js';
import { createFilterCheck } from '../../service/search/filter-check.js';
import { isDetailView } from '../../service/search/record-search.js';
import type { AppendFile } from '../../system/append-file.js';
import type { CollectSpec } from '../export-job.js';
import { type ExportPaths, removePartialExport } from '../export-paths.js';
import { CHECKPOINT_FORMAT, type Checkpoint, checkRecordCount, writeCheckpoint } from './checkpoint.js';
import { addPagingReport, type ExportCounts, NO_COUNTS, type PageEntry } from './export-counts.js';
import { joinLines, openPartialFile, readIds } from './partial-file.js';
import type { RecordSource, SourcePage, SourcePages } from './source/record-source.js';

const DEFAULT_CHECKPOINT_INTERVAL_MS = 1000;

export interface ExportProgress {
  readonly written: number;
  readonly total: number | undefined;
}

export interface RunOptions {
  readonly source: RecordSource;
  /** Records with invalid UTF-8 that the caller found before the run. */
  readonly notUtf8?: InvalidUtf8 | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** Minimum milliseconds between two checkpoints. Default 1000; 0 saves a checkpoint after every page. */
  readonly checkpointEvery?: number | undefined;
}

export interface RunSetup {
  readonly target: ExportPaths;
  readonly job: CollectSpec;
  readonly command: string | undefined;
  readonly kind: Kind;
  readonly options: RunOptions;
  readonly checkpoint: Checkpoint | undefined;
  /** Throws an OpacError if another run took over a lock of this export. */
  readonly assertHeld: () => void;
}

export type RunResult = Pick<Checkpoint, 'tally' | 'notFound' | 'pages' | 'plan' | 'notUtf8'> & {
  readonly report: SourcePages['report'];
};

export class ExportRun {
  readonly started: string;
  readonly partialFile: AppendFile;
  /** The ids of the records in the partial file, and of all records that the source read in this run. */
  readonly seen: SeenIds;
  readonly #setup: RunSetup;
  readonly #startedAt = performance.now();
  #counts: ExportCounts;
  readonly #countsBefore: ExportCounts;
  #notFound: readonly string[];
  readonly #notUtf8: InvalidUtf8Counter;
  readonly #pages: PageEntry[];
  #pagesPlan: SourcePages['plan'];
  #resumeOffset: number | undefined;
  /** The initial value makes a checkpoint due after the first page. */
  #lastCheckpoint = Number.NEGATIVE_INFINITY;
  #written: number;
  #stubs: number;
  #excluded: number;
  readonly #isDetailed: boolean;
  readonly #isExcluded: ((record: PageRecord) => boolean) | undefined;
  /** True after a missing page. The checkpoint stays before that page, so that a resumed run requests the page again. */
  #isCheckpointFrozen = false;
  /** Stays true if writing a page fails. The partial file may then contain a part of the page, so opac saves no checkpoint. */
  #isWritingPage = false;

  private constructor(setup: RunSetup, partialFile: AppendFile, seen: SeenIds) {
    const { checkpoint } = setup;
    this.#setup = setup;
    this.partialFile = partialFile;
    this.seen = seen;
    this.started = checkpoint?.started ?? new Date().toISOString();
    this.#notUtf8 = new InvalidUtf8Counter(setup.kind, checkpoint?.notUtf8 ?? setup.options.notUtf8);
    this.#countsBefore = checkpoint
      ? { ...checkpoint.tally, resumed: checkpoint.tally.resumed + 1 }
      : NO_COUNTS;
    this.#counts = this.#countsBefore;
    this.#written = this.#counts.written;
    this.#stubs = this.#counts.stubs;
    this.#excluded = this.#counts.excluded;
    const query = setup.options.source.search?.query ?? setup.job.query;
    this.#isDetailed = isDetailView(query);
    const isExcluded = createFilterCheck(query);
    this.#isExcluded = isExcluded && ((each) => isExcluded(readRecord(parsePageRecord(each), setup.kind)));
    this.#notFound = checkpoint?.notFound ?? [];
    this.#pages = [...(checkpoint?.pages ?? [])];
    this.#resumeOffset = checkpoint?.next;
  }

  static async open(setup: RunSetup): Promise<ExportRun> {
    const { target, checkpoint, options } = setup;
    if (!checkpoint) await removePartialExport(target);
    const partialFile = await openPartialFile(target, checkpoint, options.signal);
    try {
      return new ExportRun(setup, partialFile, await readSeenIds(setup, partialFile));
    } catch (error) {
      await closeQuietly(partialFile);
      throw error;
    }
  }

  /** If the source fails, saves a checkpoint before it throws the error. */
  async writePages(): Promise<RunResult> {
    const { onProgress } = this.#setup.options;
    try {
      const pages = this.#readSource();
      this.#pagesPlan = pages.plan;
      for await (const page of pages) {
        if (pages.report.gaps.length > 0) await this.#freezeCheckpoint();
        await this.#writePage(page, pages);
        onProgress?.({ written: this.#written, total: page.total });
        if (this.#isCheckpointDue()) await this.checkpoint();
      }
      this.#updateCounts(pages);
      return { ...this.#runState, report: pages.report };
    } catch (error) {
      // If the disk failed, this saves nothing, and the last checkpoint stays.
      await this.checkpoint().catch(() => undefined);
      throw error;
    }
  }

  /** Adds records that opac fetched by id. */
  async append(records: readonly PageRecord[]): Promise<void> {
    this.#setup.assertHeld();
    await this.#appendRecords(records);
    this.#counts = { ...this.#counts, ...this.#writtenCounts };
  }

  ids(): AsyncGenerator<string | undefined> {
    return readIds(this.partialFile, this.#setup.kind, this.#setup.options.signal);
  }

  readonly onPageRead: InvalidUtf8Counter['addPage'] = (bytes, offset, list) =>
    this.#notUtf8.addPage(bytes, offset, list);

  get notUtf8(): InvalidUtf8 {
    return this.#notUtf8.counts;
  }

  get count(): number {
    return this.#written;
  }

  async checkpoint(): Promise<void> {
    const { target, job, command, assertHeld } = this.#setup;
    this.#lastCheckpoint = performance.now();
    if (this.#isCheckpointFrozen || this.#isWritingPage || this.#resumeOffset === undefined) return;
    await this.partialFile.sync();
    assertHeld();
    await writeCheckpoint(target.checkpoint, {
      format: CHECKPOINT_FORMAT,
      job,
      command,
      started: this.started,
      next: this.#resumeOffset,
      bytes: this.partialFile.bytes,
      sha256: this.partialFile.sha256(),
      ...this.#runState,
    });
  }

  async close(): Promise<void> {
    await closeQuietly(this.partialFile);
  }

  #readSource(): SourcePages {
    const { options, checkpoint } = this.#setup;
    return options.source.pages({
      offset: this.#resumeOffset,
      delivered: this.#counts.written,
      seen: this.seen,
      plan: checkpoint?.plan,
      signal: options.signal,
      onPageRead: this.onPageRead,
    });
  }

  async #freezeCheckpoint(): Promise<void> {
    if (this.#isCheckpointFrozen) return;
    await this.checkpoint();
    this.#isCheckpointFrozen = true;
  }

  async #writePage(
    { offset, records, received, retries, next }: SourcePage,
    pages: SourcePages,
  ): Promise<void> {
    this.#setup.assertHeld();
    this.#isWritingPage = true;
    await this.#appendRecords(records);
    this.#isWritingPage = false;
    this.#pages.push([offset, received, retries]);
    this.#resumeOffset = next;
    this.#updateCounts(pages);
  }

  async #appendRecords(records: readonly PageRecord[]): Promise<void> {
    await this.partialFile.append(joinLines(records));
    this.#written += records.length;
    this.#stubs += records.filter((each) => isStubOrUnreadable(each, this.#isDetailed)).length;
    if (this.#isExcluded) this.#excluded += records.filter(this.#isExcluded).length;
  }

  /** Do not call while a page is being written. The report already includes this page, but the partial file may not. */
  #updateCounts({ report, notFound }: SourcePages): void {
    const elapsed = Math.round(performance.now() - this.#startedAt);
    this.#counts = addPagingReport(this.#countsBefore, report, this.#writtenCounts, elapsed);
    this.#notFound = [...(this.#setup.checkpoint?.notFound ?? []), ...(notFound?.() ?? [])];
  }

  get #writtenCounts(): Pick<ExportCounts, 'written' | 'stubs' | 'excluded'> {
    return { written: this.#written, stubs: this.#stubs, excluded: this.#excluded };
  }

  get #runState(): Omit<RunResult, 'report'> {
    return {
      tally: this.#counts,
      notFound: this.#notFound,
      notUtf8: this.notUtf8,
      pages: this.#pages,
      plan: this.#pagesPlan?.() ?? this.#setup.checkpoint?.plan,
    };
  }

  #isCheckpointDue(): boolean {
    const { checkpointEvery = DEFAULT_CHECKPOINT_INTERVAL_MS } = this.#setup.options;
    return performance.now() - this.#lastCheckpoint >= checkpointEvery;
  }
}

/** Ignores errors, because a resumed run uses only data that `checkpoint` synced. */
async function closeQuietly(partialFile: AppendFile): Promise<void> {
  await partialFile.close().catch(() => undefined);
}

async function readSeenIds(
  { target, kind, checkpoint, options }: RunSetup,
  partialFile: AppendFile,
): Promise<SeenIds> {
  const seen = createSeenIds();
  if (!checkpoint) return seen;
  let count = 0;
  for await (const id of readIds(partialFile, kind, options.signal)) {
    if (id !== undefined) seen.add(id);
    count++;
  }
  checkRecordCount(target.checkpoint, checkpoint, count);
  return seen;
}

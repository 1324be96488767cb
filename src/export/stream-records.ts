/** Exports to a stream: as records arrive, or through a temporary file where the columns are known only at the end. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createSeenIds } from '../client/paging/seen-ids.js';
import { NotUtf8Counter } from '../records/json/not-utf8.js';
import type { PageRecord } from '../records/json/page-records.js';
import { type ErrorKind, OpacError } from '../service/errors.js';
import { FileError, faultOf, fileError } from '../system/file-error.js';
import { addReport, NO_COUNTS, type PageEntry } from './collect/run-counts.js';
import { checkShape, hasKnownHead } from './convert/check-shape.js';
import type { Converter, RecordBytes } from './convert/converter.js';
import { FORMATS } from './convert/formats.js';
import { type ExportOptions, exportRecords } from './export-records.js';
import { checkIds } from './verify/check-ids.js';
import { assessCompleteness, type Completeness, needsIdCheck } from './verify/completeness.js';
import type { ManifestIdCheck } from './verify/manifest.js';

export interface StreamOptions
  extends Omit<
    ExportOptions,
    'target' | 'split' | 'resume' | 'force' | 'checkpointEvery' | 'deployment' | 'command'
  > {
  readonly output: Writable;
}

export interface StreamOutcome extends Completeness {
  readonly complete: boolean;
  readonly records: number;
  readonly formulas: number;
  readonly idCheck: ManifestIdCheck | undefined;
}

/**
 * Throws a UsageError for invalid options, what the source or the stream threw after some output, and an OpacError of kind
 * `incomplete` when the disk of the temporary file fails.
 */
export async function streamRecords(options: StreamOptions): Promise<StreamOutcome> {
  const shape = checkShape(options.shape);
  if (!hasKnownHead(shape)) return byFile(options);
  return stream(await FORMATS[shape.format].converter(shape, []), options);
}

async function stream(
  converter: Converter,
  { shape, source, output, signal = new AbortController().signal, strict = false, onProgress }: StreamOptions,
): Promise<StreamOutcome> {
  const begun = performance.now();
  const notUtf8 = new NotUtf8Counter(shape.kind);
  const seen = createSeenIds();
  const watch: NotUtf8Counter['see'] = (bytes, offset, list) => notUtf8.see(bytes, offset, list);
  const start = { offset: undefined, delivered: 0 };
  const pages = source.pages({ ...start, seen, signal, watch });
  let written = 0;
  const ids = new Set<string>();
  let idCheck: ManifestIdCheck | undefined;
  const entries: PageEntry[] = [];
  async function* groups(): AsyncGenerator<readonly RecordBytes[]> {
    let retries = 0;
    for await (const { offset, received, records, total, retries: again } of pages) {
      retries += again;
      entries.push([offset, received, again]);
      if (records.length === 0) continue;
      yield records;
      written += records.length;
      for (const { id } of records) if (id !== undefined && source.search) ids.add(id);
      onProgress?.({ written, total, duplicates: pages.report.duplicates, retries });
    }
    const { search, isWanted } = source;
    const plan = pages.plan?.();
    if (!search || !needsIdCheck({ report: pages.report, tally: tallyOf() }, strict)) return;
    const more: PageRecord[] = [];
    const append = async (records: readonly PageRecord[]) => {
      more.push(...records);
      for (const { id } of records) ids.add(id ?? '');
    };
    const check = await checkIds({ search, plan, isWanted, seen, ids: idsOf, append, watch, signal });
    idCheck = { ...check, dropped: check.dropped.size };
    written += more.length;
    yield more;
  }
  async function* idsOf() {
    yield* ids;
  }
  function tallyOf() {
    return addReport(NO_COUNTS, pages.report, written, Math.round(performance.now() - begun));
  }
  const bytes = Readable.from(converter.convert(groups()), { objectMode: false });
  await pipeline(bytes, output, { end: false });
  const tally = tallyOf();
  const verdict = assessCompleteness(
    {
      report: pages.report,
      tally,
      pages: entries,
      notFound: pages.notFound?.() ?? [],
      notUtf8: notUtf8.counted,
      idCheck,
      isStreamed: true,
    },
    strict,
  );
  return {
    ...verdict,
    idCheck,
    complete: verdict.reasons.length === 0,
    records: written,
    formulas: converter.table?.formulas() ?? 0,
  };
}

/** The columns of all records are the header. */
async function byFile({ output, ...options }: StreamOptions): Promise<StreamOutcome> {
  const folder = await newFolder();
  try {
    const made = await exportRecords({
      ...options,
      target: join(folder, 'records'),
      deployment: '',
      command: undefined,
    });
    for (const file of made.files) await pipeline(createReadStream(file), output, { end: false });
    const { complete, reasons, warnings, manifest } = made;
    return {
      complete,
      reasons,
      warnings,
      records: manifest.records,
      formulas: manifest.formulas,
      idCheck: manifest.idCheck,
    };
  } catch (error) {
    throw error instanceof FileError ? temporaryError(error, 'incomplete') : error;
  } finally {
    // A failed removal must not hide how the export ended.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function newFolder(): Promise<string> {
  const folder = tmpdir();
  try {
    return await mkdtemp(join(folder, 'opac-'));
  } catch (error) {
    throw temporaryError(
      fileError(error, 'write in', folder),
      faultOf(error)?.isOfDisk ? 'incomplete' : 'internal',
    );
  }
}

/** Nobody could resume a temporary file, so nothing is kept. */
function temporaryError(error: OpacError, kind: ErrorKind): OpacError {
  const hint = 'name a file with -o, or another folder for temporary files with TMPDIR';
  return new OpacError(kind, error.message, { hint, cause: error });
}

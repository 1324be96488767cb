/** Joins the parts of one export into a file, each record once, in the order of the parts. */

import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { createSeenIds } from '../client/paging/seen-ids.js';
import { OpacError, UsageError } from '../service/errors.js';
import { grouped } from '../service/grouped.js';
import type { Kind } from '../service/kinds.js';
import { VERSION } from '../service/version.js';
import { compressionOf } from '../system/compression.js';
import { syncFolder } from '../system/sync-folder.js';
import { columnsBefore } from './columns-before.js';
import { checkDescription, describeFiles } from './describe.js';
import { FileError, fileError } from './files/file-error.js';
import { takeLock } from './files/lock.js';
import { refuseInput, replaceFile } from './files/place.js';
import { writeWhole } from './files/whole-file.js';
import { type ExportFormat, exportFormat, FORMATS, formatOfName } from './formats.js';
import { changedPart, type MergedPart, readParts } from './merge/parts.js';
import { idRows, jsonRows, type Piece, tableRows } from './merge/rows.js';
import { readFrom, writePieces } from './run/finished-file.js';
import { headsBeside, type Manifest, printManifest } from './run/manifest.js';
import { openError } from './run/run-errors.js';
import { checkTarget, manifestPath, type Target, targetOf } from './run/target.js';
import type { Dialect } from './table/delimited.js';
import { EXCEL } from './table/excel.js';
import { sqlNames } from './table/sql-names.js';

export interface MergeOptions {
  readonly parts: readonly string[];
  readonly target: string;
  readonly command: string;
  /** Whether a description is written beside the file. */
  readonly describe?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Merged {
  readonly path: string;
  readonly manifest: Manifest;
  readonly description: string | undefined;
}

interface Tally {
  records: number;
  rows: number;
  dropped: number;
  /** A part that does not begin with the record that followed the one before. */
  shifted?: MergedPart;
}

/**
 * Writes the merged file and its manifest. Throws as `readParts` does, a UsageError for formats that cannot be merged, and an
 * OpacError of kind `incomplete` when records are in no part or the disk fails: then nothing is written.
 */
export async function mergeParts(options: MergeOptions): Promise<Merged> {
  try {
    return await merged(options);
  } catch (error) {
    throw error instanceof FileError ? openError(error, undefined, options.command) : error;
  }
}

async function merged({
  parts: paths,
  target: path,
  command,
  describe = false,
  signal,
}: MergeOptions): Promise<Merged> {
  const target = targetOf(path);
  await checkTarget(target);
  if (describe) await checkDescription(path);
  const parts = await readParts(paths, signal);
  const shape = await shapeOf(parts, target);
  await refuseInput(
    path,
    parts.flatMap(({ places }) => places.map((place) => place.path)),
  );
  const lock = await takeLock(target.lock, path, { signal });
  const from = `${path}.part.new`;
  try {
    const tally = noTally();
    const content = (counted: Tally) => encoded(framed(recordsOf(parts, shape, counted), shape));
    const writer = shape.toParquet ? await parquetWriter(parts) : undefined;
    const pieces =
      writer?.convert(
        () => content(tally),
        () => content(noTally()),
      ) ?? content(tally);
    const digest = await writePieces(from, pieces, compressionOf(path), signal);
    checkWhole(parts, tally);
    const manifest = manifestOf(parts, shape, tally, command, { name: basename(path), ...digest });
    await replaceFile(from, path).catch((error) => Promise.reject(fileError(error, 'write', path)));
    await syncFolder(target.folder);
    await writeWhole(manifestPath(path), printManifest(manifest));
    const description = await describeFiles({ path, manifest, fields: writer?.fields() }, describe);
    return { path, manifest, description };
  } finally {
    await rm(from, { force: true }).catch(() => undefined);
    await lock.release();
  }
}

const noTally = (): Tally => ({ records: 0, rows: 0, dropped: 0 });

interface MergedShape {
  readonly format: ExportFormat;
  readonly all: readonly string[];
  readonly heads: readonly string[];
  readonly dialect: Dialect | undefined;
  /** Parquet is made of the merged lines: only all records together tell its columns. */
  readonly toParquet: boolean;
}

async function shapeOf(parts: readonly MergedPart[], target: Target): Promise<MergedShape> {
  const { path } = target;
  const { job } = (parts[0] as MergedPart).manifest;
  const format = exportFormat(job.format);
  const named = formatOfName(path);
  if (!format || !FORMATS[format].isGrowable)
    throw new UsageError(
      `${job.format} files cannot be merged`,
      `export the parts as csv, tsv, ndjson or json${format === 'parquet' ? '; NDJSON parts can be merged into Parquet' : ''}`,
    );
  const toParquet = named === 'parquet' && format === 'ndjson' && job.flat !== true;
  if (named !== undefined && named !== format && !toParquet)
    throw new UsageError(
      `the parts are ${format}, not ${named}`,
      `name a file that ends in .${FORMATS[format].endings[0]}`,
    );
  const dialect = job.excel === true ? EXCEL : FORMATS[format].table;
  const before = await columnsBefore(target, job, { chosen: undefined, dialect });
  return { format, dialect, toParquet, ...columnsOf((parts[0] as MergedPart).manifest, parts, before) };
}

/** Chosen columns are the same in all parts; of those found, each part may have others. */
function columnsOf(
  { job, columns, heads = columns }: Manifest,
  parts: readonly MergedPart[],
  before: readonly string[],
): Pick<MergedShape, 'all' | 'heads'> {
  const isFound = job.columns === 'found' || job.columns === 'all';
  if (!isFound) return { all: columns, heads };
  const all = [...new Set([...before, ...parts.flatMap(({ manifest }) => manifest.columns)])];
  return { all, heads: job.sqlNames === true ? sqlNames(all) : all };
}

async function parquetWriter([first]: readonly MergedPart[]) {
  const { parquetOf } = await import('./writers/parquet.js');
  const kind = first?.manifest.job.kind as Kind;
  return parquetOf({ kind, chosen: undefined });
}

async function* recordsOf(
  parts: readonly MergedPart[],
  shape: MergedShape,
  tally: Tally,
): AsyncGenerator<string> {
  const seen = createSeenIds();
  let next: string | undefined;
  for (const part of parts) {
    const { path: name, manifest, places } = part;
    const dropped = tally.dropped;
    let found = 0;
    let last: string | undefined;
    let isKept = true;
    for (const { path, added } of places) {
      const plain = readFrom(path, { added: added ?? compressionOf(path) }).setEncoding('latin1');
      for await (const { text, key } of piecesOf(plain, manifest, shape, basename(path))) {
        found++;
        // An identity that a format would write in another way proves nothing.
        if (key !== undefined && next !== undefined && key !== next && /^\w+$/.test(next))
          tally.shifted ??= part;
        next = undefined;
        // The rows of a record that was split over several stand together.
        if (key === undefined || key !== last) {
          isKept = key === undefined || seen.add(key);
          if (!isKept) tally.dropped++;
        }
        last = key;
        if (!isKept) continue;
        tally.rows++;
        yield text;
      }
    }
    const { records, rows = records } = manifest;
    if (found !== rows) {
      const holds = `${grouped(found)} ${rows === records ? 'records' : 'rows'}`;
      throw changedPart(`"${basename(name)}" holds ${holds}; the manifest says ${grouped(rows)}`);
    }
    next = manifest.plan?.next ?? next;
    tally.records += records - (tally.dropped - dropped);
  }
}

function piecesOf(
  text: AsyncIterable<string>,
  { job, columns, heads = columns }: Manifest,
  { format, all, dialect }: MergedShape,
  file: string,
): AsyncGenerator<Piece> {
  const kind = job.kind as Kind;
  if (dialect)
    return tableRows(text, { ...dialect, own: columns, all, kind, file, header: headerOf(dialect, heads) });
  if (format === 'ids') return idRows(text, kind);
  return jsonRows(text, kind, format === 'json' ? '' : '\n');
}

function headerOf({ mark, cell, delimiter }: Dialect, heads: readonly string[]): string {
  return Buffer.from(mark + heads.map(cell).join(delimiter)).toString('latin1');
}

/** What stands before, between and behind the records. */
async function* framed(
  records: AsyncIterable<string>,
  { format, heads, dialect }: MergedShape,
): AsyncGenerator<string> {
  const isArray = format === 'json';
  if (dialect) yield headerOf(dialect, heads) + dialect.lineEnd;
  let isFirst = true;
  for await (const text of records) {
    if (isArray) yield isFirst ? '[\n' : ',\n';
    isFirst = false;
    yield text;
  }
  if (isArray) yield isFirst ? '[]\n' : '\n]\n';
}

const PIECE = 1 << 18;

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let held: string[] = [];
  let length = 0;
  for await (const text of texts) {
    held.push(text);
    length += text.length;
    if (length < PIECE) continue;
    yield Buffer.from(held.join(''), 'latin1');
    held = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(held.join(''), 'latin1');
}

function checkWhole(parts: readonly MergedPart[], { records, shifted }: Tally): void {
  const { total = 0, unreachable = [] } = (parts[0] as MergedPart).manifest.plan ?? {};
  const beyond = unreachable.map(({ what, records }) => `: ${grouped(records)} ${what}`).join('');
  const what =
    records < total
      ? `${grouped(total - records)} of ${grouped(total)} records are in none of the parts${beyond}`
      : shifted && `"${shifted.path}" does not begin where the part before it ends`;
  if (what === undefined) return;
  const isAsPlanned = records < total && beyond !== '';
  throw new OpacError('incomplete', what, {
    hint: isAsPlanned
      ? 'the service gives no way to these records; look for them with --where'
      : 'the service moved while they were exported, or its order is not stable: export the parts again, with --sort',
  });
}

function manifestOf(
  parts: readonly MergedPart[],
  { all: columns, heads, toParquet }: MergedShape,
  { records, rows, dropped }: Tally,
  command: string,
  file: { readonly name: string; readonly bytes: number; readonly sha256: string },
): Manifest {
  const manifests = parts.map(({ manifest }) => manifest);
  const [first] = manifests as [Manifest];
  const sum = (of: (manifest: Manifest) => number) => manifests.reduce((total, each) => total + of(each), 0);
  const { part: _, ...job } = first.job;
  const total = first.plan?.total ?? records;
  const counted = { rows: first.rows === undefined ? undefined : rows };
  return {
    ...first,
    plan: first.plan && { ...first.plan, next: undefined },
    tool: `opac ${VERSION}`,
    command,
    job: { ...job, ...(toParquet && { format: 'parquet' }) } as Manifest['job'],
    reasons: [],
    warnings: manifests.flatMap(({ warnings }) => warnings),
    files: [{ ...file, records, ...counted }],
    started: manifests.map(({ started }) => started).sort()[0] ?? first.started,
    finished: new Date().toISOString(),
    elapsed: sum(({ elapsed }) => elapsed),
    resumed: sum(({ resumed }) => resumed),
    totals: { first: total, last: total, drift: [{ offset: 0, total }] },
    received: sum(({ received }) => received),
    records,
    ...counted,
    duplicates: dropped + sum(({ duplicates }) => duplicates),
    withoutId: sum(({ withoutId }) => withoutId),
    columns,
    heads: headsBeside(columns, heads),
    formulas: sum(({ formulas }) => formulas),
    pages: manifests.flatMap(({ pages }) => pages),
  };
}

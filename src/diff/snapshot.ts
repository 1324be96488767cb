/** Opens an export file and reads its records. Only the kind, id, position and digest of each record stay in memory. */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { manifestPath } from '../export/export-paths.js';
import { type Manifest, mapHeadersToColumns, readManifest } from '../export/verify/manifest.js';
import { getUnsplitPath } from '../export/verify/verify-files.js';
import { DEFAULT_MULTI, parseMultiValueRule, SHEET_MULTI } from '../records/cells/multi-value-rule.js';
import { DecompressedFile } from '../records/files/decompressed-file.js';
import { forEachJsonRecord, type RecordLocation } from '../records/files/json-locations.js';
import { readRow } from '../records/files/read-table.js';
import { forEachRow, readHeader } from '../records/files/table-locations.js';
import { UsageError } from '../service/errors.js';
import { formatCount, formatNumber } from '../service/format-numbers.js';
import { asObject, type JsonObject } from '../service/json.js';
import { KIND_KEYS, type Kind } from '../service/kinds.js';
import { parseJsonLossless } from '../service/parse-json.js';
import { RECORD_COLUMN_NAMES } from '../service/records/columns.js';
import { computeDigest } from '../system/finished-file.js';
import { createJsonRecord, createRowRecord, type SnapshotRecord, type Table } from './snapshot-record.js';

const MAX_SHOWN_BYTES = 60;

export interface SnapshotOptions {
  /** The kind that all records must have. Default: any kind. `records` also means any kind. */
  readonly kind?: Kind | undefined;
  /** The manifest of another snapshot. If this snapshot has no manifest, opac uses the kind and table rules of that manifest. */
  readonly fallbackManifest?: Manifest | undefined;
  /** Returns the column for a header cell that is not in the manifest. */
  readonly getColumn?: ((header: string) => string) | undefined;
  /** Whether the file may have more or fewer records than its manifest says, as tables may. */
  readonly mayBeEdited?: boolean | undefined;
  readonly temporary?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Entry {
  readonly kind: Kind | undefined;
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** The first 96 bits of the SHA-256 of the bytes of the record. */
  readonly digest: string;
  /** The number of a row without an id. `id` is then a text such as `row 12`. */
  readonly row?: number | undefined;
}

export class Snapshot {
  readonly path: string;
  readonly table: Table | undefined;
  readonly manifest: Manifest | undefined;
  readonly file: DecompressedFile;
  /** Whether the file is a table that has no manifest, or that differs from every file in its manifest. */
  readonly isEdited: boolean;
  readonly #options: SnapshotOptions;

  private constructor(
    file: DecompressedFile,
    table: Table | undefined,
    manifest: Manifest | undefined,
    options: SnapshotOptions,
    isEdited: boolean,
  ) {
    this.path = file.path;
    this.table = table;
    this.manifest = manifest;
    this.file = file;
    this.isEdited = isEdited;
    this.#options = options;
  }

  /** Closes the file after the task. Throws a UsageError if the file is not an export. Throws an OpacError for a disk error. */
  static async use<T>(
    path: string,
    options: SnapshotOptions,
    task: (snapshot: Snapshot) => Promise<T>,
  ): Promise<T> {
    const file = await DecompressedFile.open(path, options.temporary, options.signal);
    try {
      const manifest = await findManifest(path);
      const table = await readTable(file, manifest, options);
      const isEdited = table !== undefined && !(await isListedIn(manifest, path, options.signal));
      return await task(new Snapshot(file, table, manifest, options, isEdited));
    } finally {
      await file.close();
    }
  }

  /** Accepts rows without an id only in edited tables, where they are probably new records. */
  async list(signal?: AbortSignal): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    const { kind: wanted } = this.#options;
    const acceptsOneKind = wanted !== undefined && wanted !== 'records';
    let first: Kind | undefined;
    const take = (place: RecordLocation, bytes: Buffer, row?: number) => {
      signal?.throwIfAborted();
      const statedKind = place.kind ?? (place.isTyped ? 'records' : undefined);
      const kind = statedKind ?? (acceptsOneKind ? wanted : this.#manifestKind);
      if (
        kind &&
        (acceptsOneKind ? kind !== wanted : !place.isTyped && first !== undefined && kind !== first)
      )
        throw this.#createMixedKindsError(place, kind, acceptsOneKind ? wanted : (first ?? kind));
      first ??= kind;
      const { start, end } = place;
      const id = row === undefined ? place.id : `row ${row}`;
      const digest = hash('sha256', bytes, 'buffer').toString('latin1', 0, 12);
      entries.push({ kind, id, start, end, digest, row });
    };
    const takeRow = (row: number, place: RecordLocation, bytes: Buffer) => take(place, bytes, row);
    if (this.table)
      await forEachRow(this.file, this.table, this.table.columns, take, this.isEdited ? takeRow : undefined);
    else await forEachJsonRecord(this.file, take);
    const { manifest } = this;
    if (!manifest && entries.length === 0)
      throw new UsageError(`"${this.path}" contains no records`, 'export or copy the file again');
    const mayBeEdited = this.#options.mayBeEdited || this.table !== undefined;
    if (manifest && !mayBeEdited && manifest.files.length === 1 && manifest.records !== entries.length)
      throw new UsageError(
        `"${this.path}" contains ${formatCount(entries.length, 'record')}; its manifest says ${formatNumber(manifest.records)}`,
        'check the file with: opac verify',
      );
    return entries;
  }

  async eachRecord(visit: (record: SnapshotRecord) => void): Promise<void> {
    for (const { kind = 'records', start, end } of await this.list()) visit(this.read(start, end, kind));
  }

  read(start: number, end: number, kind: Kind): SnapshotRecord {
    const bytes = this.file.bytes(start, end);
    if (!this.table)
      return createJsonRecord(this.#refuseFlat(asObject(parseJsonLossless(bytes))), kind, bytes);
    const { cells } = readRow(bytes, 0, this.table) ?? { cells: [] };
    if (cells.slice(this.table.columns.length).some((cell) => cell !== ''))
      throw new UsageError(
        `"${this.path}" has more cells than columns in line ${this.file.lineNumberAt(start)}`,
        'export it again, or fix the line',
      );
    return createRowRecord(cells, this.table, kind);
  }

  /** Throws a UsageError for a record of `--flat`, which has an object as `fields`. All its fields would differ. */
  #refuseFlat(raw: JsonObject): JsonObject {
    if (raw.id === undefined || raw.fields === undefined || Array.isArray(raw.fields)) return raw;
    throw new UsageError(
      `"${this.path}" contains records of --flat, which opac diff cannot compare`,
      'export it again without --flat',
    );
  }

  get #manifestKind(): Kind | undefined {
    const kind = (this.manifest ?? this.#options.fallbackManifest)?.job.kind as Kind | undefined;
    return kind === 'records' ? undefined : kind;
  }

  #createMixedKindsError(place: RecordLocation, kind: Kind, other: Kind): UsageError {
    const [found, others] = [kind, other].map((each) => KIND_KEYS[each].recordType);
    return new UsageError(
      `"${this.path}" contains records of another kind: line ${this.file.lineNumberAt(place.start)} is ${found === 'object' ? 'an' : 'a'} ${found}, not ${others === 'object' ? 'an' : 'a'} ${others}`,
      'use a separate file for each kind, or a file from: opac records export',
    );
  }
}

async function isListedIn(
  { files }: Partial<Manifest> = {},
  path: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!files) return false;
  const { sha256 } = await computeDigest(path, { signal });
  return files.some((each) => each.sha256 === sha256);
}

/** Returns the manifest of an export file, which can be one file of a split export; undefined without a valid manifest. */
export async function findManifest(path: string): Promise<Manifest | undefined> {
  const own = await readManifest(manifestPath(path)).catch(() => undefined);
  if (own) return own;
  const split = await readManifest(manifestPath(getUnsplitPath(path))).catch(() => undefined);
  return split?.files.some(({ name }) => name === basename(path)) ? split : undefined;
}

/** Returns undefined if the file is not a table. For a table without a manifest, assumes the rules of `fallbackManifest`. */
async function readTable(
  file: DecompressedFile,
  own: Manifest | undefined,
  { fallbackManifest, getColumn = (header) => header }: SnapshotOptions,
): Promise<Table | undefined> {
  const isKnownTable = file.sheet !== undefined || /\.[ct]sv(\.\w+)?$/i.test(file.path);
  if (!isKnownTable && /^(?:\ufeff)?\s*(?:[[{]|$)/.test(file.bytes(0, 4096).toString())) return undefined;
  const manifest = own ?? fallbackManifest;
  const names = manifest ? mapHeadersToColumns(manifest) : new Map<string, string>();
  const getColumns = (cells: readonly string[]) =>
    cells.map((cell) => names.get(cell) ?? (cell === 'ID' ? 'id' : getColumn(cell)));
  const header = await readHeader(file, (cells) => getColumns(cells).includes('id'));
  if (!header && !isKnownTable) return undefined;
  if (!header) {
    const [line = ''] = file
      .bytes(0, MAX_SHOWN_BYTES)
      .toString()
      .split(/[\r\n]/);
    throw new UsageError(
      `"${file.path}" is not an export: its first line "${line}" does not contain the column "id"`,
      'give the path of an export (NDJSON, JSON, CSV, TSV or XLSX); if the table has its own headers, rename the column that contains the ids to "id"',
    );
  }
  // Spreadsheet programs may add empty columns at the end.
  const columns = getColumns(header.cells.slice(0, header.cells.findLastIndex((cell) => cell !== '') + 1));
  const positions = new Map(columns.map((name, n) => [name, n]));
  const duplicate = columns.find((name, n) => positions.get(name) !== n);
  if (duplicate !== undefined)
    throw new UsageError(`"${file.path}" has two columns "${duplicate}"`, 'rename one of them');
  const multi = typeof manifest?.job.multi === 'string' ? manifest.job.multi : 'join';
  if (multi.startsWith('rows'))
    throw new UsageError(
      `"${file.path}" has several rows per record (--multi ${multi})`,
      'export it with another value of --multi',
    );
  const wouldContain = (column: string) => isWritten(column, own?.job.columns);
  const isSingleLine = manifest?.job.singleLine === true;
  const rule = parseMultiValueRule(
    multi,
    file.sheet || manifest?.job.format === 'xlsx' ? SHEET_MULTI : DEFAULT_MULTI,
  );
  return { ...header, columns, positions, rule, isRuleKnown: own !== undefined, wouldContain, isSingleLine };
}

/**
 * Whether an export adds the column if a record has a value for it. `columns` is the option of the export: `found` (the default),
 * `all`, or a list of chosen columns, to which an export adds no columns.
 */
function isWritten(column: string, columns: unknown): boolean {
  if (columns !== 'found' && columns !== 'all') return false;
  if (RECORD_COLUMN_NAMES.includes(column)) return true;
  const isForChosenColumns = /^image[.@]|\[\d+\](?:@|$)/.test(column);
  const isDetail = column.includes('@') || /^relationship\..*\.(?:id|slug)$/s.test(column);
  return !isForChosenColumns && (columns === 'all' || !isDetail);
}

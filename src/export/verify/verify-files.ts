/** Checks the files of an export against their manifest. */

import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { createSeenIds, type SeenIds } from '../../client/paging/seen-ids.js';
import { readTable } from '../../records/files/read-table.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { grouped } from '../../service/grouped.js';
import { asObject } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { parseJson } from '../../service/parse-json.js';
import { identity, identityOf } from '../../service/records/identity.js';
import { compressionOf } from '../../system/compression.js';
import { exists } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { digestOf, readFrom } from '../../system/finished-file.js';
import { linesOf } from '../../system/lines.js';
import { type Counting, exportFormat, FORMATS } from '../convert/formats.js';
import type { ExportSpec } from '../export-spec.js';
import { manifestPath, splitPath } from '../target.js';
import {
  columnsByHead,
  type Manifest,
  type ManifestFile,
  readManifest,
  USE_ITS_VERSION,
} from './manifest.js';
import {
  manifestBeforeCompression,
  manifestOfContent,
  type Place,
  placeIn,
  renamedPlace,
} from './rotated.js';

export interface Verification {
  readonly manifest: Manifest;
  readonly manifestPath: string;
  readonly problems: readonly string[];
  readonly records: number;
  readonly distinct: number | undefined;
}

/**
 * Compares size, SHA-256, records and distinct ids of every file with the manifest. `path`: the file, one of a split export,
 * or the manifest. Throws an OpacError without a manifest or for one that cannot be read, a UsageError for one of another
 * version, and the signal's reason.
 */
export async function verifyFile(path: string, signal?: AbortSignal): Promise<Verification> {
  const found = await findManifest(path, signal);
  const manifest = await readManifest(found);
  const { job, files } = manifest;
  const problems: string[] = [];
  const seen = createSeenIds();
  let records = 0;
  let hasIds = true;
  const isRenamed = files.length === 1 && path !== found && (await exists(path));
  const name = basename(path);
  if (!isRenamed && path !== found && !files.some((file) => file.name === name)) {
    if (await exists(path)) problems.push(`the manifest does not name "${name}"`);
    else if (!files.some((file, n) => file.name === splitPath(name, n + 1))) throw notFound(path);
  }
  for (const file of files) {
    const place = isRenamed ? renamedPlace(path, file) : await placeIn(dirname(found), file);
    const problem = await problemOf(place, file, signal);
    if (problem) {
      problems.push(problem);
      continue;
    }
    const counted = await countRecords(place, file, manifest, { seen, signal });
    const hasRows = String(job.multi).startsWith('rows');
    records += hasRows ? file.records : counted.records;
    hasIds &&= counted.hasIds;
    const said = hasRows ? (file.rows ?? counted.records) : file.records;
    if (counted.records !== said) {
      const what = hasRows ? 'rows' : 'records';
      problems.push(
        `"${file.name}" holds ${grouped(counted.records)} ${what}; the manifest says ${grouped(said)}`,
      );
    }
  }
  const distinct = hasIds ? seen.size : undefined;
  if (problems.length === 0 && distinct !== undefined && distinct !== manifest.records - manifest.withoutId) {
    problems.push(
      `the files hold ${grouped(distinct)} different ids; the manifest says ${grouped(manifest.records - manifest.withoutId)}`,
    );
  }
  if (problems.length === 0 && distinct === undefined && records !== manifest.records)
    problems.push(
      `the files hold ${grouped(records)} records; the manifest says ${grouped(manifest.records)}`,
    );
  return { manifest, manifestPath: found, problems, records, distinct };
}

export async function findManifest(path: string, signal: AbortSignal | undefined): Promise<string> {
  const whole = path.replace(/-\d{3,}(?=\.[^/\\]*$|$)/, '');
  const candidates = [
    path.endsWith('.manifest.json') ? path : undefined,
    manifestPath(path),
    manifestPath(whole),
    manifestBeforeCompression(path),
  ];
  for (const candidate of candidates) if (candidate && (await exists(candidate))) return candidate;
  const found = await manifestOfContent(path, signal);
  if (found) return found;
  if (!(await exists(path))) throw notFound(path);
  throw new OpacError('incomplete', `no manifest found next to "${path}"`, {
    hint: 'opac writes one next to every file it exports',
    code: 'no-manifest',
  });
}

function notFound(path: string): OpacError {
  return new OpacError('incomplete', `file not found: "${path}"`, {
    hint: 'name files that an export wrote',
    code: 'no-file',
  });
}

/** How a file differs from what its manifest says of its bytes; undefined when it does not. */
export async function problemOf(
  { path, added }: Place,
  { bytes, sha256 }: ManifestFile,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const name = basename(path);
  if (!(await exists(path))) return `"${name}" is missing`;
  if (!(await stat(path)).isFile()) return `"${name}" is not a regular file`;
  const wrongSize = (size: number) =>
    `"${name}" has ${grouped(size)} bytes; the manifest says ${grouped(bytes)}`;
  const { size } = await stat(path);
  if (!added && size !== bytes) return wrongSize(size);
  const digest = await digestOf(path, { added, signal });
  if (digest.bytes !== bytes) return wrongSize(digest.bytes);
  return digest.sha256 === sha256 ? undefined : `"${name}" was changed: its SHA-256 differs`;
}

interface Counted {
  readonly records: number;
  readonly hasIds: boolean;
}

type Count = (text: Readable, manifest: Manifest, seen: SeenIds) => Promise<Counted>;

const COUNTS: Readonly<Record<Exclude<Counting, 'digest'>, Count>> = {
  csv: (text, manifest, seen) => countRows(text, manifest, 'csv', seen),
  tsv: (text, manifest, seen) => countRows(text, manifest, 'tsv', seen),
  json: (text, { job }, seen) => countJson(text, job, seen),
  ids: (text, { job }, seen) => countIds(text, job, seen),
};

/** `name`: as exported, which tells the compression. */
async function countRecords(
  { path, added }: Place,
  { name, records, rows }: ManifestFile,
  manifest: Manifest,
  { seen, signal }: { readonly seen: SeenIds; readonly signal: AbortSignal | undefined },
): Promise<Counted> {
  const format = exportFormat(manifest.job.format);
  if (!format)
    throw new UsageError(
      `this version of opac does not know the format ${manifest.job.format}`,
      USE_ITS_VERSION,
    );
  const { counting } = FORMATS[format];
  if (counting === 'digest') return { records: rows ?? records, hasIds: false };
  try {
    const plain = readFrom(path, { added: added ?? compressionOf(name), signal });
    return await COUNTS[counting](plain.setEncoding('utf8'), manifest, seen);
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(error, 'read', path);
  }
}

/** One record per line; in an array between brackets, with commas. */
async function countJson(text: Readable, { kind }: ExportSpec, seen: SeenIds): Promise<Counted> {
  let records = 0;
  for await (const line of linesOf(text)) {
    if (/^(?:\[|\]|\[\])$/.test(line)) continue;
    records++;
    const id = identityOf(asObject(parseJson(line.replace(/,$/, ''))), kind as Kind);
    if (id) seen.add(id);
  }
  return { records, hasIds: true };
}

async function countIds(text: Readable, { kind }: ExportSpec, seen: SeenIds): Promise<Counted> {
  let records = 0;
  for await (const id of linesOf(text)) {
    records++;
    if (id) seen.add(id);
  }
  // Records of different kinds may share an id.
  return { records, hasIds: kind !== 'records' };
}

async function countRows(
  text: Readable,
  manifest: Manifest,
  format: 'csv' | 'tsv',
  seen: SeenIds,
): Promise<Counted> {
  const { kind, excel } = manifest.job;
  const names = columnsByHead(manifest);
  let header: readonly string[] | undefined;
  let rows = 0;
  let id = -1;
  let recordType = -1;
  for await (const row of readTable(text, { format, excel: excel === true })) {
    if (!header) {
      header = row.map((head) => names.get(head) ?? head);
      id = header.indexOf('id');
      recordType = kind === 'records' ? header.indexOf('recordType') : -1;
      continue;
    }
    rows++;
    const known = identity(recordType < 0 ? 'objects' : 'records', row[id] ?? '', row[recordType] ?? '');
    if (known) seen.add(known);
  }
  return { records: rows, hasIds: id >= 0 && (kind !== 'records' || recordType >= 0) };
}

/**
 * A description beside the data (`--describe`): a Data Package of Frictionless, version 1, as its readers in Python, R and
 * JavaScript take it. The licence is left to the user: members that this program does not write stay as they are.
 */
import { basename } from 'node:path';
import { UsageError } from '../service/errors.js';
import { isObject, type JsonObject } from '../service/json.js';
import { parseJsonLossless } from '../service/parse-json.js';
import { parseColumn } from '../service/records/columns.js';
import { COMPRESSION_EXTENSIONS } from '../system/compression.js';
import { pathExists } from '../system/error-code.js';
import { readRegularFile } from '../system/regular-file.js';
import { replaceFile } from '../system/replace-file.js';
import type { TypedField } from './convert/converter.js';
import { DEFAULT_FORMAT, FORMATS, parseExportFormat } from './convert/formats.js';
import { manifestPath } from './export-paths.js';
import type { Manifest, ManifestFile } from './verify/manifest.js';

export function getDataPackagePath(path: string): string {
  return `${path}.datapackage.json`;
}

export interface DataPackageInput {
  /** What the files are named after. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** Writes the description where it is wanted, or lies there from an earlier export. Gives its path. */
export async function writeDataPackage(
  { path, manifest }: DataPackageInput,
  isWanted: boolean,
): Promise<string | undefined> {
  const place = getDataPackagePath(path);
  if (!isWanted && !(await pathExists(place))) return undefined;
  const before = await readDescription(place);
  if (!isWanted && before?.resources === undefined) return undefined;
  const ours = dataPackage(path, manifest);
  const theirs = Object.entries(before ?? {}).filter(([name]) => !Object.hasOwn(ours, name));
  await replaceFile(place, `${JSON.stringify({ ...ours, ...Object.fromEntries(theirs) }, null, 2)}\n`);
  return place;
}

/** Throws a UsageError when what stands there is no JSON: what the user wrote in it would be lost. */
export async function assertDataPackageReadable(path: string): Promise<void> {
  const place = getDataPackagePath(path);
  if (!(await pathExists(place)) || (await readDescription(place))) return;
  throw new UsageError(`"${place}" is not a description in JSON`, 'mend it, or move it away');
}

async function readDescription(path: string): Promise<JsonObject | undefined> {
  try {
    const read: unknown = parseJsonLossless(await readRegularFile(path));
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function dataPackage(path: string, manifest: Manifest) {
  const { deployment, kind } = manifest.job;
  return {
    profile: 'data-package',
    name: slug(basename(path)),
    created: manifest.finished,
    sources: [{ title: deployment, ...(/^https?:/.test(deployment) && { path: deployment }) }],
    resources: manifest.files.map((file) => resource(file, manifest)),
    // Not in the specification, which leaves room for more.
    exportedBy: { tool: manifest.tool, kind, manifest: basename(manifestPath(path)) },
  };
}

function resource(file: ManifestFile, manifest: Manifest) {
  const format = parseExportFormat(manifest.job.format) ?? DEFAULT_FORMAT;
  const { isText, mediaType } = FORMATS[format];
  const compression = COMPRESSION_EXTENSIONS.find((ending) =>
    file.name.toLowerCase().endsWith(ending),
  )?.slice(1);
  const schema = schemaOf(manifest);
  const dialect = dialectOf(manifest);
  const isTable = dialect !== undefined;
  return {
    name: slug(file.name),
    path: file.name,
    profile: isTable ? 'tabular-data-resource' : 'data-resource',
    // Readers know no other name for text in columns; the dialect says the rest.
    format: isTable ? 'csv' : format,
    mediatype: mediaType,
    ...(isText && { encoding: 'utf-8' }),
    ...(compression && { compression }),
    bytes: file.bytes,
    hash: `sha256:${file.sha256}`,
    records: file.records,
    ...(schema && { rows: file.rows ?? file.records, dialect, schema }),
  };
}

function formatOf({ format }: Manifest['job']) {
  return FORMATS[parseExportFormat(format) ?? DEFAULT_FORMAT];
}

function dialectOf({ job }: Manifest) {
  const { table, isText, hasIdsOnly = false } = formatOf(job);
  if (!(isText && table) && !hasIdsOnly) return undefined;
  return {
    delimiter: table?.delimiter ?? ',',
    lineTerminator: job.excel === true ? '\r\n' : '\n',
    quoteChar: '"',
    doubleQuote: true,
    skipInitialSpace: false,
    header: !hasIdsOnly,
  };
}

/** Undefined for the service's own JSON, whose shape is that of the interface. */
function schemaOf(manifest: Manifest) {
  const fields = fieldsOf(manifest);
  if (fields.length === 0) return undefined;
  const { job, withoutId, rows, columns, heads = columns, fields: typed } = manifest;
  const hasOwnId = typed?.some(({ name }) => name === 'id') || job.flat === true || formatOf(job).hasIdsOnly;
  const id = hasOwnId ? 'id' : heads[columns.indexOf('id')];
  const isKey = job.kind !== 'records' && withoutId === 0 && rows === undefined && id !== undefined;
  return { fields, missingValues: [''], ...(isKey && { primaryKey: id }) };
}

/** The normal form (service/records/flat.ts). */
const FLAT_FIELDS = {
  id: 'string',
  recordType: 'string',
  title: 'string',
  slug: 'string',
  collection: 'object',
  fields: 'object',
  attributes: 'object',
  images: 'array',
  relationships: 'object',
};

function fieldsOf({ job, fields, columns, heads = columns }: Manifest): readonly TypedField[] {
  if (fields) return fields;
  if (job.flat === true) return Object.entries(FLAT_FIELDS).map(([name, type]) => ({ name, type }));
  if (formatOf(job).hasIdsOnly) return [{ name: 'id', type: 'string' }];
  return columns.map((name, n) => ({ name: heads[n] ?? name, type: typeOf(name, job) }));
}

/** Identifiers are strings, and so is whatever a museum wrote; a workbook mixes dates with texts from before 1900. */
function typeOf(name: string, job: Manifest['job']): string {
  if (name === 'image.count') return 'integer';
  if (formatOf(job).hasMixedDates && /@(earliest|latest)_date$/.test(name)) return 'any';
  return job.multi === 'json' && parseColumn(name).isList ? 'array' : 'string';
}

/** A name as the specification has them. */
function slug(file: string): string {
  return (
    file
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9._]+/g, '-')
      .replace(/^[-.]+|-$/g, '') || 'export'
  );
}

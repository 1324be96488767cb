/**
 * A description beside the data (`--describe`): a Data Package of Frictionless, version 1, as its readers in Python, R and
 * JavaScript take it. The licence is left to the user: members that this program does not write stay as they are.
 */
import { basename } from 'node:path';
import { UsageError } from '../service/errors.js';
import { isObject, type JsonObject } from '../service/json.js';
import { parseJson } from '../service/parse-json.js';
import { type ColumnHead, column } from '../service/records/columns.js';
import { ENDINGS } from '../system/compression.js';
import { exists } from '../system/error-code.js';
import { readOurs } from '../system/our-file.js';
import { replaceFile } from '../system/replace-file.js';
import type { TypedField } from './convert/converter.js';
import { DEFAULT_FORMAT, exportFormat, FORMATS } from './convert/formats.js';
import { manifestPath } from './target.js';
import type { Manifest, ManifestFile } from './verify/manifest.js';

export function descriptionPath(path: string): string {
  return `${path}.datapackage.json`;
}

export interface Described {
  /** What the files are named after. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** Writes the description where it is wanted, or lies there from an earlier export. Gives its path. */
export async function describeFiles(
  { path, manifest }: Described,
  isWanted: boolean,
): Promise<string | undefined> {
  const place = descriptionPath(path);
  if (!isWanted && !(await exists(place))) return undefined;
  const before = await readDescription(place);
  if (!isWanted && before?.resources === undefined) return undefined;
  const ours = dataPackage(path, manifest);
  const theirs = Object.entries(before ?? {}).filter(([name]) => !Object.hasOwn(ours, name));
  await replaceFile(place, `${JSON.stringify({ ...ours, ...Object.fromEntries(theirs) }, null, 2)}\n`);
  return place;
}

/** Throws a UsageError when what stands there is no JSON: what the user wrote in it would be lost. */
export async function checkDescription(path: string): Promise<void> {
  const place = descriptionPath(path);
  if (!(await exists(place)) || (await readDescription(place))) return;
  throw new UsageError(`"${place}" is not a description in JSON`, 'mend it, or move it away');
}

async function readDescription(path: string): Promise<JsonObject | undefined> {
  try {
    const read: unknown = parseJson(await readOurs(path));
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
  const format = exportFormat(manifest.job.format) ?? DEFAULT_FORMAT;
  const { isText, mediaType } = FORMATS[format];
  const compression = ENDINGS.find((ending) => file.name.toLowerCase().endsWith(ending))?.slice(1);
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
  return FORMATS[exportFormat(format) ?? DEFAULT_FORMAT];
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
  const typed = manifest.fields;
  const fields = typed?.map(describedType) ?? fieldsOf(manifest);
  if (fields.length === 0) return undefined;
  const { job, withoutId, rows, columns, heads = columns } = manifest;
  const hasOwnId = typed?.some(({ name }) => name === 'id') || job.flat === true || formatOf(job).hasIdsOnly;
  const id = hasOwnId ? 'id' : heads[columns.indexOf('id')];
  const isKey = job.kind !== 'records' && withoutId === 0 && rows === undefined && id !== undefined;
  return { fields, missingValues: [''], ...(isKey && { primaryKey: id }) };
}

/** The normal form (service/records/flat.ts). */
const FLAT: Readonly<Record<string, readonly [type: string, description: string]>> = {
  id: ['string', 'identifier of the record in the service'],
  recordType: ['string', 'kind of record'],
  title: ['string', 'title of the record'],
  slug: ['string', 'name of the record in addresses; not unique'],
  collection: ['object', 'collection of the record: id and name'],
  fields: ['object', 'values of each field, as lists'],
  attributes: ['object', 'attributes of values, as lists in step with those'],
  images: ['array', 'images with their sizes, colours and labels'],
  relationships: ['object', 'related records of each relationship'],
};

function describedType({ name, type }: TypedField) {
  const [, whole = name, isAttributes] = /^(.*?)(_attributes)?$/s.exec(name) ?? [];
  const known = FLAT[name]?.[1];
  return {
    name,
    type,
    description: known ?? `${isAttributes ? 'attributes of the values' : 'values'} of field "${whole}"`,
  };
}

function fieldsOf({ job, columns, heads = columns }: Manifest) {
  if (job.flat === true)
    return Object.entries(FLAT).map(([name, [type, description]]) => ({ name, type, description }));
  if (formatOf(job).hasIdsOnly) return [{ name: 'id', type: 'string', description: MEANINGS.id }];
  return columns.map((name, n) => field({ name, head: heads[n] ?? name }, job));
}

const MEANINGS: Readonly<Record<string, string>> = {
  id: 'identifier of the record in the service',
  title: 'title of the record',
  recordType: 'kind of record',
  slug: 'name of the record in addresses; not unique',
  collection: 'collection of the record',
  label: 'labels of the images, from image recognition',
  'image.count': 'number of images',
  'image.url': 'address of the largest size of each image',
};

function field({ name, head }: ColumnHead, job: Manifest['job']) {
  const { field: identifier, isList } = column(name);
  const rule = String(job.multi).split(',')[0] ?? '';
  const known = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
  const meaning =
    known ?? (identifier === undefined ? `column ${name} of opac` : meaningOfField(name, identifier));
  const several = isList ? (SEVERAL[rule.split('=')[0] ?? ''] ?? '') : '';
  return { name: head, type: typeOf(name, isList, job, rule), description: meaning + several };
}

function meaningOfField(name: string, identifier: string): string {
  const [, index, attribute] = /(?:\[(\d+)\])?(?:@([^@]+))?$/.exec(name) ?? [];
  const which = index === undefined ? '' : `value ${Number(index) + 1} of `;
  return `${which}${attribute === undefined ? '' : `attribute "${attribute}" of `}field "${identifier}"`;
}

/** What stands in a cell of a column that can have several values, by the rule of `--multi`. */
const SEVERAL: Readonly<Record<string, string>> = {
  join: '; several values are joined',
  json: '; a list of values as JSON',
  first: '; the first of several values',
  rows: '; one value a row, or several joined',
};

/** Identifiers are strings, and so is whatever a museum wrote; a workbook mixes dates with texts from before 1900. */
function typeOf(name: string, isList: boolean, job: Manifest['job'], rule: string): string {
  if (name === 'image.count') return 'integer';
  if (formatOf(job).hasMixedDates && /@(earliest|latest)_date$/.test(name)) return 'any';
  return isList && rule === 'json' ? 'array' : 'string';
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

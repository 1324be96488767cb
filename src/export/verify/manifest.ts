/** The manifest of an export: the search, the counts of records, and the hashes of the files. */
import { UsageError } from '../../service/errors.js';
import { formatCount } from '../../service/format-numbers.js';
import { asList, asObject } from '../../service/json.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { fileError } from '../../system/file-error.js';
import { readRegularFile } from '../../system/regular-file.js';
import { type Content, checkContent, SIZE, TEXTS } from '../../system/schema.js';
import * as v from '../../system/valibot.js';
import { DRIFT, NOT_UTF8, PAGES } from '../collect/export-counts.js';
import { SLICE_PLAN } from '../collect/source/slices/slice-plan.js';
import { EXPORT_JOB } from '../export-job.js';

/** Increase this number when older versions would misread new manifests. This version reads all earlier formats. */
export const MANIFEST_FORMAT = 1;

/** The maximum number of files of an export. A hostile manifest could list millions. */
export const MAX_FILES = 100_000;

/** A file name without a path. */
const FILE_NAME = v.pipe(
  v.string(),
  v.check((name) => !/^\.{0,2}$|[/\\\0]/.test(name)),
);

const MANIFEST_FILE = v.object({
  name: FILE_NAME,
  bytes: SIZE,
  sha256: v.string(),
  records: SIZE,
  /** Only if a record may have several rows (`--multi rows`). */
  rows: v.optional(SIZE),
});
/** The size, hash and number of records of a file. */
export type ManifestFile = Content<typeof MANIFEST_FILE>;

const ID_CHECK = v.object({
  /** Whether the export has exactly the ids that the service listed. */
  isSettled: v.boolean(),
  listings: SIZE,
  requests: SIZE,
  /** Records that opac fetched by id. */
  added: SIZE,
  /** Records that opac removed, because the service no longer listed them. */
  dropped: SIZE,
  /** Ids that the service listed, but for which it returned no record. */
  missing: TEXTS,
  /** Records that opac kept, although the service no longer listed them. */
  unlisted: v.optional(SIZE),
});
export type ManifestIdCheck = Content<typeof ID_CHECK>;

/** Keys that the first version of opac did not write are optional or have a default. */
const MANIFEST = v.object({
  format: SIZE,
  tool: v.string(),
  command: v.string(),
  job: EXPORT_JOB,
  complete: v.boolean(),
  reasons: TEXTS,
  warnings: TEXTS,
  files: v.pipe(v.array(MANIFEST_FILE), v.maxLength(MAX_FILES)),
  started: v.string(),
  finished: v.string(),
  elapsed: SIZE,
  resumed: SIZE,
  totals: v.object({ first: v.nullable(SIZE), last: v.nullable(SIZE), drift: DRIFT }),
  /** Records that the service sent. */
  received: SIZE,
  /** Records in the files. */
  records: SIZE,
  rows: v.optional(SIZE),
  duplicates: SIZE,
  withoutId: SIZE,
  /** Records without fields, with too few images, or with unreadable parts. */
  withoutFields: v.optional(SIZE, 0),
  /** Records in the files that do not match the filters of the search. */
  excluded: v.optional(SIZE, 0),
  /** Number of records of the export that this export replaced. */
  replaces: v.optional(SIZE, 0),
  gaps: v.array(v.object({ offset: SIZE, limit: SIZE, reason: v.string() })),
  notFound: TEXTS,
  /** Absent if opac did not compare the ids. */
  idCheck: v.optional(ID_CHECK),
  /** The number of records with invalid UTF-8, and up to a thousand of their ids. */
  notUtf8: v.optional(NOT_UTF8, { records: 0, ids: [] }),
  columns: TEXTS,
  /** Only if the headers differ from the column names. */
  heads: v.optional(TEXTS),
  /** Only for formats with types: the types of a Table Schema. */
  fields: v.optional(v.array(v.object({ name: v.string(), type: v.string() }))),
  formulas: SIZE,
  pages: PAGES,
  plan: v.optional(SLICE_PLAN),
});
/** The content of the manifest of an export. */
export type Manifest = Content<typeof MANIFEST>;

export function mapHeadersToColumns({
  columns,
  heads: headers = columns,
}: Manifest): ReadonlyMap<string, string> {
  return new Map(headers.map((header, n) => [header, columns[n] ?? header]));
}

export function getChangedHeaders(
  columns: readonly string[],
  headers: readonly string[] = columns,
): readonly string[] | undefined {
  return headers.some((header, n) => header !== columns[n]) ? headers : undefined;
}

const ON_ONE_LINE = ['pages', 'slices'];

export function serializeManifest(manifest: Manifest): string {
  const lists: string[] = [];
  const text = JSON.stringify(
    manifest,
    (key, value: unknown) => {
      if (!ON_ONE_LINE.includes(key)) return value;
      return `list ${lists.push(JSON.stringify(value)) - 1} as below`;
    },
    2,
  );
  // Matches the keys too, because other values may contain the same text.
  const places = /(?<="(?:pages|slices)": )"list (\d+) as below"/g;
  return `${text.replace(places, (_, n: string) => lists[Number(n)] ?? '')}\n`;
}

const EXPORT_AGAIN = 'export again';

/** Thrown for a manifest that opac cannot have written in this form. */
export class DamagedManifestError extends UsageError {}

/** Throws a DamagedManifestError for a damaged manifest, a UsageError for a newer format, and an OpacError for a read error. */
export async function readManifest(path: string): Promise<Manifest> {
  let manifest: unknown;
  try {
    manifest = parseJsonLossless(await readRegularFile(path));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new DamagedManifestError(`cannot use the manifest "${path}": it is not JSON`, EXPORT_AGAIN);
    throw fileError(error, 'read', path);
  }
  const { format } = asObject(manifest);
  if (typeof format !== 'number' || format < 1)
    throw new DamagedManifestError(`cannot read the manifest "${path}": opac did not write it`, EXPORT_AGAIN);
  if (format > MANIFEST_FORMAT) {
    const newer = `a newer version of opac wrote it (format ${format}, this version reads up to ${MANIFEST_FORMAT})`;
    const hint = 'use the version that wrote it: see "tool" in the manifest';
    throw new UsageError(`cannot read the manifest "${path}": ${newer}`, hint);
  }
  const createError = (why: string) =>
    new DamagedManifestError(`cannot use the manifest "${path}": ${why}`, EXPORT_AGAIN);
  return checkContent(MANIFEST, manifest, (key) => createError(`its "${key}" is damaged`));
}

/** Returns sentences about missing records. Compares several keys, because an edited manifest may contradict itself. */
export function listGaps({ complete, reasons, gaps }: Manifest): readonly string[] {
  const named = asList(gaps).length;
  const all = [
    ...reasons.map((reason) => `the export was incomplete: ${reason}`),
    ...(named > 0 && reasons.length === 0 ? [`the manifest lists ${formatCount(named, 'gap')}`] : []),
  ];
  if (!complete) return all.length > 0 ? all : ['the export was incomplete'];
  return all.length > 0
    ? [...all, 'the manifest is not valid: it also states that the export is complete']
    : [];
}

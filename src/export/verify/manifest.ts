/** The manifest of an export: what was requested, what arrived, and how to verify the files. */

import { UsageError } from '../../service/errors.js';
import { asObject } from '../../service/json.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { fileError } from '../../system/file-error.js';
import { readRegularFile } from '../../system/regular-file.js';
import { type Content, checkContent, SIZE, TEXTS } from '../../system/schema.js';
import * as v from '../../system/valibot.js';
import { DRIFT, NOT_UTF8, PAGES } from '../collect/export-counts.js';
import { SLICE_PLAN } from '../collect/source/slices/slice-plan.js';
import { isExportJob } from '../export-job.js';

/** Raised when an older version would misread a manifest; this one reads all before. */
export const MANIFEST_FORMAT = 1;

/** A plain file name: no folder, nothing that leads out of one. */
const FILE_NAME = v.pipe(
  v.string(),
  v.check((name) => !/^\.{0,2}$|[/\\\0]/.test(name)),
);

const MANIFEST_FILE = v.object({
  name: FILE_NAME,
  bytes: SIZE,
  sha256: v.string(),
  records: SIZE,
  /** Where a record may have several (`--multi rows`). */
  rows: v.optional(SIZE),
});
export type ManifestFile = Content<typeof MANIFEST_FILE>;

const ID_CHECK = v.object({
  /** Whether the export has the ids that the service listed. */
  isSettled: v.boolean(),
  listings: SIZE,
  requests: SIZE,
  /** Records that were fetched by their ids, and records that the service no longer listed. */
  added: SIZE,
  dropped: SIZE,
  missing: TEXTS,
});
export type ManifestIdCheck = Content<typeof ID_CHECK>;

/** Members that the first version did not write are optional, or have a default. */
const MANIFEST = v.object({
  format: SIZE,
  tool: v.string(),
  command: v.string(),
  job: isExportJob,
  complete: v.boolean(),
  reasons: TEXTS,
  warnings: TEXTS,
  files: v.array(MANIFEST_FILE),
  started: v.string(),
  finished: v.string(),
  elapsed: SIZE,
  resumed: SIZE,
  totals: v.object({ first: v.nullable(SIZE), last: v.nullable(SIZE), drift: DRIFT }),
  /** Sent by the service, written, and dropped as duplicates. */
  received: SIZE,
  records: SIZE,
  /** Where a record may have several (`--multi rows`). */
  rows: v.optional(SIZE),
  duplicates: SIZE,
  withoutId: SIZE,
  /** The records of the export that stood at the target. */
  replaces: v.optional(SIZE, 0),
  gaps: v.array(v.object({ offset: SIZE, limit: SIZE, reason: v.string() })),
  notFound: TEXTS,
  /** How the ids were compared with those of the service at the end of the run; absent where they were not. */
  idCheck: v.optional(ID_CHECK),
  /** Records whose bytes are not UTF-8, and the first thousand of their ids. */
  notUtf8: v.optional(NOT_UTF8, { records: 0, ids: [] }),
  columns: TEXTS,
  /** What the columns are called in the file, where not by their names. */
  heads: v.optional(TEXTS),
  /** Of a format with types of its own: its columns, with types of a Table Schema. */
  fields: v.optional(v.array(v.object({ name: v.string(), type: v.string() }))),
  formulas: SIZE,
  pages: PAGES,
  /** How the search was sliced; absent where it was not. */
  plan: v.optional(SLICE_PLAN),
});
export type Manifest = Content<typeof MANIFEST>;

/** The columns of a table by what they are called in the file. */
export function mapHeadersToColumns({ columns, heads = columns }: Manifest): ReadonlyMap<string, string> {
  return new Map(heads.map((head, n) => [head, columns[n] ?? head]));
}

/** The heads for a manifest: undefined where they are the names of the columns. */
export function getChangedHeaders(
  columns: readonly string[],
  heads: readonly string[] = columns,
): readonly string[] | undefined {
  return heads.some((head, n) => head !== columns[n]) ? heads : undefined;
}

/** Members that are long lists, each on a line of its own. */
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
  // By their keys: another member may hold such a text.
  const places = /(?<="(?:pages|slices)": )"list (\d+) as below"/g;
  return `${text.replace(places, (_, n: string) => lists[Number(n)] ?? '')}\n`;
}

const EXPORT_AGAIN = 'export again';

const USE_ITS_VERSION = 'use the version that wrote it: see "tool" in the manifest';

/** Throws an OpacError when it cannot be read, a UsageError for another version. */
export async function readManifest(path: string): Promise<Manifest> {
  let manifest: unknown;
  try {
    manifest = parseJsonLossless(await readRegularFile(path));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UsageError(`cannot use the manifest "${path}": it is not JSON`, EXPORT_AGAIN);
    throw fileError(error, 'read', path);
  }
  const { format } = asObject(manifest);
  if (typeof format !== 'number' || format < 1 || format > MANIFEST_FORMAT) {
    const newer = `a newer opac wrote it (format ${format}, this version reads up to ${MANIFEST_FORMAT})`;
    const why = typeof format === 'number' && format > MANIFEST_FORMAT ? newer : 'it is none of opac';
    throw new UsageError(`cannot read the manifest "${path}": ${why}`, USE_ITS_VERSION);
  }
  const refusal = (why: string) => new UsageError(`cannot use the manifest "${path}": ${why}`, EXPORT_AGAIN);
  return checkContent(MANIFEST, manifest, (member) => refusal(`its "${member}" is damaged`));
}

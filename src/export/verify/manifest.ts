/** The manifest of an export: what was requested, what arrived, and how to verify the files. */

import type { NotUtf8 } from '../../records/json/not-utf8.js';
import { UsageError } from '../../service/errors.js';
import { asObject } from '../../service/json.js';
import { parseJson } from '../../service/parse-json.js';
import { fileError } from '../../system/file-error.js';
import { readOurs } from '../../system/our-file.js';
import {
  baseName,
  flag,
  listOf,
  members,
  orAbsent,
  orNull,
  type Shape,
  size,
  slicePlan,
  text,
  wrongMember,
} from '../../system/shape.js';
import type { PageEntry } from '../collect/run-counts.js';
import type { SlicePlan } from '../collect/source/slices/plan.js';
import { EXPORT_SPEC, type ExportSpec } from '../export-spec.js';

/** Raised when an older version would misread a manifest; this one reads all before. */
export const MANIFEST_FORMAT = 1;

export interface ManifestFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly records: number;
  /** Where a record may have several (`--multi rows`). */
  readonly rows?: number | undefined;
}

export interface ManifestIdCheck {
  /** Whether the export has the ids that the service listed. */
  readonly isSettled: boolean;
  readonly listings: number;
  readonly requests: number;
  /** Records that were fetched by their ids, and records that the service no longer listed. */
  readonly added: number;
  readonly dropped: number;
  readonly missing: readonly string[];
}

export interface ManifestGap {
  readonly offset: number;
  readonly limit: number;
  readonly reason: string;
}

export interface Manifest {
  readonly format: number;
  readonly tool: string;
  readonly command: string;
  readonly job: ExportSpec;
  readonly complete: boolean;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly files: readonly ManifestFile[];
  readonly started: string;
  readonly finished: string;
  readonly elapsed: number;
  readonly resumed: number;
  readonly totals: {
    readonly first: number | null;
    readonly last: number | null;
    readonly drift: readonly { readonly offset: number; readonly total: number }[];
  };
  /** Sent by the service, written, and dropped as duplicates. */
  readonly received: number;
  readonly records: number;
  /** Where a record may have several (`--multi rows`). */
  readonly rows?: number | undefined;
  readonly duplicates: number;
  readonly withoutId: number;
  /** The records of the export that stood at the target. */
  readonly replaces: number;
  readonly gaps: readonly ManifestGap[];
  readonly notFound: readonly string[];
  /** How the ids were compared with those of the service at the end of the run; absent where they were not. */
  readonly idCheck?: ManifestIdCheck | undefined;
  /** Records whose bytes are not UTF-8, and the first thousand of their ids. */
  readonly notUtf8: NotUtf8;
  readonly columns: readonly string[];
  /** What the columns are called in the file, where not by their names. */
  readonly heads?: readonly string[] | undefined;
  /** Of a format with types of its own: its columns, with types of a Table Schema. */
  readonly fields?: readonly { readonly name: string; readonly type: string }[] | undefined;
  readonly formulas: number;
  readonly pages: readonly PageEntry[];
  /** How the search was sliced; absent where it was not. */
  readonly plan?: SlicePlan | undefined;
}

const SHAPE: Readonly<Record<string, Shape>> = {
  job: EXPORT_SPEC,
  complete: flag,
  reasons: listOf(text),
  warnings: listOf(text),
  files: listOf(members({ name: baseName, bytes: size, sha256: text, records: size, rows: orAbsent(size) })),
  finished: text,
  totals: members({ first: orNull(size), last: orNull(size) }),
  records: size,
  rows: orAbsent(size),
  withoutId: size,
  columns: listOf(text),
  heads: orAbsent(listOf(text)),
  fields: orAbsent(listOf(members({ name: text, type: text }))),
  idCheck: orAbsent(
    members({
      isSettled: flag,
      listings: size,
      requests: size,
      added: size,
      dropped: size,
      missing: listOf(text),
    }),
  ),
  plan: orAbsent(slicePlan),
};

export function wrongInManifest(manifest: unknown): string | undefined {
  return wrongMember(manifest, SHAPE);
}

/** The columns of a table by what they are called in the file. */
export function columnsByHead({ columns, heads = columns }: Manifest): ReadonlyMap<string, string> {
  return new Map(heads.map((head, n) => [head, columns[n] ?? head]));
}

/** The heads for a manifest: undefined where they are the names of the columns. */
export function headsBeside(
  columns: readonly string[],
  heads: readonly string[] = columns,
): readonly string[] | undefined {
  return heads.some((head, n) => head !== columns[n]) ? heads : undefined;
}

/** Members that are long lists, each on a line of its own. */
const ON_ONE_LINE = ['pages', 'slices'];

export function printManifest(manifest: Manifest): string {
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

export const USE_ITS_VERSION = 'use the version that wrote it: see "tool" in the manifest';

/** Throws an OpacError when it cannot be read, a UsageError for another version. */
export async function readManifest(path: string): Promise<Manifest> {
  let manifest: unknown;
  try {
    manifest = parseJson(await readOurs(path));
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
  const wrong = wrongInManifest(manifest);
  if (wrong !== undefined)
    throw new UsageError(`cannot use the manifest "${path}": its "${wrong}" is damaged`, EXPORT_AGAIN);
  return manifest as Manifest;
}

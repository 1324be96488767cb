/** `index.ndjson` and `index.csv`: the images in a folder and their sources. A later run reads `index.ndjson`. */
import { constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CSV } from '../../records/cells/dialect.js';
import { UsageError } from '../../service/errors.js';
import { formatCount } from '../../service/format-numbers.js';
import { asText, type JsonObject } from '../../service/json.js';
import { tryParseJson } from '../../service/parse-json.js';
import { isMissing } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { openRegularFile } from '../../system/regular-file.js';
import type { Content } from '../../system/schema.js';
import { splitLines } from '../../system/split-lines.js';
import * as v from '../../system/valibot.js';
import { IMAGE_EXTENSIONS } from '../inspect-image.js';

const TEXT = v.optional(v.string(), '');
const NUMBER = v.optional(v.number(), 0);

/** The columns of the index, in their order. */
const INDEX_ROW = v.object({
  // Rejects names that opac does not create, because somebody may have edited the index.
  file: v.pipe(v.string(), v.check(isImageName)),
  recordType: TEXT,
  recordId: TEXT,
  title: TEXT,
  imageId: TEXT,
  position: NUMBER,
  derivative: TEXT,
  sourceUrl: TEXT,
  sha256: TEXT,
  bytes: NUMBER,
  width: NUMBER,
  height: NUMBER,
  rights: TEXT,
  rightsReason: TEXT,
  creditLine: TEXT,
  /** `left over`: an image from an earlier run that the search no longer finds, or that opac now skips or cannot download. */
  status: v.fallback(v.picklist(['current', 'left over']), 'current'),
  accessionNumber: TEXT,
});

export type IndexRow = Content<typeof INDEX_ROW>;

const REPORT_COLUMNS = ['recordType', 'recordId', 'title', 'imageId', 'position', 'sourceUrl'] as const;

export type ImageReference = Pick<IndexRow, (typeof REPORT_COLUMNS)[number]>;

export interface ReportRow extends ImageReference {
  /** Only `failed` makes the download incomplete. */
  readonly status: 'failed' | 'refused' | 'skipped' | 'substituted' | 'renamed';
  readonly reason: string;
}

const COLUMNS = {
  index: Object.keys(INDEX_ROW.entries),
  report: [...REPORT_COLUMNS, 'status', 'reason'],
} as const;

export const ROW_FORMATS = ['ndjson', 'csv'] as const;

export async function* formatRows(
  kind: keyof typeof COLUMNS,
  format: (typeof ROW_FORMATS)[number],
  rows: AsyncIterable<IndexRow | ReportRow>,
): AsyncGenerator<string> {
  const csvLine = (cells: readonly string[]) =>
    `${cells.map(CSV.formatCell).join(CSV.delimiter)}${CSV.lineEnd}`;
  const columns = COLUMNS[kind];
  if (format === 'csv') yield csvLine(columns);
  for await (const row of rows) {
    const object: JsonObject = { ...row };
    yield format === 'csv'
      ? csvLine(columns.map((name) => asText(object[name])))
      : `${JSON.stringify(object)}\n`;
  }
}

const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** Yields the valid rows. Throws a UsageError for a file of another user, who could otherwise choose files that opac deletes. */
export async function* readRows(
  path: string,
  note?: (text: string) => void,
  signal?: AbortSignal,
): AsyncGenerator<IndexRow> {
  let ignored = 0;
  try {
    const handle = await openRegularFile(path, constants.O_RDONLY);
    const text = handle.createReadStream({ encoding: 'utf8' });
    const user = process.getuid?.();
    if (user !== undefined && (await handle.stat()).uid !== user) {
      text.destroy();
      throw new UsageError(`"${path}" belongs to another user`, 'choose another folder');
    }
    for await (const line of splitLines(text, MAX_LINE_CHARACTERS)) {
      signal?.throwIfAborted();
      if (line === '') continue;
      const content = tryParseJson(line);
      const { success, output } = v.safeParse(INDEX_ROW, content);
      if (success) yield output;
      // Does not count an incomplete line, which an interrupted run may leave.
      else if (content !== undefined) ignored++;
    }
    if (ignored > 0) note?.(`ignored ${formatCount(ignored, 'invalid row')} in "${path}"`);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isMissing(error)) throw fileError(error, 'read', path);
  }
}

/** Throws a UsageError for an index or a report that opac did not write, because the download would replace it. */
export async function assertNoForeignIndex(folder: string): Promise<void> {
  for (const kind of ['index', 'report'] as const)
    for (const format of ROW_FORMATS) {
      const file = join(folder, `${kind}.${format}`);
      const found = await lstat(file).catch(() => undefined);
      if (found?.isFile() && found.size > 0 && !(await isWrittenByOpac(file)))
        throw new UsageError(
          `opac did not write "${file}", and would replace it`,
          'move it, or choose another folder',
        );
    }
}

async function isWrittenByOpac(path: string): Promise<boolean> {
  const handle = await openRegularFile(path, constants.O_RDONLY);
  for await (const line of splitLines(handle.createReadStream({ encoding: 'utf8' }), MAX_LINE_CHARACTERS))
    return /^(?:\{"file":|\{"recordType":|file,recordType,|recordType,recordId,)/.test(line);
  return false;
}

/**
 * Tests only the text of the path. The paths that opac creates stay in the folder, have no hidden part, and end with an image
 * extension.
 */
function isImageName(file: string): boolean {
  const isSafe = !/[\p{Cc}<>:"\\|?*]/u.test(file) && !file.split('/').some((part) => /^(\.|$)/.test(part));
  return isSafe && IMAGE_EXTENSIONS.has(file.slice(file.lastIndexOf('.') + 1));
}

export function toIndexRow(values: IndexRow): IndexRow {
  return v.parse(INDEX_ROW, values);
}

export function getStem(file: string): string {
  return file.replace(/\.[^./]*$/, '');
}

/**
 * Refuses workbooks that need too much memory: a small file may unpack to millions of texts, and the library hucre keeps them
 * all. Sources: PKWARE APPNOTE.TXT 4.3 (ZIP), ECMA-376 part 2, section 9 (relationships).
 */
import { inflateRawSync } from 'node:zlib';
import { UsageError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';

/** A text has four tags: `<si><t>…</t></si>`. */
const MAX_TEXTS = 500_000;
const MAX_TAGS = 4 * MAX_TEXTS;
const MAX_PART_BYTES = 128 * 1024 * 1024;
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;
/** In bytes. A smaller entry counts as this size, because unpacking even an empty entry takes time. */
const MIN_ENTRY_COST = 64 * 1024;

/** The size of the record "end of central directory" without its comment. */
const END_BYTES = 22;

interface Entry {
  readonly name: string;
  readonly isStored: boolean;
  readonly bytes: number;
  readonly offset: number;
}

/** Throws a UsageError if the parts are too large or have too many tags, and other errors for bytes that are not a ZIP file. */
export function assertSmallParts(file: Buffer): void {
  let left = MAX_TOTAL_BYTES;
  // Entries may share their bytes, so even a small file may have many large entries.
  const unpackNext = (entry: Entry) => {
    const part = unpack(file, entry);
    left -= Math.max(part.length, MIN_ENTRY_COST);
    if (left < 0) throw createTooLargeError();
    return part;
  };
  const entries = [...listEntries(file)];
  const isSheet = findSheets(entries, unpackNext);
  for (const entry of entries) {
    if (isSheet(entry.name)) continue;
    assertFewTags(unpackNext(entry));
  }
}

function assertFewTags(part: Buffer): void {
  let tags = 0;
  for (let at = part.indexOf('<'); at >= 0; at = part.indexOf('<', at + 1))
    if (++tags > MAX_TAGS) throw createTooLargeError();
}

function createTooLargeError(): UsageError {
  return new UsageError(
    `the workbook contains more than ${formatNumber(MAX_TEXTS)} different texts, or is too large`,
    'save it as CSV UTF-8',
  );
}

function* listEntries(file: Buffer): Generator<Entry> {
  // The library also uses the last end record of the file. A ZIP64 file has a second directory, so opac refuses the file.
  const end = file.lastIndexOf('PK\x05\x06', file.length - END_BYTES);
  const isZip64 = file.readUInt16LE(end + 10) === 0xffff || file.readUInt32LE(end + 12) === 0xffffffff;
  let at = file.readUInt32LE(end + 16);
  if (isZip64 || at === 0xffffffff) throw createTooLargeError();
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const nameBytes = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + 46, at + 46 + nameBytes);
    const isStored = file.readUInt16LE(at + 10) === 0;
    yield { name, isStored, bytes: file.readUInt32LE(at + 24), offset: file.readUInt32LE(at + 42) };
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

/** Finds the sheets, which the library reads as a stream. A part that also has another purpose does not count as a sheet. */
function findSheets(
  entries: readonly Entry[],
  unpackNext: (entry: Entry) => Buffer,
): (name: string) => boolean {
  const sheets = new Set<string>();
  const others = new Set<string>();
  let hasEntity = false;
  for (const entry of entries.filter(({ name }) => name.endsWith('.rels'))) {
    const part = unpackNext(entry);
    assertFewTags(part);
    for (const relationship of part.toString().split('<')) {
      const [, , target] = /\bTarget\s*=\s*(["'])(.*?)\1/.exec(relationship) ?? [];
      if (target === undefined) continue;
      hasEntity ||= target.includes('&');
      (/\/worksheet["']/.test(relationship) ? sheets : others).add(getFileName(target));
    }
  }
  // An XML entity may hide the name of any part, so no part of such a file counts as a sheet.
  return (name) => !hasEntity && sheets.has(getFileName(name)) && !others.has(getFileName(name));
}

const getFileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function unpack(file: Buffer, { isStored, bytes, offset }: Entry): Buffer {
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  if (isStored) return file.subarray(start, start + bytes);
  try {
    return inflateRawSync(file.subarray(start), { maxOutputLength: MAX_PART_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw createTooLargeError();
    throw error;
  }
}

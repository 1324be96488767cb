/** Detects truncated images by the structure of each image format. */

/** Looks for an image block and then the last block (TRAILER). Sub-blocks begin with their length (GIF89a sections 15, 18-27). */
export function isCompleteGif(bytes: Buffer): boolean {
  // The packed field contains the size of the colour table that follows.
  const colors = (packed = 0) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);
  let at = 13 + colors(bytes[10]);
  let hasImage = false;
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === TRAILER) return hasImage;
    hasImage ||= block === IMAGE;
    if (block === IMAGE) at += 11 + colors(bytes[at + 9]);
    else if (block === EXTENSION) at += 2;
    else return false;
    for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += 1 + size;
    at++;
  }
  return false;
}

const TRAILER = 0x3b;
const IMAGE = 0x2c;
const EXTENSION = 0x21;

const IEND = 0x49454e44;

/** Looks for the last chunk, IEND (W3C Portable Network Graphics, third edition, sections 5.3 and 11.2.4). */
export function isCompletePng(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.readUInt32BE(at + 4) === IEND) return true;
  return false;
}

/** Looks for the end marker after the start of the scan (pixels). No scan contains this marker (ITU-T T.81 section B.1.1.2). */
export function isCompleteJpeg(bytes: Buffer): boolean {
  const scan = findJpegSegment(bytes, START_OF_SCAN, START_OF_SCAN);
  return scan !== undefined && bytes.includes(END_OF_IMAGE, scan);
}

/** Returns the position of the first segment whose marker is in the range from `first` to `last`. */
export function findJpegSegment(bytes: Buffer, first: number, last: number): number | undefined {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= first && marker <= last) return at;
    // 0xFF bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** AVIF, HEIC and JPEG 2000 files consist of about ten parts (boxes). A hostile file could have millions. */
export const MAX_BOXES = 10_000;

/** Checks that the last box ends at the end of the file (ISO/IEC 14496-12 section 4.2). */
export function isCompleteBoxFile(bytes: Buffer): boolean {
  let at = 0;
  for (let boxes = 0; at + 8 <= bytes.length; boxes++) {
    if (boxes === MAX_BOXES) return false;
    const size = bytes.readUInt32BE(at);
    // A box with size 0 extends to the end of the file.
    if (size === 0) return true;
    const isLong = size === 1;
    if (isLong && at + 16 > bytes.length) return false;
    const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    if (length < (isLong ? 16 : 8)) return false;
    at += length;
  }
  return at === bytes.length;
}

/** Checks that the file is at least as long as its RIFF header states (WebP Container Specification). */
export const isCompleteWebp = (bytes: Buffer) => bytes.length >= bytes.readUInt32LE(4) + 8;

/**
 * Checks that the file is at least as long as its header states. An uncompressed image must also contain all rows of
 * pixels (BITMAPINFOHEADER).
 */
export function isCompleteBmp(bytes: Buffer): boolean {
  if (bytes.length < 18 || bytes.length < bytes.readUInt32LE(2)) return false;
  // Files from OS/2 may have a shorter header.
  if (bytes.readUInt32LE(14) < 40) return true;
  if (bytes.length < 54) return false;
  // The values 0 and 3 mean that the image is not compressed.
  if (![0, 3].includes(bytes.readUInt32LE(30))) return true;
  const rowBytes = 4 * Math.ceil((bytes.readInt32LE(18) * bytes.readUInt16LE(28)) / 32);
  return bytes.length >= bytes.readUInt32LE(10) + rowBytes * Math.abs(bytes.readInt32LE(22));
}

/** Pairs of tags: the offsets and the lengths of strips, of tiles, and of JPEG data (TIFF 6.0 sections 8, 15, 22). */
const DATA_TAGS = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;
/** The tag SubIFDs: the offsets of further directories, for example of smaller copies of the image (TIFF Tech Note 1). */
const SUB_DIRECTORIES = 330;
/** Maximum count of numbers that opac reads from a file. Enough for about a hundred pages with 16,000 strips each. */
const MAX_TIFF_NUMBERS = 4_000_000;
const MAX_TIFF_DIRECTORIES = 1000;
/** By type (3 is SHORT, 4 is LONG, 13 is IFD): the size of a value in bytes. */
const SIZES: Readonly<Record<number, 2 | 4>> = { 3: 2, 4: 4, 13: 4 };

interface TagList {
  readonly count: number;
  readonly at: (index: number) => number;
}

/** Checks that the file contains all strips and tiles, because a TIFF has no end marker. */
export function isCompleteTiff(bytes: Buffer): boolean {
  try {
    for (const lists of readDirectories(bytes)) {
      for (const [offsets, lengths] of DATA_TAGS) {
        const [starts, sizes] = [lists.get(offsets), lists.get(lengths)];
        for (let n = 0; starts && sizes && n < starts.count; n++)
          if (starts.at(n) + sizes.at(n) > bytes.length) return false;
      }
    }
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Yields the tags of each directory with their numbers. Throws a RangeError if the file ends too early, or contains too many
 * numbers or directories.
 */
function* readDirectories(bytes: Buffer): Generator<ReadonlyMap<number, TagList>> {
  const isLittle = bytes[0] === 0x49;
  let reads = 0;
  const number = (at: number, size: 2 | 4) => {
    // Overlapping directories could contain more numbers than the file has bytes. It could take hours to read them.
    if (++reads > Math.min(bytes.length, MAX_TIFF_NUMBERS)) throw new RangeError('too many numbers');
    if (size === 2) return isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  };
  // The loop over this set includes directories that are added during the loop, and reads each directory only once.
  const directories = new Set([number(4, 4)]);
  const addDirectory = (at: number) => {
    if (directories.add(at).size > MAX_TIFF_DIRECTORIES) throw new RangeError('too many directories');
  };
  for (const directory of directories) {
    const lists = new Map<number, TagList>();
    const entries = number(directory, 2);
    for (let n = 0; n < entries; n++) {
      const at = directory + 2 + n * 12;
      const size = SIZES[number(at + 2, 2)];
      if (size === undefined) continue;
      const count = number(at + 4, 4);
      const place = count * size <= 4 ? at + 8 : number(at + 8, 4);
      lists.set(number(at, 2), { count, at: (index) => number(place + index * size, size) });
    }
    yield lists;
    const next = number(directory + 2 + entries * 12, 4);
    const smaller = lists.get(SUB_DIRECTORIES);
    if (next !== 0) addDirectory(next);
    for (let n = 0; smaller && n < smaller.count; n++) addDirectory(smaller.at(n));
  }
}

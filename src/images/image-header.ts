/** Finds the part of an image that contains its size, because the package `image-size` could read a hostile file for minutes. */
import { findJpegSegment, MAX_BOXES } from './complete-image.js';

/** The time that `image-size` needs grows with the square of this number. */
const MAX_HEADER_BYTES = 64 * 1024;
/** A JPEG 2000 header can contain a large colour profile. */
const MAX_JP2_HEADER_BYTES = 1024 * 1024;

/** Returns the part of an image that contains its size. Throws a RangeError for a JPEG without a size. */
export function readImageHeader(bytes: Buffer): Buffer {
  if (bytes.length < 16) return bytes;
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpegHeader(bytes);
  const boxType = bytes.toString('latin1', 4, 8);
  if (boxType === 'ftyp') return readBoxHeader(bytes, 'meta', 1, MAX_HEADER_BYTES);
  if (boxType === 'jP  ') return readBoxHeader(bytes, 'jp2h', 2, MAX_JP2_HEADER_BYTES);
  return bytes.subarray(0, findTiffDirectory(bytes) + MAX_HEADER_BYTES);
}

/** Returns the first bytes of a JPEG, an empty segment, and the segment with the size (ITU-T T.81 section B.2.2). */
function readJpegHeader(bytes: Buffer): Buffer {
  const frame = findJpegSegment(bytes, 0xc0, 0xc2);
  if (frame === undefined) throw new RangeError('the image has no size');
  return Buffer.concat([Buffer.from('ffd8ffe00002', 'hex'), bytes.subarray(frame, frame + 16)]);
}

/** Returns the first `leading` boxes and the start of the box `type`. Omits other boxes, which could contain the text `type`. */
function readBoxHeader(bytes: Buffer, type: string, leading: number, maxBytes: number): Buffer {
  const at = findBox(bytes, type);
  let end = 0;
  for (let n = 0; n < leading && end + 4 <= at; n++) end += bytes.readUInt32BE(end);
  return Buffer.concat([bytes.subarray(0, Math.min(end, at)), bytes.subarray(at, at + maxBytes)]);
}

/** Returns the position of a box at the top level (ISO/IEC 14496-12 section 4.2); 0 if the box does not exist. */
function findBox(bytes: Buffer, type: string): number {
  const code = Buffer.from(type).readUInt32BE();
  for (let at = 0, size = 0, boxes = 0; at + 16 <= bytes.length && boxes < MAX_BOXES; at += size, boxes++) {
    if (bytes.readUInt32BE(at + 4) === code) return at;
    size = bytes.readUInt32BE(at);
    if (size === 1) size = Number(bytes.readBigUInt64BE(at + 8));
    if (size < 8) return 0;
  }
  return 0;
}

/** Returns the position of the first directory, which may be at the end of the file; 0 for files other than TIFF and BigTIFF. */
function findTiffDirectory(bytes: Buffer): number {
  const signature = bytes.toString('latin1', 0, 4);
  if (signature === 'II*\0') return bytes.readUInt32LE(4);
  if (signature === 'MM\0*') return bytes.readUInt32BE(4);
  if (signature === 'II+\0') return Number(bytes.readBigUInt64LE(8));
  return signature === 'MM\0+' ? Number(bytes.readBigUInt64BE(8)) : 0;
}

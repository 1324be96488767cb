/** Tells a complete image from a truncated one by the structure of its format. TIFF has a file of its own. */

/** Up to the trailer of a GIF; each block states its length (GIF89a sections 15 and 18 to 27). */
export function isWholeGif(bytes: Buffer): boolean {
  // The packed fields of the screen and of each image say how many colours follow.
  const colors = (packed = 0) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);
  let at = 13 + colors(bytes[10]);
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === TRAILER) return true;
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

/** Up to the checksum of the last chunk (W3C Portable Network Graphics, third edition, sections 5.3 and 11.2.5). */
export function isWholePng(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
  return false;
}

/** The end marker cannot occur in scan data (ITU-T T.81 section B.1.1.2), but may in a thumbnail before it. */
export function isWholeJpeg(bytes: Buffer): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    if (marker === 0xda) return bytes.includes(END_OF_IMAGE, at);
    // Markers may be padded with 0xFF.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** A chain of boxes (ISO/IEC 14496-12 section 4.2): the last one must not reach past the end. */
export function isWholeBoxFile(bytes: Buffer): boolean {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    // 0: up to the end of the file; 1: a 64-bit length follows, for more than 4 GB.
    if (size < 8) return size === 0 || size === 1;
    at += size;
  }
  return at === bytes.length;
}

/** The length of the RIFF file (WebP Container Specification). */
export const isWholeWebp = (bytes: Buffer) => bytes.length >= bytes.readUInt32LE(4) + 8;

export const isWholeBmp = (bytes: Buffer) => bytes.length >= bytes.readUInt32LE(2);

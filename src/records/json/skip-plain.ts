/** Skips the text of a string four bytes at a time: most of the bytes of a page are in strings. */
import { BACKSLASH, QUOTE } from './bytes.js';

let bytesInView: Uint8Array | undefined;
let view: DataView = new DataView(new ArrayBuffer(0));

/** The place of the first byte from `at` on that is a quote, a backslash or below 0x20; the end of the bytes without one. */
export function skipPlain(bytes: Uint8Array, at: number): number {
  if (bytes !== bytesInView) {
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    bytesInView = bytes;
  }
  // Literals, as V8 loads constants of the module anew each time.
  let i = at;
  for (const last = bytes.length - 4; i <= last; i += 4) {
    const four = view.getInt32(i, true);
    const quotes = four ^ 0x22222222;
    const backslashes = four ^ 0x5c5c5c5c;
    // Each subtraction sets the high bit of a byte that is too small; of several bytes only the first is sure.
    const small = (four - 0x20202020) | (quotes - 0x01010101) | (backslashes - 0x01010101);
    const found = small & ~four & 0x80808080;
    if (found !== 0) return i + ((31 - Math.clz32(found & -found)) >> 3);
  }
  while (i < bytes.length && isPlain(bytes[i] as number)) i++;
  return i;
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH;
}

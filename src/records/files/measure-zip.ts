/** The decompressed size of a ZIP file, from its central directory (PKWARE APPNOTE 4.3.12 and 4.5.3). */

const CENTRAL_HEADER = 'PK\x01\x02';
const LOCAL_HEADER = 0x04034b50;
/** Says that a ZIP64 field contains the number. */
const IN_ZIP64 = 0xffffffff;
/** No deflate stream expands by more than this factor. */
const MAX_RATIO = 1032;

/** Returns the sum of the sizes that the entries state, at least; Infinity if one cannot be read. */
export function measureZip(bytes: Buffer): number {
  let total = 0;
  // Several directories may exist; a reader may use any of them.
  for (let at = bytes.indexOf(CENTRAL_HEADER); at >= 0; at = bytes.indexOf(CENTRAL_HEADER, at + 4))
    if (at + 46 <= bytes.length && hasLocalHeader(bytes, at)) total += measureEntry(bytes, at);
  return total;
}

/** Whether it is not just compressed data that looks like an entry. */
function hasLocalHeader(bytes: Buffer, at: number): boolean {
  const local = bytes.readUInt32LE(at + 42);
  if (local === IN_ZIP64) return true;
  return local + 4 <= bytes.length && bytes.readUInt32LE(local) === LOCAL_HEADER;
}

function measureEntry(bytes: Buffer, at: number): number {
  const compressed = bytes.readUInt32LE(at + 20);
  let size = bytes.readUInt32LE(at + 24);
  if (size === IN_ZIP64) {
    const extra = at + 46 + bytes.readUInt16LE(at + 28);
    if (extra + 12 > bytes.length || bytes.readUInt16LE(extra) !== 1) return Number.POSITIVE_INFINITY;
    size = Number(bytes.readBigUInt64LE(extra + 4));
  }
  const hasDescriptor = (bytes.readUInt16LE(at + 8) & 8) !== 0;
  // Readers do not limit data whose stated size is 0. Deflate needs two bytes for no data.
  const isUnknown = size === 0 && (compressed > 2 || (compressed === 0 && hasDescriptor));
  return isUnknown ? bytes.length * MAX_RATIO : size;
}

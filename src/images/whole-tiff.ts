/** Tells a whole TIFF from one that was cut: nothing marks its end (TIFF 6.0 sections 2 and 15; BigTIFF). */

const BIG = 43;
/** StripOffsets with StripByteCounts, TileOffsets with TileByteCounts. */
const PARTS = [
  [273, 279],
  [324, 325],
] as const;
/** Bytes of SHORT, LONG and LONG8. */
const SIZES: Readonly<Record<number, 2 | 4 | 8>> = { 3: 2, 4: 4, 16: 8 };

interface List {
  readonly count: number;
  readonly at: (index: number) => number;
}

/** Whether the bytes reach to the end of every strip or tile of the first picture. */
export function isWholeTiff(bytes: Buffer): boolean {
  try {
    const lists = listsOf(bytes);
    return PARTS.every(([offsets, lengths]) => {
      const [starts, sizes] = [lists.get(offsets), lists.get(lengths)];
      for (let n = 0; starts && sizes && n < starts.count; n++)
        if (starts.at(n) + sizes.at(n) > bytes.length) return false;
      return true;
    });
  } catch (error) {
    // The directory or a list lies past the end.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function listsOf(bytes: Buffer): Map<number, List> {
  const isLittle = bytes[0] === 0x49;
  const number = (at: number, size: 2 | 4 | 8) => {
    if (size === 2) return isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    if (size === 4) return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    return Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  };
  const word = number(2, 2) === BIG ? 8 : 4;
  const directory = number(word, word);
  const head = word === 8 ? 8 : 2;
  const lists = new Map<number, List>();
  for (let n = 0, entries = number(directory, head); n < entries; n++) {
    const at = directory + head + n * (4 + 2 * word);
    const size = SIZES[number(at + 2, 2)];
    if (size === undefined) continue;
    const count = number(at + 4, word);
    const value = at + 4 + word;
    const place = count * size <= word ? value : number(value, word);
    lists.set(number(at, 2), { count, at: (index) => number(place + index * size, size) });
  }
  return lists;
}

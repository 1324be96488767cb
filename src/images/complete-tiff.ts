/** Tells a whole TIFF from one that was cut: nothing marks its end (TIFF 6.0 sections 2 and 15). */

/** StripOffsets with StripByteCounts, TileOffsets with TileByteCounts, JPEGInterchangeFormat with its length. */
const PARTS = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;
/** SubIFDs: directories of smaller copies (TIFF Tech Note 1). */
const SUB_DIRECTORIES = 330;
/** Bytes of SHORT, LONG and IFD. */
const SIZES: Readonly<Record<number, 2 | 4>> = { 3: 2, 4: 4, 13: 4 };

interface List {
  readonly count: number;
  readonly at: (index: number) => number;
}

/** Whether the bytes reach to the end of every strip and tile of every page. */
export function isCompleteTiff(bytes: Buffer): boolean {
  try {
    for (const lists of directoriesOf(bytes)) {
      for (const [offsets, lengths] of PARTS) {
        const [starts, sizes] = [lists.get(offsets), lists.get(lengths)];
        for (let n = 0; starts && sizes && n < starts.count; n++)
          if (starts.at(n) + sizes.at(n) > bytes.length) return false;
      }
    }
    return true;
  } catch (error) {
    // A directory or a list lies past the end.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The lists of each directory by their tags. Throws a RangeError for what lies past the end. */
function* directoriesOf(bytes: Buffer): Generator<ReadonlyMap<number, List>> {
  const isLittle = bytes[0] === 0x49;
  let reads = 0;
  const number = (at: number, size: 2 | 4) => {
    // Only directories that overlap have more numbers than bytes, and they could keep us busy for hours.
    if (++reads > bytes.length) throw new RangeError('more numbers than bytes');
    if (size === 2) return isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  };
  // A set goes on to what is added while it is read, and never reads a directory twice.
  const directories = new Set([number(4, 4)]);
  for (const directory of directories) {
    const lists = new Map<number, List>();
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
    if (next !== 0) directories.add(next);
    for (let n = 0; smaller && n < smaller.count; n++) directories.add(smaller.at(n));
  }
}

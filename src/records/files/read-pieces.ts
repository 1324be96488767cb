/** Reads items from bytes that arrive in pieces, when an item may continue in the next piece. */

export type ByteSource = AsyncIterable<Buffer | string> | Iterable<Buffer | string>;

/**
 * Reads the items that end in `bytes`, which begin at position `start` of the text. `isLast`: the text ends with these bytes.
 * `end` is the first byte that was not read.
 */
type ReadItems<Item> = (
  bytes: Buffer,
  start: number,
  isLast: boolean,
) => { readonly items: readonly Item[]; readonly end: number };

/** Yields the items of each piece. `begin` is the position of the first piece in its file. */
export async function* readPieces<Item>(
  pieces: ByteSource,
  read: ReadItems<Item>,
  begin = 0,
): AsyncGenerator<readonly Item[]> {
  let waiting: Buffer[] = [];
  let length = 0;
  /** An item that did not end is read again when there are twice as many bytes. */
  let wanted = 0;
  let start = begin;
  for await (const piece of appendEnd(pieces)) {
    if (piece !== undefined) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      waiting.push(bytes);
      length += bytes.length;
      if (length < wanted) continue;
    }
    const [first, ...others] = waiting;
    const bytes = first && others.length === 0 ? first : Buffer.concat(waiting);
    const { items, end } = read(bytes, start, piece === undefined);
    yield items;
    waiting = end < bytes.length ? [bytes.subarray(end)] : [];
    length = bytes.length - end;
    wanted = 2 * length;
    start += end;
  }
}

async function* appendEnd(pieces: ByteSource): AsyncGenerator<Buffer | string | undefined> {
  yield* pieces;
  yield undefined;
}

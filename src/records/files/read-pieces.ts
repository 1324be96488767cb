/** Reads items from bytes that arrive in pieces. An item may begin in one piece and end in another. */

/** To limit the memory, the readers report a longer item as an error. */
export const MAX_ITEM_BYTES = 64 * 1024 * 1024;

export type ByteSource = AsyncIterable<Buffer | string> | Iterable<Buffer | string>;

/** `start`: the position of `bytes` in the text. `isLast`: no more bytes follow. `end`: the first byte that was not read. */
type ReadItems<Item> = (
  bytes: Buffer,
  start: number,
  isLast: boolean,
) => { readonly items: readonly Item[]; readonly end: number };

export async function* readPieces<Item>(
  pieces: ByteSource,
  read: ReadItems<Item>,
  begin = 0,
): AsyncGenerator<readonly Item[]> {
  let waiting: Buffer[] = [];
  let length = 0;
  /** The number of bytes for the next read. It doubles for an item that is longer. */
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
    wanted = Math.min(2 * length, MAX_ITEM_BYTES + 1);
    start += end;
  }
}

async function* appendEnd(pieces: ByteSource): AsyncGenerator<Buffer | string | undefined> {
  yield* pieces;
  yield undefined;
}

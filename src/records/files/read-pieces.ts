/** Reads items from bytes that arrive in pieces. An item may begin in one piece and end in another. */

import { setImmediate } from 'node:timers/promises';

/** Readers throw an error for a longer item, to limit the memory. */
export const MAX_ITEM_BYTES = 64 * 1024 * 1024;

export type ByteSource = AsyncIterable<Buffer | string> | Iterable<Buffer | string>;

/** `start`: the position of `bytes` in the text. `isLast`: no more bytes follow. `end`: the number of bytes that were read. */
type ReadItems<Item> = (
  bytes: Buffer,
  start: number,
  isLast: boolean,
) => {
  readonly items: readonly Item[];
  readonly end: number;
  /** Whether more items may follow in the same bytes. */
  readonly isFull?: boolean;
};

/** Maximum number of items per call of `read`, to limit the memory. */
export const MAX_ITEMS = 10_000;

export async function* readPieces<Item>(
  pieces: ByteSource,
  read: ReadItems<Item>,
  begin = 0,
): AsyncGenerator<readonly Item[]> {
  let waiting: Buffer[] = [];
  let length = 0;
  /** Bytes to collect before the next call of `read`: twice the number that the last call did not read. */
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
    let at = 0;
    for (let isFull = true; isFull; ) {
      const found = read(at === 0 ? bytes : bytes.subarray(at), start + at, piece === undefined);
      yield found.items;
      at += found.end;
      isFull = found.isFull === true;
      // Lets the program handle signals.
      if (isFull) await setImmediate();
    }
    waiting = at < bytes.length ? [bytes.subarray(at)] : [];
    length = bytes.length - at;
    wanted = Math.min(2 * length, MAX_ITEM_BYTES + 1);
    start += at;
  }
}

async function* appendEnd(pieces: ByteSource): AsyncGenerator<Buffer | string | undefined> {
  yield* pieces;
  yield undefined;
}

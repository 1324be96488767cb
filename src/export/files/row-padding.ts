/** Adds empty cells to rows written before later columns were found. Works on bytes, without parsing. */
import { type FileHandle, open } from 'node:fs/promises';

const PIECE = 1 << 20;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface Rows {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly widths: readonly (readonly [offset: number, width: number])[];
  readonly width: number;
  readonly delimiter: string;
}

export async function* padRows(rows: Rows): AsyncGenerator<Buffer> {
  const { path, start, end, widths, width, delimiter } = rows;
  const handle = await open(path, 'r');
  try {
    if (widths.length === 0) yield* piecesOf(handle, start, end);
    for (const [n, [offset, cells]] of widths.entries()) {
      const from = Math.max(start, offset);
      const to = Math.min(end, widths[n + 1]?.[0] ?? end);
      const pieces = piecesOf(handle, from, to);
      if (cells === width) yield* pieces;
      else yield* withPadding(pieces, Buffer.from(delimiter.repeat(width - cells)));
    }
  } finally {
    await handle.close();
  }
}

async function* piecesOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error('the part file is shorter than was written');
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Puts `addition` before each line end that is not inside quotes. The pieces are whole rows together. */
async function* withPadding(pieces: AsyncIterable<Buffer>, addition: Buffer): AsyncGenerator<Buffer> {
  let inQuotes = false;
  let held: Buffer = Buffer.alloc(0);
  const ends: number[] = [];
  for await (const next of pieces) {
    const piece = held.length > 0 ? Buffer.concat([held, next]) : next;
    // The line feed of a final carriage return may be in the next piece.
    const length = piece[piece.length - 1] === CARRIAGE_RETURN ? piece.length - 1 : piece.length;
    ends.length = 0;
    for (let i = 0; i < length; i++) {
      const byte = piece[i];
      if (byte === QUOTE) inQuotes = !inQuotes;
      else if (byte === LINE_FEED && !inQuotes) ends.push(piece[i - 1] === CARRIAGE_RETURN ? i - 1 : i);
    }
    const longer = Buffer.allocUnsafe(length + ends.length * addition.length);
    let from = 0;
    let to = 0;
    for (const end of ends) {
      to += piece.copy(longer, to, from, end);
      to += addition.copy(longer, to);
      from = end;
    }
    piece.copy(longer, to, from, length);
    yield longer;
    held = piece.subarray(length);
  }
  if (held.length > 0) yield held;
}

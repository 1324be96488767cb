/** Text in pieces as lines. `node:readline` would also split at U+2028 (from Node 24 on), which JSON text may hold as it is. */

export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = '';
  for await (const piece of pieces) {
    const lines = `${begun}${piece}`.split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  if (begun !== '') yield begun;
}

/** Longer strings are large objects to V8, which frees them late. */
const DECODED = 1 << 15;

/** Decodes UTF-8 without its byte order mark. */
export async function* decoded(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += DECODED)
      yield decoder.decode(piece.subarray(at, at + DECODED), { stream: true });
  }
  yield decoder.decode();
}

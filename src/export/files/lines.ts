/** Text in pieces as lines. `node:readline` would also split at U+2028 (from Node 24 on), which JSON text may hold as it is. */

/** The lines of a text, without their line feeds; what stands behind the last one is a line as well, unless it is empty. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = '';
  for await (const piece of pieces) {
    const lines = `${begun}${piece}`.split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  if (begun !== '') yield begun;
}

/** The text of bytes in UTF-8, a mark of byte order left out. */
export async function* decoded(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

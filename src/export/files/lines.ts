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

/** Decodes UTF-8 without its byte order mark. */
export async function* decoded(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** Splits text into lines. Does not use `node:readline`, which from Node 24 on also splits at U+2028. JSON may contain U+2028. */
import { UsageError } from '../service/errors.js';

/** More than the longest record in a response. */
const MAX_LINE_CHARACTERS = 256 * 1024 * 1024;

/** `pieces` are consecutive parts of the text. Throws a UsageError for a line that is too long. */
export async function* splitLines(
  pieces: AsyncIterable<string>,
  maxLength = MAX_LINE_CHARACTERS,
): AsyncGenerator<string> {
  // The parts of a line are joined once, because adding each part to a long line would copy the line again and again.
  let parts: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    parts.push(first);
    length += first.length;
    if (length > maxLength)
      throw new UsageError(
        `a line has more than ${Math.floor(maxLength / 1e6)} million characters`,
        'use a file that opac exported',
      );
    const last = others.pop();
    if (last === undefined) continue;
    yield parts.join('');
    yield* others;
    parts = [last];
    length = last.length;
  }
  const end = parts.join('');
  if (end !== '') yield end;
}

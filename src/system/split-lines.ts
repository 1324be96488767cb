/** Splits pieces of text into lines. From Node 24 on, `node:readline` also splits at U+2028, which JSON may contain. */
import { UsageError } from '../service/errors.js';

/** More than the longest record in a response. */
const MAX_LINE_CHARACTERS = 256 * 1024 * 1024;

export async function* splitLines(
  pieces: AsyncIterable<string>,
  maxLength = MAX_LINE_CHARACTERS,
): AsyncGenerator<string> {
  // The parts of a long line are joined once, because joining each piece would copy the line again and again.
  let parts: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    parts.push(first);
    length += first.length;
    if (length > maxLength)
      throw new UsageError(
        `a line is longer than ${maxLength / 2 ** 20} MB`,
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

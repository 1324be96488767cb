/** Text in pieces as lines. `node:readline` would also split at U+2028 (from Node 24 on), which JSON text may hold as it is. */
import { UsageError } from '../service/errors.js';

/** Characters: more than a record that a response can hold. */
const MAX_LINE_CHARACTERS = 256 * 1024 * 1024;

/** Throws a UsageError for a line that no export writes: of a file of another kind, or without an end. */
export async function* splitLines(
  pieces: AsyncIterable<string>,
  longest = MAX_LINE_CHARACTERS,
): AsyncGenerator<string> {
  // Joined once it is whole: joining it with each piece would go over a long line again and again.
  let begun: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    begun.push(first);
    length += first.length;
    if (length > longest)
      throw new UsageError(`a line is longer than ${longest / 2 ** 20} MB`, 'is it an export?');
    const last = others.pop();
    if (last === undefined) continue;
    yield begun.join('');
    yield* others;
    begun = [last];
    length = last.length;
  }
  const end = begun.join('');
  if (end !== '') yield end;
}

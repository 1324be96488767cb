/** The file of ids beside a part: one a line, as JSON strings. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileError } from './file-error.js';

/** The ids in the file, in order. Throws an OpacError when it cannot be read. */
export async function* readIds(path: string): AsyncGenerator<string> {
  try {
    const lines = createInterface({
      input: createReadStream(path, 'utf8'),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    for await (const line of lines) yield JSON.parse(line) as string;
  } catch (error) {
    throw fileError(error, 'go on with', path);
  }
}

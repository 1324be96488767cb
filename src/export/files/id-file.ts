/** The file of ids beside a part: one a line, as JSON strings. */
import { createReadStream } from 'node:fs';
import { resumeError } from './file-error.js';
import { linesOf } from './lines.js';

/** The ids in the file, in order. Throws an OpacError when it cannot be read. */
export async function* readIds(path: string): AsyncGenerator<string> {
  try {
    for await (const line of linesOf(createReadStream(path, 'utf8'))) yield JSON.parse(line) as string;
  } catch (error) {
    throw resumeError(error, path);
  }
}

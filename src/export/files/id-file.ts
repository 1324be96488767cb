/** The ids of a part: one JSON string per line. */
import { createReadStream } from 'node:fs';
import { resumeError } from './file-error.js';
import { linesOf } from './lines.js';

/** Throws an OpacError when the file cannot be read. */
export async function* readIds(path: string): AsyncGenerator<string> {
  try {
    for await (const line of linesOf(createReadStream(path, 'utf8'))) yield JSON.parse(line) as string;
  } catch (error) {
    throw resumeError(error, path);
  }
}

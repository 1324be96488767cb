/** The ids of the records in a partial file: one JSON string per line, or null. */
import { constants } from 'node:fs';
import { parseJson } from '../../service/parse-json.js';
import { resumeError } from '../../system/file-error.js';
import { linesOf } from '../../system/lines.js';
import { openOurs } from '../../system/our-file.js';

/** Throws an OpacError when the file cannot be read. */
export async function* readIds(path: string, signal?: AbortSignal): AsyncGenerator<string | undefined> {
  try {
    const text = (await openOurs(path, constants.O_RDONLY)).createReadStream({ encoding: 'utf8' });
    for await (const line of linesOf(text)) {
      signal?.throwIfAborted();
      yield (parseJson(line) as string | null) ?? undefined;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw resumeError(error, path);
  }
}

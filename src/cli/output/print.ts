/** Short texts on standard output, such as help: written whole, at once. */
import type { Writable } from 'node:stream';

/** Writes the text and waits for the stream. Throws an OpacError for a full disk, else the stream's own error. */
export async function print(text: string, stdout: Writable): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      // The stream emits its error as well, and an `error` event without a listener ends the process.
      stdout.once('error', reject).write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    const { outputError } = await import('./output-error.js');
    throw outputError(error, 'internal');
  }
}

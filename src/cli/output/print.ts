/** Short texts on standard output, such as help: written whole, at once. */
import type { Writable } from 'node:stream';

/** Writes the text and waits until the stream has taken it. Throws an OpacError when a disk did not, else the stream's own error. */
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

/** Standard error: whatever the program writes there passes here, so that no text from elsewhere acts on the terminal. */
import type { Writable } from 'node:stream';
import { redactSecrets } from '../../../service/redact.js';
import { laidOutLines } from './sanitise.js';

export interface ErrorOutput {
  /** Writes a message: lines without escape sequences, invisible characters and known secrets. */
  say(text: string): void;
  /** Writes what the program itself draws, as it is. It must hold no text of a service, a file or an argument. */
  draw(text: string): void;
  /** For what asks the person, and echoes the reply. */
  readonly stream: Writable;
}

/** Characters of no width which the cards and tables keep, for they join letters and emoji. */
const ZERO_WIDTH = /\u180e|\u200c|\u200d|[\u{e0000}-\u{e007f}]/gu;

export function errorOutput(stream: Writable): ErrorOutput {
  return {
    // Cleaned first: an escape sequence may stand within a secret.
    say: (text) =>
      void stream.write(`${redactSecrets(laidOutLines(text).join('\n').replace(ZERO_WIDTH, ''))}\n`),
    draw: (text) => void stream.write(text),
    stream,
  };
}

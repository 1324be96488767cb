/** Writes to standard error. All messages pass through this file, so that text from other sources cannot control the terminal. */
import type { Writable } from 'node:stream';
import { redactKnownSecrets } from '../../../service/redact.js';
import { stripLogCommands } from '../../../system/log-commands.js';
import { sanitizePreformatted } from './sanitize.js';
import type { Terminal } from './terminal.js';
import { wrapMessage } from './text.js';

export interface ErrorOutput {
  /** Writes a message. Removes escape sequences, invisible characters and known secrets. */
  say(text: string): void;
  /** Writes a progress bar or a login URL unchanged. `text` must not contain control characters from other sources. */
  draw(text: string): void;
  /** For questions to the user, and for the echo of the replies. */
  readonly stream: Writable;
}

/** Characters without width. Messages do not need them; cards and tables keep those that join letters and emoji. */
const ZERO_WIDTH = /\u180e|\u200c|\u200d|[\u{e0000}-\u{e007f}]/gu;

/** Wraps messages only for a terminal. Omit `terminal` for JSON, which must not be wrapped. */
export function createErrorOutput(
  stream: Writable,
  terminal?: Pick<Terminal, 'isTerminal' | 'width'>,
): ErrorOutput {
  return {
    say: (text) => {
      // Removes escape sequences before secrets, because a sequence may be inside a secret.
      const clean = redactKnownSecrets(sanitizePreformatted(text).join('\n').replace(ZERO_WIDTH, ''));
      const wrapped = terminal?.isTerminal ? wrapMessage(clean, terminal.width) : clean;
      // Wrapping may move a log command of a CI system to the beginning of a line.
      stream.write(`${stripLogCommands(wrapped)}\n`);
    },
    draw: (text) => void stream.write(text),
    stream,
  };
}

/** Standard error: whatever the program writes there passes here, so that no text from elsewhere acts on the terminal. */
import type { Writable } from 'node:stream';
import { redactKnownSecrets } from '../../../service/redact.js';
import { stripLogCommands } from '../../../system/log-commands.js';
import { sanitizePreformatted } from './sanitize.js';
import type { Terminal } from './terminal.js';
import { wrapMessage } from './text.js';

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

/** Messages are wrapped where `terminal` is one; text for programs must come without it. */
export function errorOutput(
  stream: Writable,
  terminal?: Pick<Terminal, 'isTerminal' | 'width'>,
): ErrorOutput {
  return {
    say: (text) => {
      // Cleaned first: an escape sequence may stand within a secret.
      const clean = stripLogCommands(
        redactKnownSecrets(sanitizePreformatted(text).join('\n').replace(ZERO_WIDTH, '')),
      );
      stream.write(`${terminal?.isTerminal ? wrapMessage(clean, terminal.width) : clean}\n`);
    },
    draw: (text) => void stream.write(text),
    stream,
  };
}

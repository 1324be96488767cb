/** Text of a deployment as a report may hold it: one line, nothing that a terminal would act on, of bounded length. */
import { withoutLogCommands } from '../../system/log-commands.js';

const LONGEST = 300;

/**
 * The text in one line, without control characters, what reorders text, lone surrogates and noncharacters (which XML 1.0 section
 * 2.2 forbids), cut to `longest` characters.
 */
export function printable(text: string, longest = LONGEST): string {
  const plain = text
    .slice(0, longest * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cs}\p{Noncharacter_Code_Point}]/gu, '\ufffd');
  const line = withoutLogCommands(plain).trim();
  return line.length > longest ? `${line.slice(0, longest).replace(/\p{Cs}$/u, '')}…` : line;
}

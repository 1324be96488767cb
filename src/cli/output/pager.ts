/** The program that shows a long list page by page, where the person has named one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Context } from '../context.js';

/** For `less`, as git sets it: colours, no pager for less than a screen, and the text stays. */
const LESS = 'FRX';
/** What a shell says of a program that it cannot start (POSIX.1-2017, Shell Command Language, 2.8.2). */
const NOT_STARTED: readonly (number | null)[] = [126, 127];

/** The command of `OPAC_PAGER`, or else of `PAGER`, where the list goes to a terminal; empty and `cat` mean none. */
export function pagerOf({ terminal, settings, environment }: Context): string | undefined {
  if (!terminal.isTerminal || settings.output !== undefined) return undefined;
  const command = (environment.OPAC_PAGER ?? environment.PAGER ?? '').trim();
  return command === '' || command === 'cat' ? undefined : command;
}

/** Shows the text. False when the pager could not be started, so that it is still to be shown. */
export async function isPaged(command: string, text: string, { environment }: Context): Promise<boolean> {
  // It has no business with our keys.
  const others = Object.entries(environment).filter(([name]) => !/^OPAC_/i.test(name));
  const pager = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS, ...Object.fromEntries(others) },
  });
  // Who leaves it early closes its input.
  pager.stdin.on('error', () => {}).end(text);
  const [code] = await once(pager, 'close').catch(() => NOT_STARTED);
  return !NOT_STARTED.includes(code);
}

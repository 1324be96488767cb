/** Shows long help in the pager of the user. */
import { spawnSync } from 'node:child_process';
import { withoutSecrets } from '../options/environment.js';

/** Returns false if it did not show the text: the text fits on the screen, `$PAGER` is empty or `cat`, or the pager is missing. */
export function showInPager(text: string, environment: NodeJS.ProcessEnv, rows: number): boolean {
  const { PAGER } = environment;
  if (PAGER === '' || PAGER === 'cat' || text.split('\n').length <= rows) return false;
  const [command, options] = PAGER === undefined ? ['less', ['-FRX']] : [PAGER, []];
  const { error, status } = spawnSync(command, options, {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
    shell: PAGER !== undefined,
    env: withoutSecrets(environment),
  });
  // EPIPE: the user ended the pager before it read the complete text. 126 and 127: the shell could not run the command.
  const isEndedEarly = error !== undefined && 'code' in error && error.code === 'EPIPE';
  return (error === undefined || isEndedEarly) && status !== 126 && status !== 127;
}

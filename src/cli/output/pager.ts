/** Shows long help in the pager of the user. */
import { spawnSync } from 'node:child_process';

/** Shows the text in `$PAGER` or `less`. Returns false if the text fits on the screen, or no pager is wanted or found. */
export function showInPager(text: string, { PAGER }: NodeJS.ProcessEnv, rows: number): boolean {
  if (PAGER === '' || PAGER === 'cat' || text.split('\n').length <= rows) return false;
  const [command, options] = PAGER === undefined ? ['less', ['-FRX']] : [PAGER, []];
  const { error, status } = spawnSync(command, options, {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
    shell: PAGER !== undefined,
  });
  // A pager that the user ends early does not read the complete text (EPIPE). Shells report a missing command as 127.
  const isEndedEarly = error !== undefined && 'code' in error && error.code === 'EPIPE';
  return (error === undefined || isEndedEarly) && status !== 127;
}

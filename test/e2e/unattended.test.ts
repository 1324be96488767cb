/** What people wrote around the program for containers, cron and CI: bash scripts, run as they are. */
import { expect, it } from 'vitest';
import { EXIT_CODE_MEANINGS } from '../../src/cli/exit-codes.js';
import { runScript } from './unattended/run-script.js';

/** A script starts the program some twenty times. */
const TIMEOUT = 300_000;

it('works in containers, at night and in CI, where every exit code is seen (needs bash and setpriv)', {
  timeout: TIMEOUT,
}, async () => {
  const printed = await Promise.all([
    runScript('container.sh'),
    runScript('nightly.sh'),
    runScript('smoke.sh'),
  ]);
  const seen = printed.flatMap((text) => text.match(/^\d+(?= opac )/gm) ?? []).map(Number);
  expect(new Set(seen)).toEqual(new Set(EXIT_CODE_MEANINGS.map(([code]) => code)));
});

it('answers every request of eight processes with one profile and short-lived tokens (needs bash)', async () => {
  const museum = { access: 'authorized', oauth: { tokenUses: 3 } } as const;
  expect(await runScript('parallel.sh', { museum, words: ['40', '5'] })).toBe('40 of 40 requests answered\n');
});

/** Bash scripts that run the program in containers, in cron jobs and in CI. */
import { expect, it } from 'vitest';
import { EXIT_CODE_MEANINGS } from '../../src/cli/exit-codes.js';
import { runScript } from './unattended/run-script.js';

/** A script starts the program about 20 times. */
const TIMEOUT = 300_000;

it('works in containers, cron and CI, and exits with every documented code (needs bash and setpriv)', {
  timeout: TIMEOUT,
}, async () => {
  const outputs = await Promise.all([
    runScript('container.sh'),
    runScript('nightly.sh'),
    runScript('smoke.sh'),
  ]);
  const exitCodes = outputs.flatMap((text) => text.match(/^\d+(?= opac )/gm) ?? []).map(Number);
  expect(new Set(exitCodes)).toEqual(new Set(EXIT_CODE_MEANINGS.map(([code]) => code)));
});

it('completes all requests of eight processes with one profile and short-lived tokens (needs bash)', async () => {
  const museum = { access: 'authorized', oauth: { tokenUses: 3 } } as const;
  expect(await runScript('parallel.sh', { museum, words: ['40', '5'] })).toBe('40 of 40 requests answered\n');
});

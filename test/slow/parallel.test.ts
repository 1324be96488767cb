/** Four hundred processes, eight at a time, share a profile whose tokens die after three uses. */
import { expect, it } from 'vitest';
import { runScript } from '../e2e/unattended/run-script.js';

it('answers 400 of 400 requests', async () => {
  const museum = { records: 400, access: 'authorized', oauth: { tokenUses: 3 } } as const;
  expect(await runScript('parallel.sh', { museum, words: ['400', '1'] })).toBe(
    '400 of 400 requests answered\n',
  );
});

/** 400 processes, eight at a time, use the same profile. Each token is valid for three requests. */
import { expect, it } from 'vitest';
import { runScript } from '../e2e/unattended/run-script.js';

it('receives responses to all 400 requests', async () => {
  const museum = { records: 400, access: 'authorized', oauth: { tokenUses: 3 } } as const;
  expect(await runScript('parallel.sh', { museum, words: ['400', '1'] })).toBe(
    '400 of 400 requests answered\n',
  );
});

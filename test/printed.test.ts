/** That the search of what the suite prints finds secrets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { watch } from './e2e/opac.js';
import { expectNoSecret } from './printed.js';

const KEY = 'k3y-Of/The+museum=';
const printed = (text: string, words = ['objects', 'list'], stdin = '') =>
  expectNoSecret({ words, environment: { OPAC_BASIC_KEY: KEY }, stdin, stdout: '', stderr: text });

it.each([
  ['as it is', `the key ${KEY} is bad`],
  ['in an address', `https://x.example/?k=${encodeURIComponent(KEY)}`],
  ['in base64', Buffer.from(KEY).toString('base64')],
  ['inside base64', Buffer.from(`me:${KEY}:x`).toString('base64')],
  ['as a token of the museum', 'sent 6f1c1c2e-0a53-4a77-9c4f-2f6a1f0f4b11'],
  ["as the museum's client secret", 'clientSecret=museum-client-secret'],
])('finds one %s', (_, text) => {
  expect(() => printed(text)).toThrow('printed the');
});

it('finds one that was typed', () => {
  expect(() => printed('hunter2-hunter2', ['login'], 'hunter2-hunter2\n')).toThrow('printed the secret');
});

it.fails('fails the test of a spawned program that prints one, whoever reads it', async () => {
  const child = spawn(process.execPath, [
    '-e',
    "process.stdout.write('museum-client-'); console.log('secret')",
  ]);
  watch(child, ['objects', 'list']);
  child.stdout.resume();
  await once(child, 'close');
});

it('lets everything else pass', () => {
  expect(() => printed('the key is bad')).not.toThrow();
  expect(() => printed(KEY, ['mock'])).not.toThrow();
});

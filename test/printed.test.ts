/** That the search of what the suite prints and leaves in files finds secrets. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
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

const PRINTS = ['-e', "process.stdout.write('museum-client-'); console.log('secret')"];

it.fails('fails the test of a spawned program that prints one, whoever reads it', async () => {
  const child = spawn(process.execPath, PRINTS);
  child.stdout.resume();
  await once(child, 'close');
});

it.fails('fails the test of a helper that prints one', async () => {
  await promisify(execFile)(process.execPath, PRINTS);
});

it('finds what a program prints that is waited for', () => {
  expect(() => execFileSync(process.execPath, PRINTS)).toThrow('printed the secret');
});

it.each([
  ['as text', 'o.csv', 'id,museum-client-secret'],
  ['compressed', 'o.csv.gz', gzipSync('id,museum-client-secret')],
])('finds one that a file holds %s when its folder is removed', async (_, name, content) => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-'));
  await mkdir(join(folder, 'in'));
  await writeFile(join(folder, 'in/profiles.json'), 'museum-client-secret');
  await writeFile(join(folder, 'in', name), content);
  await expect(rm(folder, { recursive: true })).rejects.toThrow(`${name}" holds the secret`);
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});

it('lets everything else pass', () => {
  expect(() => printed('the key is bad')).not.toThrow();
  expect(() => printed(KEY, ['mock'])).not.toThrow();
});

/** Checks that the tests find secrets in output and in files (test/secret-search.ts, test/search-for-secrets.ts). */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { expectNoSecret } from './secret-search.js';

const KEY = 'k3y-Of/The+museum=';
const searchOutput = (text: string, words = ['objects', 'list'], stdin = '') =>
  expectNoSecret({ words, environment: { OPAC_BASIC_KEY: KEY }, stdin, stdout: '', stderr: text });

it.each([
  ['as it is', `the key ${KEY} is bad`],
  ['in an address', `https://x.example/?k=${encodeURIComponent(KEY)}`],
  ['in base64', Buffer.from(KEY).toString('base64')],
  ['inside base64', Buffer.from(`me:${KEY}:x`).toString('base64')],
  ['as a token of the museum', 'sent 6f1c1c2e-0a53-4a77-9c4f-2f6a1f0f4b11'],
  ["as the museum's client secret", 'clientSecret=museum-client-secret'],
])('finds a secret %s', (_, text) => {
  expect(() => searchOutput(text)).toThrow('printed the');
});

it('finds a secret that login read from standard input', () => {
  expect(() => searchOutput('hunter2-hunter2', ['login'], 'hunter2-hunter2\n')).toThrow('printed the secret');
});

const PRINT_SECRET = ['-e', "process.stdout.write('museum-client-'); console.log('secret')"];

it.fails('fails the test if a program started with spawn prints a secret', async () => {
  const child = spawn(process.execPath, PRINT_SECRET);
  child.stdout.resume();
  await once(child, 'close');
});

it.fails('fails the test if a program started with execFile prints a secret', async () => {
  await promisify(execFile)(process.execPath, PRINT_SECRET);
});

it('throws if a program started with execFileSync prints a secret', () => {
  expect(() => execFileSync(process.execPath, PRINT_SECRET)).toThrow('printed the secret');
});

it.each([
  ['as text', 'o.csv', 'id,museum-client-secret'],
  ['compressed', 'o.csv.gz', gzipSync('id,museum-client-secret')],
])('finds a secret in a file when its folder is removed: %s', async (_, name, content) => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-'));
  await mkdir(join(folder, 'in'));
  await writeFile(join(folder, 'in/profiles.json'), 'museum-client-secret');
  await writeFile(join(folder, 'in', name), content);
  await expect(rm(folder, { recursive: true })).rejects.toThrow(`${name}" holds the secret`);
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});

it('accepts output without a secret, and all output of opac mock', () => {
  expect(() => searchOutput('the key is bad')).not.toThrow();
  expect(() => searchOutput(KEY, ['mock'])).not.toThrow();
});

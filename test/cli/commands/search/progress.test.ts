import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../../../src/mock/index.js';
import { opac } from '../../run-in-process.js';

/** Returns the lines that a terminal shows in the end. Text after a carriage return overwrites the line. */
function readTerminal(text: string): string[] {
  // Escape sequences of colours take no columns.
  return stripVTControlCharacters(text)
    .split('\n')
    .map((line) => {
      let kept = '';
      for (const drawn of line.split('\r')) kept = drawn + kept.slice(drawn.length);
      return kept.trimEnd();
    });
}

it('draws the progress below messages, and removes it at the end', async () => {
  const museum = await startMuseum({
    records: 300,
    // One of 30 pages. The delay is short, but opac prints a message.
    faults: [
      { kind: 'status', status: 429, retryAfter: 'seconds', retryAfterSeconds: 0.001, after: 15, count: 1 },
    ],
  });
  onTestFinished(() => museum.close());
  const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const words = ['objects', 'export', '--page-size', '10', '-o', join(folder, 'out.csv')];
  const { code, stderr } = await opac([...words, '--base-url', museum.url], { columns: 200 });
  expect(code).toBe(0);
  expect(stderr).toMatch(/\r.*% · \d+ of 300/);
  expect(readTerminal(stderr)).toEqual([
    expect.stringMatching(/^the service is busy \(429\); retrying in 1 s/),
    expect.stringMatching(/^300 records in .*out\.csv \(/),
    '',
  ]);
});

it('prints only retries with --verbose, without a terminal', async () => {
  const museum = await startMuseum({ records: 30, faults: [{ kind: 'status', status: 500, first: 1 }] });
  onTestFinished(() => museum.close());
  const words = ['objects', 'export', '-f', 'ids', '--base-url', museum.url];
  const { code, stderr } = await opac([...words, '--verbose']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^GET \/opacobjects\?\S+ returned 500; retrying in 0\.\d s \(1 of 4\)\n$/),
  });
});

it('draws no progress if records go to the terminal, and refuses xlsx there', async () => {
  const museum = await startMuseum({ records: 30 });
  onTestFinished(() => museum.close());
  const words = ['objects', 'export', '--page-size', '10', '--base-url', museum.url];
  const ids = await opac([...words, '-f', 'ids'], { columns: 80 });
  expect(ids).toMatchObject({ code: 0, stderr: '' });
  expect(ids.stdout.split('\n')).toHaveLength(31);
  const workbook = await opac([...words, '-f', 'xlsx'], { columns: 80 });
  expect(workbook).toEqual({
    code: 2,
    stdout: '',
    stderr: 'opac: xlsx cannot be shown on a terminal; name a file with -o, or use a pipe\n',
  });
});

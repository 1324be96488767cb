/** `--deadline` limits the time of a command, including everything that it waits for. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../../src/mock/faults/fault.js';
import { startMuseum } from '../../src/mock/index.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { opac } from './run-in-process.js';

const DEADLINE = ['--deadline', '1s', '--error-format', 'json'];
const SHORT_DEADLINE = ['--deadline', '300ms', '--error-format', 'json'];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-deadline-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const parseError = (stderr: string) =>
  JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;

const STALL: Fault = { kind: 'stall' };

const COMMANDS: readonly (readonly [line: string, fault: Fault])[] = [
  ['objects list --all', STALL],
  ['objects list --all --page-size 10', { kind: 'stall', after: 2 }],
  ['objects list --all', { kind: 'status', status: 503, retryAfter: 'seconds', retryAfterSeconds: 50 }],
  ['objects get 20011', STALL],
  ['objects count', STALL],
  ['objects export -f csv', STALL],
  ['objects export -f ndjson --page-size 10', { kind: 'stall', after: 2 }],
  ['facets get objects classification', STALL],
  ['relationships list objects', STALL],
  ['api /opacobjects', STALL],
  ['images list --all', STALL],
  ['images sheet', { kind: 'stall', on: 'images' }],
  ['check', STALL],
  ['check --wait 1h', { kind: 'status', status: 503 }],
];

it.concurrent.each(COMMANDS)('ends with exit code 5 at the deadline: %s (%j)', async (line, fault) => {
  const began = performance.now();
  const { code, stderr } = await runAgainstMuseum([...line.split(' '), ...SHORT_DEADLINE], {
    museum: { faults: [fault] },
  });
  expect({ code, ...parseError(stderr) }).toMatchObject({
    code: 'deadline',
    exit: 5,
    message: 'the command did not end within 0.3 s',
    hint: expect.stringContaining('increase --deadline'),
    retry: true,
  });
  expect(performance.now() - began).toBeLessThan(10_000);
});

it('ends at the deadline while it waits for standard input', async () => {
  const { code, stderr } = await opac(
    ['objects', 'list', '--mock', '--external-id', '-', ...SHORT_DEADLINE],
    {
      stdin: new Readable({ read() {} }),
    },
  );
  expect([code, parseError(stderr).code]).toEqual([5, 'deadline']);
});

it('keeps the partial file of an export, which the printed command completes', async () => {
  const museum = await startMuseum({ faults: [{ kind: 'stall', after: 4, count: 1 }] });
  onTestFinished(() => museum.close());
  const folder = await newFolder();
  const buildCommand = (name: string) => {
    const paging = ['--page-size', '10', '--concurrency', '1'];
    return ['objects', 'export', '--base-url', museum.url, '-o', join(folder, name), ...paging];
  };
  const stopped = await opac([...buildCommand('o.csv'), ...DEADLINE]);
  expect(stopped.code).toBe(6);
  const { hint, resume, code } = parseError(stopped.stderr);
  expect([code, hint]).toEqual(['deadline', expect.stringContaining('increase --deadline')]);
  expect(await readdir(folder)).toContain('o.csv.part');
  const [, ...words] = String(resume).split(' ');
  expect((await opac(words)).code).toBe(0);
  expect((await opac(buildCommand('undisturbed.csv'))).code).toBe(0);
  const [one, other] = await Promise.all(
    ['o.csv', 'undisturbed.csv'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  expect(one).toBe(other);
});

it('keeps the files of a download, and prints how to continue', async () => {
  const folder = join(await newFolder(), 'pictures');
  const { stderr, code } = await runAgainstMuseum(
    // The first images must arrive before the deadline, also on a busy machine.
    ['images', 'download', folder, '--limit', '9', '--deadline', '3s', '--error-format', 'json'],
    {
      museum: { faults: [{ kind: 'stall', on: 'images', after: 3 }] },
    },
  );
  expect(code).toBe(6);
  expect(parseError(stderr)).toMatchObject({
    code: 'deadline',
    hint: expect.stringContaining('run the same command again to continue'),
  });
  expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(0);
});

it('writes the report of a check with the results that it has', async () => {
  const report = join(await newFolder(), 'check.json');
  const words = ['check', '-f', 'json', '--report', `json=${report}`, ...DEADLINE];
  const { code, stdout } = await runAgainstMuseum(words, {
    museum: { faults: [{ kind: 'stall', after: 30 }] },
  });
  expect(code).toBe(5);
  expect(JSON.parse(stdout).ended).toBe('interrupted');
  const { ended, problem, summary } = JSON.parse(await readFile(report, 'utf8'));
  expect([ended, problem]).toEqual(['interrupted', 'the command did not end within 1 s']);
  expect(summary.pass).toBeGreaterThan(0);
});

it.each(['0', '-1', 'soon', '1 parsec', ''])('refuses "%s" as a duration', async (value) => {
  const { code, stderr } = await opac(['objects', 'count', '--mock', '--deadline', value]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--deadline')]);
});

it.each(['1h', '100000h'])('accepts %s', async (value) => {
  const { code } = await opac(['objects', 'count', '--mock', '--deadline', value]);
  expect(code).toBe(0);
});

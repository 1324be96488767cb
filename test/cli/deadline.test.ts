/** --deadline limits a whole command, whatever it waits for. */
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
const AT_ONCE = ['--deadline', '300ms', '--error-format', 'json'];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-deadline-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const errorOf = (stderr: string) =>
  JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;

const STALL: Fault = { kind: 'stall' };

const FAMILIES: readonly (readonly [line: string, fault: Fault])[] = [
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

it.concurrent.each(FAMILIES)('%s ends at the deadline with exit 5', async (line, fault) => {
  const began = performance.now();
  const { code, stderr } = await runAgainstMuseum([...line.split(' '), ...AT_ONCE], {
    museum: { faults: [fault] },
  });
  expect({ code, ...errorOf(stderr) }).toMatchObject({
    code: 'deadline',
    exit: 5,
    message: 'the command did not end within 0.3 s',
    hint: expect.stringContaining('increase --deadline'),
    retry: true,
  });
  expect(performance.now() - began).toBeLessThan(10_000);
});

it('what waits for standard input ends too', async () => {
  const { code, stderr } = await opac(['objects', 'list', '--mock', '--external-id', '-', ...AT_ONCE], {
    stdin: new Readable({ read() {} }),
  });
  expect([code, errorOf(stderr).code]).toEqual([5, 'deadline']);
});

it('an export keeps its part, and the command that it names goes on to the same bytes', async () => {
  const museum = await startMuseum({ faults: [{ kind: 'stall', after: 4, count: 1 }] });
  onTestFinished(() => museum.close());
  const folder = await newFolder();
  const exported = (name: string) => {
    const paging = ['--page-size', '10', '--concurrency', '1'];
    return ['objects', 'export', '--base-url', museum.url, '-o', join(folder, name), ...paging];
  };
  const stopped = await opac([...exported('o.csv'), ...DEADLINE]);
  expect(stopped.code).toBe(6);
  const { hint, resume, code } = errorOf(stopped.stderr);
  expect([code, hint]).toEqual(['deadline', expect.stringContaining('increase --deadline')]);
  expect(await readdir(folder)).toContain('o.csv.part');
  const [, ...words] = String(resume).split(' ');
  expect((await opac(words)).code).toBe(0);
  expect((await opac(exported('undisturbed.csv'))).code).toBe(0);
  const [one, other] = await Promise.all(
    ['o.csv', 'undisturbed.csv'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  expect(one).toBe(other);
});

it('a download keeps what came, and says how to go on', async () => {
  const folder = join(await newFolder(), 'pictures');
  const { stderr, code } = await runAgainstMuseum(
    // The first images must be there before it, also on a busy machine.
    ['images', 'download', folder, '--limit', '9', '--deadline', '3s', '--error-format', 'json'],
    {
      museum: { faults: [{ kind: 'stall', on: 'images', after: 3 }] },
    },
  );
  expect(code).toBe(6);
  expect(errorOf(stderr)).toMatchObject({
    code: 'deadline',
    hint: expect.stringContaining('run the same command again to continue'),
  });
  expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(0);
});

it('a check writes the reports of what it found', async () => {
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

it.each(['0', '-1', 'soon', '1 parsec', ''])('"%s" is no span', async (value) => {
  const { code, stderr } = await opac(['objects', 'count', '--mock', '--deadline', value]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--deadline')]);
});

it.each(['1h', '100000h'])('%s leaves time enough', async (value) => {
  const { code } = await opac(['objects', 'count', '--mock', '--deadline', value]);
  expect(code).toBe(0);
});

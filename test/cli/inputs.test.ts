/** Unusual inputs and outputs: pipes, endless devices, links to themselves, folders, and files that are too large. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openOutput } from '../../src/system/open-stream.js';
import { opac } from './run-in-process.js';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-inputs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const RECORD = '{"opacObjectId":"1","title":"Urn"}\n';

const READERS = [
  'objects list --mock --columns @FILE',
  'objects get --mock @FILE',
  'check --mock --only access --known FILE',
  'objects list --from FILE',
  'objects export --from FILE -o -',
  'diff FILE FILE.ndjson',
  'objects list --mock --columns @FILE.csv',
  'mock --port 0 --data FILE',
];

const buildWords = (command: string, path: string) =>
  command.split(' ').map((word) => word.replace('FILE', () => path));

/** Starts a command that reads a pipe. Returns the end for writing as soon as the command has opened the pipe. */
async function startWithPipe(command: string) {
  const path = join(await newFolder(), 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  await writeFile(`${path}.ndjson`, RECORD);
  await symlink('pipe', `${path}.csv`);
  const stop = new AbortController();
  const ended = opac(buildWords(command, path), { signal: stop.signal });
  return { ended, stop, writer: await open(path, 'w') };
}

describe('a pipe (needs mkfifo)', () => {
  it.each(READERS)('does not block signals while it has no data: %s', async (command) => {
    const { ended, stop, writer } = await startWithPipe(command);
    stop.abort(new Error('stop'));
    expect((await ended).stderr).toContain('stop');
    await writer.close();
  });

  it.each([
    ['objects get --mock @FILE', 3],
    ['objects export --from FILE -o -', 0],
    ['diff FILE FILE.ndjson', 0],
  ])('is read like a file: %s', async (command, code) => {
    const { ended, writer } = await startWithPipe(command);
    await writer.writeFile(RECORD);
    await writer.close();
    expect((await ended).code).toBe(code);
  });
});

describe('a pipe as output (needs mkfifo)', () => {
  it('does not block signals while nobody reads it', async () => {
    const path = join(await newFolder(), 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    const stop = new AbortController();
    const opened = openOutput(path, stop.signal);
    stop.abort();
    await expect(opened).rejects.toThrow('aborted');
  });

  it('receives the complete output', async () => {
    const path = join(await newFolder(), 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    const command = 'objects list --mock --all -f ndjson';
    const [read, written] = await Promise.all([
      readFile(path, 'utf8'),
      opac(buildWords(`${command} -o FILE`, path)),
    ]);
    expect([written.code, read]).toEqual([0, (await opac(command.split(' '))).stdout]);
  });
});

describe('an output that would replace the input', () => {
  it.each([
    ['objects list --from FILE.ndjson --limit 1 -f ndjson -o FILE.ndjson', '.ndjson'],
    ['objects list --from FILE.link -f csv -o FILE.csv', '.csv.part'],
    ['objects export --from FILE.csv.part --where title=Urn -o FILE.csv', '.csv.part'],
    ['diff FILE.csv.part FILE.ndjson -f csv -o FILE.csv', '.csv.part'],
    ['diff FILE.ndjson FILE.link -f ndjson -o FILE.ndjson', '.ndjson'],
    ['objects diff FILE.ndjson --mock -f ndjson -o FILE.ndjson', '.ndjson'],
  ])('is refused, and the file does not change: %s', async (command, ending) => {
    const path = join(await newFolder(), 'f');
    for (const each of ['.ndjson', '.csv.part']) await writeFile(`${path}${each}`, RECORD);
    await symlink('f.csv.part', `${path}.link`);
    const { code, stderr } = await opac(buildWords(command, path));
    expect([code, stderr]).toEqual([2, expect.stringContaining('name another file with -o')]);
    expect(await readFile(`${path}${ending}`, 'utf8')).toBe(RECORD);
  });
});

it.each([
  'check --mock --only access --report json=FILE --report junit=FILE',
  'check --mock --only access --baseline FILE --update-baseline --report json=FILE',
  'check --mock --only access --report json=FILE -o FILE',
])('refuses to use a file twice: %s', async (command) => {
  const { code, stderr } = await opac(buildWords(command, join(await newFolder(), 'r.json')));
  expect([code, stderr]).toEqual([2, expect.stringContaining('is used twice')]);
});

it.each([
  ['w.csv', `id${',x'.repeat(20_000)}\n`, '--columns', 'has more than 20,000 columns'],
  ['ids.txt', '\n'.repeat(5_000_001), '--external-id', 'has more than 5,000,000 lines'],
])('refuses a file with too many columns or lines: %s', async (name, content, option, message) => {
  const file = join(await newFolder(), name);
  await writeFile(file, content);
  const { code, stderr } = await opac(['objects', 'list', '--mock', option, `@${file}`]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it('refuses a list with a very long value', async () => {
  const file = join(await newFolder(), 'q.txt');
  await writeFile(file, `"a ""b"""\n${'"'.repeat(100_001)}\n`);
  const { code, stderr } = await opac(['objects', 'count', '--mock', '--external-id', `@${file}`]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('a value of more than 100,000 characters')]);
});

it('reports a folder at the path of the manifest, also with --force', async () => {
  const target = join(await newFolder(), 'o.csv');
  await mkdir(`${target}.manifest.json`);
  const { code, stderr } = await opac(['objects', 'list', '--mock', '--force', '-o', target]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('o.csv.manifest.json": it is a folder')]);
});

it.each(['login --mock', 'images download FILE --mock --limit 1 --dry-run'])(
  'reports a missing folder for temporary files: %s',
  async (command) => {
    vi.stubEnv('TMPDIR', '/nowhere/tmp');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stderr } = await opac(buildWords(command, '/nowhere/pictures'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/"\/nowhere\/tmp\/.*does not exist; check that/),
    ]);
  },
);

it('exits with 0 and a message if the job summary of a check cannot be written', async () => {
  const { code, stderr } = await opac(['check', '--mock', '--only', 'access', '--report', 'github'], {
    environment: { GITHUB_STEP_SUMMARY: await newFolder() },
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining('it is a folder (GITHUB_STEP_SUMMARY)')]);
});

describe('objects get', () => {
  it.each([
    ['/dev/zero', 'is larger than 256 MB; use a smaller file'],
    ['ids', 'the link leads back to itself'],
    ['nowhere', 'file not found'],
  ])('refuses a link to "%s" (needs /dev)', async (target, message) => {
    const path = join(await newFolder(), 'ids');
    await symlink(target, path);
    const { code, stderr } = await opac(['objects', 'get', `@${path}`, '--mock']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses endless standard input', async () => {
    const { code, stderr } = await opac(['objects', 'get', '-', '--mock'], {
      stdin: (await open('/dev/zero')).createReadStream({ highWaterMark: 1 << 24 }),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('"-" is larger than 256 MB')]);
  });
});

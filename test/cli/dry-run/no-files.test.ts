/** `--dry-run` changes no files. These tests run each example of the help and of the documents with it. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../../src/mock/index.js';
import {
  createEnvironment,
  createLoginCommand,
  RUNNABLE_EXAMPLES,
  readExample,
  writeExampleFiles,
} from '../examples.js';
import { opac } from '../run-in-process.js';

const here = process.cwd();
let folder: string;
let home: string;
let museum: Museum;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-dry-run-'));
  museum = await startMuseum();
  home = join(folder, 'home');
  await writeExampleFiles(home);
  process.chdir(home);
  const environment = createEnvironment(home, museum);
  const lines = [
    createLoginCommand(museum),
    ['objects', 'export', '-o', 'objects.csv', '-q'],
    ['objects', 'export', '-o', 'all.ndjson.gz', '-q'],
    ['objects', 'export', '-o', 'part-1.ndjson.gz', '--part', '1/1', '-q'],
    ['check', '--mock', '--baseline', 'baseline.json', '--update-baseline', '-q'],
  ];
  for (const words of lines) expect(await opac(words, { environment })).toMatchObject({ code: 0 });
}, 60_000);

afterAll(async () => {
  process.chdir(here);
  await museum.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the hash of each file in the home folder, by name. Folders have the value `a folder`. */
async function hashFiles(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(home, { recursive: true });
  const read = async (name: string) =>
    (await stat(join(home, name))).isFile()
      ? createHash('sha256')
          .update(await readFile(join(home, name)))
          .digest('hex')
      : 'a folder';
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}

const EXTENSIONS = ['ndjson', 'html', 'xlsx'];
const SAME_FILE = ['objects.csv', '--force'];
/** Commands that send no requests refuse `--dry-run`. */
const REFUSAL = /--dry-run (?:cannot be used with|has no effect in) this command/;

it.each(RUNNABLE_EXAMPLES)('changes no files with --dry-run, with and without -o: %s', async (line) => {
  const { argv, stdin } = readExample(line, museum);
  const environment = { ...createEnvironment(home, museum), GITHUB_STEP_SUMMARY: join(home, 'summary.md') };
  const outputs = [[], ...EXTENSIONS.map((extension) => ['-o', `made.${extension}`]), ['-o', ...SAME_FILE]];
  const before = await hashFiles();
  const runs = [];
  for (const output of outputs)
    runs.push(await opac([...argv, ...output, '--dry-run'], { environment, stdin }));
  expect(await hashFiles()).toEqual(before);
  const { code, stderr } = runs[0] as (typeof runs)[number];
  if (code !== 0) expect([code, stderr]).toEqual([2, expect.stringMatching(REFUSAL)]);
});

it.each([
  'check --baseline base.json --update-baseline',
  'check --report junit=check.xml --report github',
  'objects diff objects-old.ndjson -o changes.csv',
  'diff objects-old.ndjson objects.ndjson -o changes.html',
  'completion bash -o opac.bash',
  'openapi -o openapi.json',
  'profiles set museum timeout=5',
  'logout',
])('changes no files with --dry-run: opac %s', async (line) => {
  const before = await hashFiles();
  const words = [...line.split(' '), '--dry-run'];
  await opac(words, {
    environment: { ...createEnvironment(home, museum), GITHUB_STEP_SUMMARY: join(home, 'summary.md') },
  });
  expect(await hashFiles()).toEqual(before);
});

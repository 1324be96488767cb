/** Every example of the help and every command line of the README runs as it is written. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { EXAMPLES, environmentOf, loginTo, RUNNABLE, readExample, writeExampleFiles } from './examples.js';
import { opac } from './run-in-process.js';

const here = process.cwd();
let folder: string;
let museum: Museum;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-examples-'));
  museum = await startMuseum();
  const home = join(folder, 'home');
  await writeExampleFiles(home);
  expect(await opac(loginTo(museum), { environment: environmentOf(home, museum) })).toMatchObject({
    code: 0,
  });
});

afterAll(async () => {
  process.chdir(here);
  await museum.close();
  await rm(folder, { recursive: true, force: true });
});

/** Commands that change something and say so on standard error, and scripts that a shell reads. */
const TELLING = /^opac (?:login|logout|profiles (?:use|remove|set)|sync|merge)\b/;

/** Data, a file or a message has come, in the form that the line asks for. */
function expectMeant(line: string, stdout: string, stderr: string, made: readonly string[]): void {
  const [, file] = / (?:-o|--output|-d|--directory) (\S+)/.exec(line) ?? [];
  if ((file !== undefined && file !== '-') || line.startsWith('opac images download')) {
    expect(made, 'no file was made').not.toEqual([]);
    return;
  }
  expect(stdout + (TELLING.test(line) ? stderr : ''), 'nothing was printed').not.toBe('');
  if (/ -f json\b/.test(line)) expect(() => JSON.parse(stdout)).not.toThrow();
  if (/ -f ndjson\b/.test(line)) for (const each of stdout.trimEnd().split('\n')) JSON.parse(each);
  const [, limit] = /^opac (?:objects|persons|venues|records) list\b.* --limit (\d+)/.exec(line) ?? [];
  if (limit !== undefined && / -f (?:ids|ndjson)\b/.test(line))
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(Number(limit));
}

describe('the examples of the help and of the README', () => {
  it('are nearly all run', () => {
    expect(EXAMPLES.length - RUNNABLE.length).toBeLessThan(EXAMPLES.length / 8);
  });

  it.each(RUNNABLE)('%s', async (line) => {
    const own = join(folder, String(RUNNABLE.indexOf(line)));
    await writeExampleFiles(own);
    await cp(join(folder, 'home', 'config'), join(own, 'config'), { recursive: true });
    process.chdir(own);
    const environment = environmentOf(own, museum);
    // What was exported before can be verified.
    if (line.startsWith('opac merge'))
      for (const n of [1, 2])
        await opac(['objects', 'export', '--part', `${n}/2`, '-o', `part-${n}.csv`, '-q'], { environment });
    if (line.includes('--from all.ndjson.gz'))
      await opac(['objects', 'export', '-o', 'all.ndjson.gz', '-q'], { environment });
    if (line.startsWith('opac verify'))
      await opac(['objects', 'export', '-o', 'objects.csv', '-q'], { environment });
    const { argv, stdin } = readExample(line, museum);
    // What was published before is compared with.
    if (line.includes('--baseline') && !line.includes('--update-baseline'))
      expect(await opac([...argv, '--update-baseline'], { environment })).toMatchObject({ code: 0 });
    const before = await readdir(own, { recursive: true });
    const { code, stdout, stderr } = await opac(argv, { environment, stdin });
    expect(stderr).not.toMatch(/^opac:/m);
    expect(code).toBe(0);
    const made = (await readdir(own, { recursive: true })).filter((name) => !before.includes(name));
    expectMeant(line, stdout, stderr, made);
  });
});

/** Every example of the help and every command line of the documents runs as it is written. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import {
  EXAMPLES,
  environmentOf,
  expectMeant,
  loginTo,
  RUNNABLE,
  readExample,
  writeExampleFiles,
} from './examples.js';
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

describe('the examples of the help and of the documents', () => {
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
    if (line.includes("--from 'part-*"))
      for (const n of [1, 2])
        await opac(['objects', 'export', '--part', `${n}/2`, '-o', `part-${n}.ndjson.gz`, '-q'], {
          environment,
        });
    if (line.includes('--from all.ndjson.gz'))
      await opac(['objects', 'export', '-o', 'all.ndjson.gz', '-q'], { environment });
    if (line.startsWith('opac verify'))
      await opac(['objects', 'export', '-o', 'objects.csv', '-q'], { environment });
    const { argv, stdin } = readExample(line, museum);
    // What was published before is compared with.
    if (line.includes('--baseline') && !line.includes('--update-baseline'))
      expect(await opac([...argv, '--update-baseline'], { environment })).toMatchObject({ code: 0 });
    // An earlier example may have written the file without a manifest.
    const [, target = ''] = /^opac \w+ export .*-o (\S+)/.exec(line) ?? [];
    if (!existsSync(join(own, `${target}.manifest.json`)))
      await rm(join(own, target || 'none'), { force: true });
    const before = await readdir(own, { recursive: true });
    const { code, stdout, stderr } = await opac(argv, { environment, stdin });
    expect(stderr).not.toMatch(/^opac:/m);
    expect(code).toBe(0);
    const made = (await readdir(own, { recursive: true })).filter((name) => !before.includes(name));
    expectMeant(line, stdout, stderr, made);
  });
});

/** Runs the examples of the help and the command lines of the documents exactly as they are written. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import {
  createEnvironment,
  createLoginCommand,
  EXAMPLES,
  expectOutput,
  RUNNABLE_EXAMPLES,
  readExample,
  writeExampleFiles,
} from './examples.js';
import { opac } from './run-in-process.js';

const startFolder = process.cwd();
let folder: string;
let museum: Museum;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-examples-'));
  museum = await startMuseum();
  const home = join(folder, 'home');
  await writeExampleFiles(home);
  expect(
    await opac(createLoginCommand(museum), { environment: createEnvironment(home, museum) }),
  ).toMatchObject({
    code: 0,
  });
});

afterAll(async () => {
  process.chdir(startFolder);
  await museum.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the examples of the help and of the documents', () => {
  it('include less than an eighth that this test cannot run', () => {
    expect(EXAMPLES.length - RUNNABLE_EXAMPLES.length).toBeLessThan(EXAMPLES.length / 8);
  });

  it.each(RUNNABLE_EXAMPLES)('succeed and produce output: %s', async (line) => {
    const exampleFolder = join(folder, String(RUNNABLE_EXAMPLES.indexOf(line)));
    await writeExampleFiles(exampleFolder);
    await cp(join(folder, 'home', 'config'), join(exampleFolder, 'config'), { recursive: true });
    process.chdir(exampleFolder);
    const environment = createEnvironment(exampleFolder, museum);
    // Create the exports that the example reads.
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
    // Create the baseline that the example compares with.
    if (line.includes('--baseline') && !line.includes('--update-baseline'))
      expect(await opac([...argv, '--update-baseline'], { environment })).toMatchObject({ code: 0 });
    // An earlier example may have written the file without a manifest.
    const [, target = ''] = /^opac \w+ export .*-o (\S+)/.exec(line) ?? [];
    if (!existsSync(join(exampleFolder, `${target}.manifest.json`)))
      await rm(join(exampleFolder, target || 'none'), { force: true });
    const before = await readdir(exampleFolder, { recursive: true });
    const { code, stdout, stderr } = await opac(argv, { environment, stdin });
    expect(stderr).not.toMatch(/^opac:/m);
    expect(code).toBe(0);
    const newFiles = (await readdir(exampleFolder, { recursive: true })).filter(
      (name) => !before.includes(name),
    );
    expectOutput(line, stdout, stderr, newFiles);
  });
});

/** Runs the first example of each noun in the built program, which loads nouns separately. test/cli/examples runs all of them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import {
  createEnvironment,
  createLoginCommand,
  expectOutput,
  RUNNABLE_EXAMPLES,
  readExample,
  writeExampleFiles,
} from '../cli/examples.js';
import { createFolder, opac } from './opac.js';

const nounOf = (line: string) => line.split(' ')[1];
const FIRST = RUNNABLE_EXAMPLES.filter(
  (line, index) => RUNNABLE_EXAMPLES.findIndex((other) => nounOf(other) === nounOf(line)) === index,
);

it.each(FIRST)('runs the example: %s', async (line) => {
  const museum = await startMuseum();
  onTestFinished(() => museum.close());
  const folder = join(await createFolder(), 'home');
  await writeExampleFiles(folder);
  const options = {
    folder,
    // Prevents access to the keyring of the user who runs the tests.
    environment: { ...createEnvironment(folder, museum), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
  };
  // The other examples use the built-in museum, or no deployment.
  if (/^opac (logout|status|token|profiles|verify)/.test(line))
    expect(await opac(createLoginCommand(museum), options)).toMatchObject({ code: 0 });
  if (line.includes("--from 'part-*"))
    for (const n of [1, 2])
      await opac(['objects', 'export', '--part', `${n}/2`, '-o', `part-${n}.ndjson.gz`, '-q'], options);
  if (line.includes('--from all.ndjson.gz'))
    await opac(['objects', 'export', '-o', 'all.ndjson.gz', '-q'], options);
  if (line.startsWith('opac verify')) await opac(['objects', 'export', '-o', 'objects.csv', '-q'], options);
  const { argv, stdin } = readExample(line, museum);
  const before = await readdir(folder, { recursive: true });
  const { code, stdout, stderr } = await opac(argv, { ...options, stdin });
  expect(stderr).not.toMatch(/^opac:/m);
  expect(code).toBe(0);
  const created = (await readdir(folder, { recursive: true })).filter((name) => !before.includes(name));
  expectOutput(line, stdout, stderr, created);
});

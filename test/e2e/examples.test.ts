/** Of every noun the first example runs in the built program, which loads its nouns apart; test/cli/examples runs them all. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import {
  environmentOf,
  expectMeant,
  loginTo,
  RUNNABLE,
  readExample,
  writeExampleFiles,
} from '../cli/examples.js';
import { newFolder, opac } from './opac.js';

const nounOf = (line: string) => line.split(' ')[1];
const FIRST = RUNNABLE.filter(
  (line, index) => RUNNABLE.findIndex((other) => nounOf(other) === nounOf(line)) === index,
);

it.each(FIRST)('%s', async (line) => {
  const museum = await startMuseum();
  onTestFinished(() => museum.close());
  const folder = join(await newFolder(), 'home');
  await writeExampleFiles(folder);
  const surroundings = {
    folder,
    // No secret service to be found: nothing is written to the keyring of whoever runs this.
    environment: { ...environmentOf(folder, museum), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
  };
  // The others ask the built-in museum, or nobody.
  if (/^opac (logout|status|token|profiles|verify)/.test(line))
    expect(await opac(loginTo(museum), surroundings)).toMatchObject({ code: 0 });
  if (line.includes("--from 'part-*"))
    for (const n of [1, 2])
      await opac(['objects', 'export', '--part', `${n}/2`, '-o', `part-${n}.ndjson.gz`, '-q'], surroundings);
  if (line.includes('--from all.ndjson.gz'))
    await opac(['objects', 'export', '-o', 'all.ndjson.gz', '-q'], surroundings);
  if (line.startsWith('opac verify'))
    await opac(['objects', 'export', '-o', 'objects.csv', '-q'], surroundings);
  const { argv, stdin } = readExample(line, museum);
  const before = await readdir(folder, { recursive: true });
  const { code, stdout, stderr } = await opac(argv, { ...surroundings, stdin });
  expect(stderr).not.toMatch(/^opac:/m);
  expect(code).toBe(0);
  const made = (await readdir(folder, { recursive: true })).filter((name) => !before.includes(name));
  expectMeant(line, stdout, stderr, made);
});

/** What `opac openapi` prints is of use to others: a linter finds no error. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newFolder, opac } from './opac.js';

const REDOCLY = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));

it('a public linter finds no error in the description', async () => {
  const folder = await newFolder();
  const file = join(folder, 'openapi.json');
  expect(await opac(['openapi', '-o', file])).toMatchObject({ code: 0, stdout: '' });
  const { stdout } = await promisify(execFile)(REDOCLY, ['lint', file, '--format', 'json'], {
    cwd: folder,
    env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const { totals, problems } = JSON.parse(stdout) as {
    totals: { errors: number };
    problems: { ruleId: string }[];
  };
  expect(totals.errors).toBe(0);
  // Of the service itself: some of its paths can be read in two ways, and its authorization answers with a redirect.
  expect([...new Set(problems.map(({ ruleId }) => ruleId))].toSorted()).toEqual([
    'no-ambiguous-paths',
    'operation-2xx-response',
  ]);
});

it('a file of it is indented, so that versions can be compared line by line', async () => {
  const folder = await newFolder();
  await opac(['openapi', '-o', 'openapi.json'], { folder });
  expect(await readFile(join(folder, 'openapi.json'), 'utf8')).toMatch(/^\{\n {2}"openapi": "3\.1\.0",\n/);
});

/** The description that `opac openapi` writes is valid for other programs, such as a linter. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createFolder, opac } from './opac.js';

const REDOCLY = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));

it('writes a description in which a public linter finds no error', async () => {
  const folder = await createFolder();
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
  // These warnings are about the service: some of its paths are ambiguous, and its authorization responds with a redirect.
  expect([...new Set(problems.map(({ ruleId }) => ruleId))].toSorted()).toEqual([
    'no-ambiguous-paths',
    'operation-2xx-response',
  ]);
});

it('writes an indented file, so that users can compare versions line by line', async () => {
  const folder = await createFolder();
  await opac(['openapi', '-o', 'openapi.json'], { folder });
  expect(await readFile(join(folder, 'openapi.json'), 'utf8')).toMatch(/^\{\n {2}"openapi": "3\.1\.0",\n/);
});

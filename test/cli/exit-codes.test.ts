/** All exit codes of the table, and errors as JSON. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXIT_CODE_MEANINGS } from '../../src/cli/exit-codes.js';
import { startMuseum } from '../../src/mock/index.js';
import { ERROR_CODES } from '../../src/service/error-codes.js';
import { OpacError } from '../../src/service/errors.js';
import { acquireLock } from '../../src/system/lock.js';
import { createTemporaryFolder } from '../auth/temporary-folder.js';
import { opac } from './run-in-process.js';

describe('a name that does not exist', () => {
  it.each([
    ['a profile', 'objects list -p nobody', 2, 'unknown-profile'],
    ['a profile to use', 'profiles use nobody', 2, 'unknown-profile'],
    ['a column', 'objects list --mock --columns no_such', 2, 'usage'],
    ['a command', 'objcts list', 2, 'usage'],
    ['a facet', 'facets get objects no_such --mock', 3, 'not-found'],
    ['a record', 'objects get 999 --mock', 3, 'not-found'],
    ['a view', 'views get objects no_such --mock', 3, 'not-found'],
    ['a relationship', 'relationships get objects 20022 no_such --mock', 3, 'not-found'],
    ['a missing deployment', 'objects list', 4, 'no-deployment'],
  ])('is reported for %s: opac %s exits with %i (%s)', async (_, line, exit, code) => {
    const result = await opac([...line.split(' '), '--error-format', 'json']);
    expect({ code: result.code, error: JSON.parse(result.stderr) }).toMatchObject({
      code: exit,
      error: { exit, code },
    });
  });
});

describe('the table of exit codes', () => {
  it('contains exactly the codes that these commands exit with', async () => {
    const museum = await startMuseum({ faults: [{ kind: 'status', status: 404, on: 'venues.search' }] });
    onTestFinished(() => museum.close());
    const folder = await createTemporaryFolder();
    const target = join(folder, 'out.csv');
    const lock = await acquireLock(`${target}.lock`, target);
    onTestFinished(() => lock.release());
    await writeFile(join(folder, 'plain.csv'), 'id\n1\n');
    await writeFile(join(folder, 'other.csv'), 'id\n2\n');
    const lines: readonly (readonly [exit: number, words: readonly string[]])[] = [
      [0, ['objects', 'count']],
      [1, ['objects', 'export', '-o', join(folder, 'no/such/out.csv')]],
      [2, ['objects', 'list', '--limit', 'x']],
      [3, ['objects', 'get', '999']],
      [5, ['venues', 'count']],
      [6, ['verify', join(folder, 'plain.csv')]],
      [7, ['check', '--only', 'expected', '--expect', 'objects=999999', '--retries', '0']],
      [8, ['objects', 'export', '-o', target]],
      [9, ['diff', join(folder, 'plain.csv'), join(folder, 'other.csv'), '--exit-code']],
    ];
    for (const [exit, words] of lines) {
      const { code, stderr } = await opac([...words, '--base-url', museum.url]);
      expect({ words, code, stderr }).toMatchObject({ words, code: exit });
    }
    const seen = [...lines.map(([exit]) => exit), 4, 130];
    expect(new Set(seen)).toEqual(new Set(EXIT_CODE_MEANINGS.map(([code]) => code)));
    expect(await opac(['objects', 'list'])).toMatchObject({ code: 4 });
    const stopped = await opac(['objects', 'list', '--mock'], {
      signal: AbortSignal.abort(new OpacError('interrupted', 'stop')),
    });
    expect(stopped.code).toBe(130);
  });
});

describe('an error as JSON', () => {
  it('has all keys, and is one line', async () => {
    const museum = await startMuseum({ faults: [{ kind: 'status', status: 503 }] });
    onTestFinished(() => museum.close());
    const { stderr, code } = await opac(['objects', 'count', '--base-url', museum.url, '--retries', '0'], {
      environment: { OPAC_ERROR_FORMAT: 'json' },
    });
    expect(code).toBe(5);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr)).toEqual({
      code: 'busy',
      kind: 'deployment',
      exit: 5,
      message: expect.stringContaining('the service is busy (503)'),
      hint: expect.any(String),
      retry: true,
      status: 503,
      method: 'GET',
      path: '/opacobjects?limit=0&offset=0',
      resume: null,
      ids: null,
    });
  });

  it('contains the id of the record that was not found, and the request', async () => {
    const { stderr } = await opac(['objects', 'get', '99', '--mock', '--error-format', 'json']);
    const request = { status: 404, method: 'GET', path: '/opacobjects/99' };
    expect(JSON.parse(stderr)).toMatchObject({ code: 'not-found', exit: 3, ids: ['99'], ...request });
  });

  it('is printed also if another option is unknown; --error-format xml is refused', async () => {
    const { stderr } = await opac(['objects', 'list', '--error-format=json', '--no-such']);
    expect(JSON.parse(stderr)).toMatchObject({ kind: 'usage', exit: 2 });
    expect((await opac(['objects', 'list', '--mock', '--error-format', 'xml'])).code).toBe(2);
  });

  it('matches the schema of "opac help errors", which lists all error codes', async () => {
    const { stdout } = await opac(['help', 'errors', '-f', 'json']);
    const { schema, codes } = JSON.parse(stdout);
    const isValid = new Ajv2020({ strict: false }).compile({ ...schema, additionalProperties: false });
    const museum = await startMuseum({ faults: [{ kind: 'status', status: 503, on: 'venues.search' }] });
    onTestFinished(() => museum.close());
    const lines = [
      'objects list --limit x',
      'objects get 1 20022 2',
      'facets get objects no_such',
      'venues count --retries 0',
      'objects export -o no/such/folder.csv',
      'verify no-such-file.csv',
    ];
    const errors = await Promise.all(
      lines.map(async (line) => {
        const words = [...line.split(' '), '--base-url', museum.url, '--error-format', 'json', '--quiet'];
        return JSON.parse((await opac(words)).stderr);
      }),
    );
    for (const error of errors) expect({ error, is: isValid(error) }).toEqual({ error, is: true });
    expect(new Set(errors.map(({ exit }) => exit))).toEqual(new Set([1, 2, 3, 5, 6]));
    expect(codes.map(({ code }: { code: string }) => code)).toEqual(Object.keys(ERROR_CODES));
  });
});

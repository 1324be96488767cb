/** Runs without a user: misspelt variables, a login that cannot be stored, and progress in the logs of CI. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProfileStore } from '../../src/auth/store/profile-store.js';
import { type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { createTemporaryFolder } from '../auth/temporary-folder.js';
import { createRecords, SmallMuseum, type SmallRecord } from '../mirror/small-museum.js';
import { opac } from './run-in-process.js';

async function museumUrl(options: MuseumOptions = {}): Promise<string> {
  const museum = await startMuseum(options);
  onTestFinished(() => museum.close());
  return museum.url;
}

describe('a variable in the environment', () => {
  it.each(['OPAC_BASIC_KEYY', 'OPAC_CLIENT_IDD', 'OPAC_ACCES_TOKEN', 'opac_basic_key'])(
    'causes an error if it looks like a misspelt credential: %s',
    async (wrong) => {
      const environment = { OPAC_BASE_URL: await museumUrl(), [wrong]: 'secret-value' };
      const { code, stdout, stderr } = await opac(['objects', 'count'], { environment });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`unknown variable ${wrong} in the environment`);
      expect(stderr).not.toContain('secret-value');
    },
  );

  it('is ignored if it is unknown, with a notice if requests have no credentials', async () => {
    const environment = { OPAC_BASE_URL: await museumUrl(), OPAC_SERVICE_HOST: 'x', OPAC_EMPTY: '' };
    const anonymous = await opac(['objects', 'count'], { environment });
    expect(anonymous).toMatchObject({
      code: 0,
      stderr: 'OPAC_SERVICE_HOST is not a variable of opac and is ignored; see: opac help environment\n',
    });
    const known = await opac(['objects', 'count'], { environment: { ...environment, OPAC_BASIC_KEY: 'k' } });
    expect(known).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['OPAC_BASIC_KEY', 'set OPAC_BASIC_KEY, or unset it'],
    ['OPAC_ACCESS_TOKEN', 'set OPAC_ACCESS_TOKEN, or unset it'],
    ['OPAC_CLIENT_SECRET', 'set OPAC_CLIENT_SECRET, or unset it'],
  ])('causes exit code 4 and a hint if it is empty: %s', async (name, hint) => {
    const environment = { OPAC_BASE_URL: await museumUrl(), [name]: '' };
    const { code, stderr } = await opac(['objects', 'count'], { environment });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(hint) });
  });
});

describe('a login', () => {
  it('sends no request if it cannot store the profile', async () => {
    const museum = await startMuseum();
    onTestFinished(() => museum.close());
    const file = join(await createTemporaryFolder(), 'file');
    await writeFile(file, '');
    const { clientId, clientSecret, redirectURI } = museum.client;
    const words = ['login', '--base-url', museum.url, '--client-id', clientId, '--redirect-uri', redirectURI];
    const { code, stderr } = await opac([...words, '--method', 'headless'], {
      environment: { OPAC_CLIENT_SECRET: clientSecret, OPAC_CONFIG_DIR: join(file, 'opac') },
    });
    expect({ code, requests: museum.requests }).toEqual({ code: 1, requests: [] });
    expect(stderr).toContain(`cannot write the profiles in "${join(file, 'opac', 'profiles.json')}"`);
  });

  it('checks the folder of the profiles without creating it', async () => {
    const folder = await createTemporaryFolder();
    const store = new ProfileStore({ folder: join(folder, 'a', 'b'), note: () => {} });
    await store.assertWritable();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the progress of an export', () => {
  const run = async (environment: Record<string, string>, ...options: string[]) => {
    const file = join(await createTemporaryFolder(), 'out.csv');
    return opac(['objects', 'export', '--mock', '-o', file, ...options], { columns: 100, environment });
  };

  it('is printed on a terminal, but not with CI=true or CI=1', async () => {
    expect((await run({})).stderr).toContain('\r');
    for (const CI of ['true', '1']) expect((await run({ CI })).stderr).not.toContain('\r');
    expect((await run({ CI: 'false' })).stderr).toContain('\r');
  });

  it('has --limit as its total, not the number of all records', async () => {
    const { stderr } = await run({}, '--limit', '50', '--page-size', '25');
    expect(stderr).toContain('25 of 50');
    expect(stderr).not.toContain('of 163');
  });
});

describe('output', () => {
  it('has a header for a count as csv', async () => {
    expect((await opac(['objects', 'count', '--mock', '-f', 'csv'])).stdout).toBe(
      'kind,total\nobjects,163\n',
    );
  });

  it.each([undefined, 80])('has no empty line before an error (columns: %s)', async (columns) => {
    const { stdout, stderr } = await opac(['objects', 'get', '999', '--mock'], columns ? { columns } : {});
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringMatching(/^opac: not found/) });
  });
});

describe('--wait', () => {
  const starting = { faults: [{ kind: 'status', status: 503, first: 1 }] } as const;

  it.each(['objects count', 'status'])('retries until the service is available: %s', async (line) => {
    const words = [...line.split(' '), '--base-url', await museumUrl(starting), '--wait', '20s', '--verbose'];
    const { code, stderr } = await opac(words);
    expect({ code, tries: stderr.match(/retrying in \d\.\d s$/gm) }).toEqual({
      code: 0,
      tries: ['retrying in 0.5 s'],
    });
  });

  it.each(['objects count', 'status'])(
    'exits with 5 if the service is not available in time: %s',
    async (line) => {
      const words = [...line.split(' '), '--base-url', 'http://127.0.0.1:9', '--wait', '600ms'];
      expect(await opac(words)).toMatchObject({ code: 5, stderr: expect.stringContaining('refused') });
    },
  );
});

it('warns about a record without an id, and fails with --strict', async () => {
  const museum = await SmallMuseum.start();
  const [first, ...others] = createRecords(30) as [SmallRecord, ...SmallRecord[]];
  museum.records.objects = [...others, { ...first, id: undefined as unknown as string }];
  const file = join(await createTemporaryFolder(), 'o.ndjson');
  const words = ['objects', 'export', '--base-url', museum.url, '--quiet', '-o', file];
  const text = 'record without an id, so opac cannot check';
  expect(await opac(words)).toMatchObject({ code: 0, stderr: expect.stringContaining(`warning: 1 ${text}`) });
  expect(await opac([...words, '--strict'])).toMatchObject({
    code: 6,
    stderr: expect.stringContaining(`1 ${text}`),
  });
});

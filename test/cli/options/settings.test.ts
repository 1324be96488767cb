/** Default values: options take precedence over environment variables, and variables over the profile. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OPAC_VARIABLES } from '../../../src/cli/options/environment.js';
import { readGlobalOptions } from '../../../src/cli/options/global.js';
import { pagingOptions, resolvePaging } from '../../../src/cli/options/search.js';
import { applyEnvironment, SETTINGS } from '../../../src/cli/options/settings.js';
import { startMuseum } from '../../../src/mock/index.js';
import { createTemporaryFolder } from '../../auth/temporary-folder.js';
import { opac } from '../run-in-process.js';

const SAMPLES: Readonly<Record<string, readonly [good: string, bad: string]>> = {
  pageSize: ['50', '0'],
  timeout: ['2.5', 'soon'],
  deadline: ['10m', '10 years'],
  retries: ['0', '-1'],
  concurrency: ['2', '1.5'],
  rate: ['0.5', '0'],
  allowHttp: ['yes', 'perhaps'],
  allowPrivateImages: ['yes', 'perhaps'],
};
const rows = SETTINGS.map(
  (setting) => [setting.key, setting, ...(SAMPLES[setting.name] ?? ['', ''])] as const,
);

/** Starts a museum and saves a profile for it. Returns a function that runs commands with this profile. */
async function setUpProfile() {
  const museum = await startMuseum();
  onTestFinished(() => museum.close());
  const folder = await createTemporaryFolder();
  const run = (line: string, environment: Readonly<Record<string, string>> = {}) =>
    opac(line.split(' '), { environment: { OPAC_CONFIG_DIR: folder, ...environment } });
  await run(`login --anonymous -p museum --base-url ${museum.url}`);
  return { museum, run };
}

describe.each(rows)('%s', (key, { name, variable, parse }, good, bad) => {
  const read = (options: Readonly<Record<string, unknown>>) => ({
    ...readGlobalOptions(options, {}),
    ...resolvePaging({ all: false, limit: 20, offset: 0, pageSize: undefined, ...options }),
  });

  it('has the same value from its variable as from its option', () => {
    const byOption = read({ [name]: parse(good, key) });
    expect(read(applyEnvironment({}, { [variable]: good }))).toEqual(byOption);
    expect(byOption).not.toEqual(read({}));
  });

  it('causes exit code 2 for an invalid value, from the variable or in profiles set', async () => {
    const { run } = await setUpProfile();
    expect(await run('objects count', { [variable]: bad })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`invalid value "${bad}" for ${variable}`),
    });
    expect((await run(`profiles set museum ${key} ${bad}`)).code).toBe(2);
  });

  it('can be saved in a profile, shown with its source, and removed', async () => {
    const { run } = await setUpProfile();
    const showSetting = async (environment = {}) => {
      const { stdout } = await run('profiles show museum -f json', environment);
      return JSON.parse(stdout).find(({ setting }: { setting: string }) => setting === key);
    };
    const original = await showSetting();
    expect(original.from).toBe('default');
    await run(`profiles set museum ${key} ${good}`);
    expect(await showSetting()).toEqual({ setting: key, value: good, from: 'profile' });
    expect(await showSetting({ [variable]: good })).toMatchObject({ from: `environment (${variable})` });
    await run(`profiles set museum ${key}`);
    expect(await showSetting()).toEqual(original);
  });
});

it('reads an option first, then the variable, then the profile, also after a new login', async () => {
  const { museum, run } = await setUpProfile();
  await run('profiles set museum page-size 30');
  await run(`login --anonymous -p museum --base-url ${museum.url}`);
  const readSentLimit = async (line: string, environment = {}) => {
    const before = museum.requests.length;
    expect((await run(`objects list --all -f ids ${line}`.trim(), environment)).code).toBe(0);
    return museum.requests[before]?.query.get('limit');
  };
  expect(await readSentLimit('')).toBe('30');
  expect(await readSentLimit('', { OPAC_PAGE_SIZE: '20' })).toBe('20');
  expect(await readSentLimit('--page-size 10', { OPAC_PAGE_SIZE: '20' })).toBe('10');
  // The profile does not apply to another deployment.
  expect(await readSentLimit(`--base-url ${museum.url.replace('127.0.0.1', 'localhost')}`)).toBe('100');
});

it('applies the deadline of a profile to all commands that send requests', async () => {
  const { run } = await setUpProfile();
  await run('profiles set museum deadline 1ms');
  for (const line of ['objects list', 'status', 'api /opacobjects', 'check'])
    expect({ line, code: (await run(line)).code }).toEqual({ line, code: 5 });
  expect((await run('profiles list')).code).toBe(0);
});

describe('opac help', () => {
  it('lists all environment variables that the source reads', async () => {
    const known = new Set(OPAC_VARIABLES.map(([name]) => name));
    const folder = join(import.meta.dirname, '../../../src');
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const read = texts.flatMap((text) => text.match(/(?<=[eE]nv(?:ironment)?\.)OPAC_[A-Z_]+/g) ?? []);
    expect(read.length).toBeGreaterThan(10);
    expect(known.size).toBeGreaterThan(10);
    expect(read.filter((name) => !known.has(name))).toEqual([]);
    const { stdout } = await opac(['help', 'environment']);
    for (const name of known) expect(stdout).toContain(`| \`${name}\` |`);
  });

  it('prints commands, options, arguments, exit codes and variables as JSON', async () => {
    const help = async (...words: string[]) =>
      JSON.parse((await opac(['help', '-f', 'json', ...words])).stdout);
    const all = await help();
    const find = (name: string) => all.commands.find((each: { name: string }) => each.name === name);
    expect(find('objects get').arguments).toEqual([expect.objectContaining({ name: 'id', variadic: true })]);
    const flags = find('persons list').options.map((each: { flags: string }) => each.flags);
    expect(flags).toEqual(expect.arrayContaining(pagingOptions(20).map((option) => option.flags)));
    expect(all['exit-codes']).toContainEqual({ code: 8, meaning: expect.any(String) });
    expect(all.globalOptions).toContainEqual(expect.objectContaining({ flags: '--retries <n>', default: 4 }));
    expect(await help('objects', 'get')).toEqual(find('objects get'));
    expect(await help('environment')).toEqual(all.environment);
    expect((await opac(['help', 'no_such', '-f', 'json'])).code).toBe(2);
  });
});

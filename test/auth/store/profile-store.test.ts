import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/auth/store/profile.js';
import { ProfileStore } from '../../../src/auth/store/profile-store.js';
import { acquireLock } from '../../../src/system/lock.js';
import { createTemporaryFolder } from '../temporary-folder.js';

const PROFILE: Profile = { name: 'default', baseUrl: 'https://museum.example', scheme: 'anonymous' };

async function createStore(folder: string, user?: number) {
  const notices: string[] = [];
  const store = new ProfileStore({
    folder,
    note: (message) => notices.push(message),
    ...(user !== undefined && { user }),
  });
  return { store, notices, file: join(folder, 'profiles.json') };
}

const getMode = async (path: string) => (await stat(path)).mode & 0o777;
const save = (store: ProfileStore, name: string, rest: Partial<Profile> = {}) =>
  store.save({ ...PROFILE, ...rest, name });

describe('a store without a folder', () => {
  it('has no profiles, and throws an error on save, if the folder cannot be created', async () => {
    const folder = await createTemporaryFolder();
    await writeFile(join(folder, 'file'), '');
    const { store } = await createStore(join(folder, 'file', 'folder'));
    expect(await store.listNames()).toEqual({ names: [], current: undefined });
    expect(await store.get('default')).toBeUndefined();
    await expect(save(store, 'default')).rejects.toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(/^cannot open the profiles in ".*folder": not a directory$/),
      hint: 'check that you can write to the folder, or set OPAC_CONFIG_DIR to another folder',
    });
    await expect(store.assertWritable()).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot write the profiles in ".*profiles\.json": permission denied$/),
    });
  });

  it('is writable if the folder can be created, and does not create it for this check', async () => {
    const folder = await createTemporaryFolder();
    const { store } = await createStore(join(folder, 'new', 'folder'));
    await store.assertWritable();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('ProfileStore', () => {
  it('returns a profile as another store saved it', async () => {
    const folder = await createTemporaryFolder();
    const profile: Profile = {
      name: 'te-papa.v3',
      baseUrl: 'https://museum.example',
      scheme: 'bearer',
      clientId: 'id',
      redirectURI: 'http://127.0.0.1:8765/callback',
      challengeForm: 'S256',
      accessToken: 'token',
      issuedAt: 1,
      expiresAt: 3_600_001,
      allowHttp: false,
      publicPage: 'https://museum.example/objects/{id}',
    };
    await (await createStore(folder)).store.save(profile);
    expect(await (await createStore(folder)).store.get('te-papa.v3')).toEqual(profile);
  });

  it('returns no profiles before the first one is saved', async () => {
    const { store } = await createStore(await createTemporaryFolder());
    expect(await store.get('default')).toBeUndefined();
    expect(await store.listNames()).toEqual({ names: [], current: undefined });
  });

  it('lists sorted names; the last saved profile is current until another one is selected', async () => {
    const { store } = await createStore(await createTemporaryFolder());
    for (const name of ['b', 'a', 'c.d']) await save(store, name);
    expect(await store.listNames()).toEqual({ names: ['a', 'b', 'c.d'], current: 'c.d' });
    await store.setCurrent('b');
    expect((await store.listNames()).current).toBe('b');
    await store.remove('a');
    expect((await store.listNames()).current).toBe('b');
    await store.remove('b');
    expect(await store.listNames()).toEqual({ names: ['c.d'], current: undefined });
  });

  it('lists the profiles in the hint if a profile does not exist, or suggests a login', async () => {
    const { store } = await createStore(await createTemporaryFolder());
    await expect(store.setCurrent('a')).rejects.toMatchObject({
      kind: 'usage',
      hint: expect.stringContaining('opac login'),
    });
    await save(store, 'b');
    await expect(store.remove('a')).rejects.toMatchObject({ kind: 'usage', hint: 'choose from b' });
  });

  it('keeps unknown keys of the file', async () => {
    const { store, file } = await createStore(await createTemporaryFolder());
    await writeFile(
      file,
      JSON.stringify({
        current: 'a',
        future: 1,
        profiles: { a: { baseUrl: 'http://x', scheme: 'basic', later: [2] }, b: { odd: 3 } },
      }),
      { mode: 0o600 },
    );
    await store.update('a', (profile) => ({ ...profile, basicKey: 'key' }));
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      format: 1,
      current: 'a',
      future: 1,
      profiles: { a: { baseUrl: 'http://x', scheme: 'basic', later: [2], basicKey: 'key' }, b: { odd: 3 } },
    });
  });

  it('changes nothing if an update finds no profile or returns undefined', async () => {
    const { store } = await createStore(await createTemporaryFolder());
    await save(store, 'a');
    await store.update('gone', () => expect.unreachable());
    await store.update('a', () => undefined);
    expect(await store.listNames()).toEqual({ names: ['a'], current: 'a' });
    expect(await store.get('a')).toEqual({ ...PROFILE, name: 'a' });
  });

  it('reports an unusable profile, and throws errors for invalid and unknown names', async () => {
    const { store, file } = await createStore(await createTemporaryFolder());
    await writeFile(file, '{"profiles": {"a": {}}}', { mode: 0o600 });
    const reported: string[] = [];
    expect(await store.getUsable('a', ({ message }) => reported.push(message))).toBeUndefined();
    expect(await store.getUsable('a')).toBeUndefined();
    expect(reported).toEqual(['profile "a" has no valid baseUrl']);
    await expect(store.getUsable('../x')).rejects.toMatchObject({ kind: 'usage' });
    await expect(store.getRequired('b')).rejects.toMatchObject({
      message: 'no profile "b"',
      hint: 'choose from a',
      code: 'unknown-profile',
    });
  });

  it('refuses the file of a newer opac, and does not change it', async () => {
    const { store, file } = await createStore(await createTemporaryFolder());
    await writeFile(file, '{"format":2,"profiles":{}}', { mode: 0o600 });
    await expect(save(store, 'a')).rejects.toMatchObject({
      kind: 'usage',
      message: `a newer opac wrote the profiles in "${file}" (format 2, this version reads up to 1)`,
      hint: 'update opac, or set OPAC_CONFIG_DIR to another folder',
    });
    expect(await readFile(file, 'utf8')).toBe('{"format":2,"profiles":{}}');
  });

  it('refuses a profile with an invalid value, and can replace it', async () => {
    const { store, file } = await createStore(await createTemporaryFolder());
    await writeFile(file, JSON.stringify({ profiles: { a: { ...PROFILE, accessToken: 7 } } }), {
      mode: 0o600,
    });
    await expect(store.get('a')).rejects.toMatchObject({ message: 'profile "a" has no valid accessToken' });
    await save(store, 'a');
    expect(await store.get('a')).toEqual({ ...PROFILE, name: 'a' });
  });

  it('refuses invalid names', async () => {
    const { store } = await createStore(await createTemporaryFolder());
    for (const name of ['', '__proto__', '../x', 'a b', '-a', 'x'.repeat(65)]) {
      await expect(store.get(name)).rejects.toMatchObject({ kind: 'usage' });
      await expect(save(store, name)).rejects.toMatchObject({ kind: 'usage' });
    }
  });

  it('accepts all valid names, also those of object properties such as constructor', async () => {
    const { store } = await createStore(await createTemporaryFolder());
    const names = fc.oneof(
      fc.constantFrom('constructor', 'toString', 'hasOwnProperty', 'profiles', 'a.b', 'a'),
      fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/),
    );
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        expect(await store.get(name)).toBeUndefined();
        await save(store, name);
        expect(await store.get(name)).toEqual({ ...PROFILE, name });
        await store.remove(name);
      }),
      { numRuns: 25 },
    );
  });
});

describe('profiles.json', () => {
  it('is private after the first write, as is its folder', async () => {
    const folder = join(await createTemporaryFolder(), 'new', 'folder');
    const { store, file } = await createStore(folder);
    await save(store, 'a');
    expect(await getMode(file)).toBe(0o600);
    expect(await getMode(folder)).toBe(0o700);
    expect(await readdir(folder)).toEqual(['profiles.json']);
  });

  it('makes its folder read-only for other users at the next write', async () => {
    const folder = await createTemporaryFolder();
    const { store, file } = await createStore(folder);
    await save(store, 'a');
    await chmod(folder, 0o777);
    await save(store, 'a');
    expect(await getMode(file)).toBe(0o600);
    expect(await getMode(folder)).toBe(0o755);
  });

  it.runIf(process.platform !== 'win32').each([0o640, 0o604, 0o660, 0o602, 0o644, 0o666, 0o777])(
    'is refused with a hint to run chmod if its mode is %i (needs modes of POSIX)',
    async (mode) => {
      const { store, file } = await createStore(await createTemporaryFolder());
      await save(store, 'a');
      await chmod(file, mode);
      const secondStore = new ProfileStore({ folder: join(file, '..'), note: () => {} });
      for (const attempt of [() => secondStore.get('a'), () => save(secondStore, 'b')])
        await expect(attempt()).rejects.toMatchObject({
          code: 'permission-denied',
          message: expect.stringContaining('other users can read or change it'),
          hint: `run: chmod 600 "${file}"`,
        });
      await chmod(file, 0o600);
      const thirdStore = new ProfileStore({ folder: join(file, '..'), note: () => {} });
      expect(await thirdStore.get('a')).toMatchObject({ name: 'a' });
    },
  );

  it.runIf(process.platform !== 'win32')('is refused if it is a link (needs links of POSIX)', async () => {
    const { store, file } = await createStore(await createTemporaryFolder());
    await save(store, 'a');
    await rename(file, `${file}.elsewhere`);
    await symlink(`${file}.elsewhere`, file);
    const secondStore = new ProfileStore({ folder: join(file, '..'), note: () => {} });
    await expect(secondStore.get('a')).rejects.toMatchObject({
      message: expect.stringContaining('is not a regular file'),
    });
  });

  it('is refused if its folder belongs to another user', async () => {
    const folder = await createTemporaryFolder();
    const { store } = await createStore(folder, (process.getuid?.() ?? 0) + 1);
    await expect(save(store, 'a')).rejects.toMatchObject({
      message: `cannot store credentials in "${folder}": it belongs to another user`,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['truncated JSON', '{"profiles": {"a": {"baseUrl": "htt'],
    ['an empty file', ''],
    ['a list', '[]'],
    ['a number as a profile', '{"profiles": {"a": 1}}'],
    ['a number', '7'],
    ['null', 'null'],
    ['a list as profiles', '{"profiles": []}'],
    ['a list as a profile', '{"profiles": {"a": []}}'],
  ])('is renamed, with a note, if its content is invalid: %s', async (_, text) => {
    const folder = await createTemporaryFolder();
    const { store, notices, file } = await createStore(folder);
    await writeFile(file, text, { mode: 0o600 });
    expect(await store.get('a')).toBeUndefined();
    await save(store, 'b');
    expect((await store.listNames()).names).toEqual(['b']);
    const renamed = (await readdir(folder)).filter((name) => name.startsWith('profiles.json.corrupt-'));
    expect(renamed).toHaveLength(1);
    expect(await readFile(join(folder, String(renamed[0])), 'utf8')).toBe(text);
    expect(renamed[0]).toMatch(/^profiles\.json\.corrupt-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/);
    expect(notices).toEqual([
      `cannot parse the profiles in "${file}"; renamed the file to "${file}${renamed[0]?.slice(13)}"`,
    ]);
  });

  it('is refused if it is a folder', async () => {
    const folder = await createTemporaryFolder();
    const { store, file } = await createStore(folder);
    await mkdir(file);
    await expect(store.get('a')).rejects.toMatchObject({
      kind: 'internal',
      message: `cannot use "${file}": it is not a regular file`,
    });
  });
});

/** Builds a program that saves ten profiles. Its arguments are the folder, and the prefix of the profile names. */
async function buildProgram(): Promise<string> {
  const program = join(await createTemporaryFolder(), 'write.cjs');
  await build({
    stdin: {
      contents: `
        import { ProfileStore } from './store/profile-store.js';
        const [directory, prefix] = process.argv.slice(2);
        const store = new ProfileStore({ folder: directory, note: console.error });
        const write = async () => {
          for (let index = 0; index < 10; index++) {
            await store.save({ name: prefix + index, baseUrl: 'https://museum.example', scheme: 'anonymous' });
          }
        };
        write();`,
      resolveDir: fileURLToPath(new URL('../../../src/auth', import.meta.url)),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: program,
  });
  return program;
}

describe('parallel runs', () => {
  it('keep all profiles in one process', async () => {
    const folder = await createTemporaryFolder();
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await Promise.all(names.map(async (name) => save((await createStore(folder)).store, name)));
    const { store } = await createStore(folder);
    expect((await store.listNames()).names).toEqual(names.toSorted());
  });

  it('keep all profiles in two processes, and leave no lock', async () => {
    const folder = await createTemporaryFolder();
    const program = await buildProgram();
    const run = (prefix: string) => promisify(execFile)(process.execPath, [program, folder, prefix]);
    await Promise.all([run('a'), run('b')]);
    const { store } = await createStore(folder);
    expect((await store.listNames()).names).toHaveLength(20);
    expect((await readdir(folder)).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('take over the lock of a process that has ended', async () => {
    const folder = await createTemporaryFolder();
    const { store, file } = await createStore(folder);
    const { pid: deadPid } = spawnSync(process.execPath, ['-e', '']);
    const lock = await acquireLock(`${file}.lock`, 'the profiles');
    const owner = await readFile(`${file}.lock`, 'utf8');
    await lock.release();
    await writeFile(`${file}.lock`, owner.replace(/"pid":\d+/, `"pid":${deadPid}`));
    await save(store, 'a');
    expect((await store.listNames()).names).toEqual(['a']);
  });
});

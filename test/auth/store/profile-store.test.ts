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
import { temporaryFolder } from '../temporary-folder.js';

const PROFILE: Profile = { name: 'default', baseUrl: 'https://museum.example', scheme: 'anonymous' };

async function storeIn(folder: string, user?: number) {
  const notices: string[] = [];
  const store = new ProfileStore({
    folder,
    note: (message) => notices.push(message),
    ...(user !== undefined && { user }),
  });
  return { store, notices, file: join(folder, 'profiles.json') };
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const save = (store: ProfileStore, name: string, rest: Partial<Profile> = {}) =>
  store.save({ ...PROFILE, ...rest, name });

describe('a folder that is not there and cannot be made', () => {
  it('holds no profiles, and takes none', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    const { store } = await storeIn(join(folder, 'file', 'folder'));
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

  it('is none where it can be made later', async () => {
    const folder = await temporaryFolder();
    const { store } = await storeIn(join(folder, 'new', 'folder'));
    await store.assertWritable();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('profiles', () => {
  it('come back as they were written, also to another run', async () => {
    const folder = await temporaryFolder();
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
    await (await storeIn(folder)).store.save(profile);
    expect(await (await storeIn(folder)).store.get('te-papa.v3')).toEqual(profile);
  });

  it('are absent when nothing was ever written', async () => {
    const { store } = await storeIn(await temporaryFolder());
    expect(await store.get('default')).toBeUndefined();
    expect(await store.listNames()).toEqual({ names: [], current: undefined });
  });

  it('are listed in order, the last one written being the current one until another is used', async () => {
    const { store } = await storeIn(await temporaryFolder());
    for (const name of ['b', 'a', 'c.d']) await save(store, name);
    expect(await store.listNames()).toEqual({ names: ['a', 'b', 'c.d'], current: 'c.d' });
    await store.setCurrent('b');
    expect((await store.listNames()).current).toBe('b');
    await store.remove('a');
    expect((await store.listNames()).current).toBe('b');
    await store.remove('b');
    expect(await store.listNames()).toEqual({ names: ['c.d'], current: undefined });
  });

  it('say which there are when one is not', async () => {
    const { store } = await storeIn(await temporaryFolder());
    await expect(store.setCurrent('a')).rejects.toMatchObject({
      kind: 'usage',
      hint: expect.stringContaining('opac login'),
    });
    await save(store, 'b');
    await expect(store.remove('a')).rejects.toMatchObject({ kind: 'usage', hint: 'choose from b' });
  });

  it('keep what this version does not know', async () => {
    const { store, file } = await storeIn(await temporaryFolder());
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

  it('are left as they are where nothing is to change', async () => {
    const { store } = await storeIn(await temporaryFolder());
    await save(store, 'a');
    await store.update('gone', () => expect.unreachable());
    await store.update('a', () => undefined);
    expect(await store.listNames()).toEqual({ names: ['a'], current: 'a' });
    expect(await store.get('a')).toEqual({ ...PROFILE, name: 'a' });
  });

  it('that cannot be used are told of, and mistakes are not', async () => {
    const { store, file } = await storeIn(await temporaryFolder());
    await writeFile(file, '{"profiles": {"a": {}}}', { mode: 0o600 });
    const told: string[] = [];
    expect(await store.getUsable('a', ({ message }) => told.push(message))).toBeUndefined();
    expect(await store.getUsable('a')).toBeUndefined();
    expect(told).toEqual(['profile "a" has no valid baseUrl']);
    await expect(store.getUsable('../x')).rejects.toMatchObject({ kind: 'usage' });
    await expect(store.getRequired('b')).rejects.toMatchObject({
      message: 'no profile "b"',
      hint: 'choose from a',
      code: 'unknown-profile',
    });
  });

  it('of a newer opac are refused, and stay', async () => {
    const { store, file } = await storeIn(await temporaryFolder());
    await writeFile(file, '{"format":2,"profiles":{}}', { mode: 0o600 });
    await expect(save(store, 'a')).rejects.toMatchObject({
      kind: 'usage',
      message: `a newer opac wrote the profiles in "${file}" (format 2, this version reads up to 1)`,
      hint: 'update opac, or set OPAC_CONFIG_DIR to another folder',
    });
    expect(await readFile(file, 'utf8')).toBe('{"format":2,"profiles":{}}');
  });

  it('are refused when one value is wrong, and can be written anew', async () => {
    const { store, file } = await storeIn(await temporaryFolder());
    await writeFile(file, JSON.stringify({ profiles: { a: { ...PROFILE, accessToken: 7 } } }), {
      mode: 0o600,
    });
    await expect(store.get('a')).rejects.toMatchObject({ message: 'profile "a" has no valid accessToken' });
    await save(store, 'a');
    expect(await store.get('a')).toEqual({ ...PROFILE, name: 'a' });
  });

  it('take only names that are names', async () => {
    const { store } = await storeIn(await temporaryFolder());
    for (const name of ['', '__proto__', '../x', 'a b', '-a', 'x'.repeat(65)]) {
      await expect(store.get(name)).rejects.toMatchObject({ kind: 'usage' });
      await expect(save(store, name)).rejects.toMatchObject({ kind: 'usage' });
    }
  });

  it('of any allowed name come back, also those that are properties of every object', async () => {
    const { store } = await storeIn(await temporaryFolder());
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

describe('the file of profiles', () => {
  it('is for its owner alone, from the first write on', async () => {
    const folder = join(await temporaryFolder(), 'new', 'folder');
    const { store, file } = await storeIn(folder);
    await save(store, 'a');
    expect(await modeOf(file)).toBe(0o600);
    expect(await modeOf(folder)).toBe(0o700);
    expect(await readdir(folder)).toEqual(['profiles.json']);
  });

  it('has the mode of its folder put right at the next write', async () => {
    const folder = await temporaryFolder();
    const { store, file } = await storeIn(folder);
    await save(store, 'a');
    await chmod(folder, 0o777);
    await save(store, 'a');
    expect(await modeOf(file)).toBe(0o600);
    expect(await modeOf(folder)).toBe(0o755);
  });

  it.runIf(process.platform !== 'win32').each([0o640, 0o604, 0o660, 0o602, 0o644, 0o666, 0o777])(
    'is refused with the cure when its mode is %i (needs modes of POSIX)',
    async (mode) => {
      const { store, file } = await storeIn(await temporaryFolder());
      await save(store, 'a');
      await chmod(file, mode);
      const again = new ProfileStore({ folder: join(file, '..'), note: () => {} });
      for (const attempt of [() => again.get('a'), () => save(again, 'b')])
        await expect(attempt()).rejects.toMatchObject({
          code: 'permission-denied',
          message: expect.stringContaining('other users can read or change it'),
          hint: `run: chmod 600 "${file}"`,
        });
      await chmod(file, 0o600);
      const mended = new ProfileStore({ folder: join(file, '..'), note: () => {} });
      expect(await mended.get('a')).toMatchObject({ name: 'a' });
    },
  );

  it.runIf(process.platform !== 'win32')('is refused when it is a link (needs links of POSIX)', async () => {
    const { store, file } = await storeIn(await temporaryFolder());
    await save(store, 'a');
    await rename(file, `${file}.elsewhere`);
    await symlink(`${file}.elsewhere`, file);
    const again = new ProfileStore({ folder: join(file, '..'), note: () => {} });
    await expect(again.get('a')).rejects.toMatchObject({
      message: expect.stringContaining('is not a regular file'),
    });
  });

  it('is refused when its folder belongs to someone else', async () => {
    const folder = await temporaryFolder();
    const { store } = await storeIn(folder, (process.getuid?.() ?? 0) + 1);
    await expect(save(store, 'a')).rejects.toMatchObject({
      message: `cannot store credentials in "${folder}": it belongs to another user`,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['cut off', '{"profiles": {"a": {"baseUrl": "htt'],
    ['empty', ''],
    ['a list', '[]'],
    ['of another shape', '{"profiles": {"a": 1}}'],
    ['a number', '7'],
    ['null', 'null'],
    ['a list of profiles', '{"profiles": []}'],
    ['with a list for a profile', '{"profiles": {"a": []}}'],
  ])('is kept under another name when it is %s, and that is said', async (_, text) => {
    const folder = await temporaryFolder();
    const { store, notices, file } = await storeIn(folder);
    await writeFile(file, text, { mode: 0o600 });
    expect(await store.get('a')).toBeUndefined();
    await save(store, 'b');
    expect((await store.listNames()).names).toEqual(['b']);
    const aside = (await readdir(folder)).filter((name) => name.startsWith('profiles.json.corrupt-'));
    expect(aside).toHaveLength(1);
    expect(await readFile(join(folder, String(aside[0])), 'utf8')).toBe(text);
    expect(aside[0]).toMatch(/^profiles\.json\.corrupt-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/);
    expect(notices).toEqual([
      `cannot parse the profiles in "${file}"; renamed the file to "${file}${aside[0]?.slice(13)}"`,
    ]);
  });

  it('that cannot be read is an error that names it', async () => {
    const folder = await temporaryFolder();
    const { store, file } = await storeIn(folder);
    await mkdir(file);
    await expect(store.get('a')).rejects.toMatchObject({
      kind: 'internal',
      message: `cannot use "${file}": it is not a regular file`,
    });
  });
});

/** A program that writes ten profiles, its names starting with its second argument, into the folder of its first. */
async function writingProgram(): Promise<string> {
  const program = join(await temporaryFolder(), 'write.cjs');
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

describe('two runs at once', () => {
  it('lose nothing of what the other wrote, in one process', async () => {
    const folder = await temporaryFolder();
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await Promise.all(names.map(async (name) => save((await storeIn(folder)).store, name)));
    const { store } = await storeIn(folder);
    expect((await store.listNames()).names).toEqual(names.toSorted());
  });

  it('lose nothing of what the other wrote, in two processes', async () => {
    const folder = await temporaryFolder();
    const program = await writingProgram();
    const run = (prefix: string) => promisify(execFile)(process.execPath, [program, folder, prefix]);
    await Promise.all([run('a'), run('b')]);
    const { store } = await storeIn(folder);
    expect((await store.listNames()).names).toHaveLength(20);
    expect((await readdir(folder)).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('do not wait for a lock whose holder is gone', async () => {
    const folder = await temporaryFolder();
    const { store, file } = await storeIn(folder);
    const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
    const lock = await acquireLock(`${file}.lock`, 'the profiles');
    const owner = await readFile(`${file}.lock`, 'utf8');
    await lock.release();
    await writeFile(`${file}.lock`, owner.replace(/"pid":\d+/, `"pid":${gone}`));
    await save(store, 'a');
    expect((await store.listNames()).names).toEqual(['a']);
  });
});

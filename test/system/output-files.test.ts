/** Files that opac writes: checks of their content and of their path, and functions to replace, append and resume them. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { writeFile as writeOutput } from '../../src/cli/output/write-file.js';
import { AppendFile } from '../../src/system/append-file.js';
import { findCompressionByName } from '../../src/system/compression.js';
import { assertNotInput, getPathType } from '../../src/system/output-path.js';
import { openExclusively } from '../../src/system/regular-file.js';
import { type ReplaceOptions, replaceFile } from '../../src/system/replace-file.js';
import { checkContent, SIZE } from '../../src/system/schema.js';
import { withFolder } from '../export/export-setup.js';

describe('checkContent', () => {
  const schema = v.object({ a: SIZE, b: v.optional(v.array(SIZE)), c: v.optional(SIZE, 7) });
  const check = (value: unknown) => checkContent(schema, value, (member) => new Error(`wrong "${member}"`));

  it('returns the keys of the schema, with defaults', () => {
    for (const a of [0, 1, 2 ** 53 - 1]) expect(check({ a, other: 1 })).toEqual({ a, c: 7 });
    expect(check({ a: 1, b: [2], c: 3 })).toEqual({ a: 1, b: [2], c: 3 });
  });

  it.each<[string, readonly unknown[]]>([
    ['', [null, undefined, [], 'a', 1]],
    ['a', [{}, { a: -1 }, { a: 1.5 }, { a: 2 ** 53 }, { a: Number.NaN }, { a: '1' }, { a: null, b: 1 }]],
    ['b', [1, null, {}, ['1'], [1, -1]].map((b) => ({ a: 1, b }))],
  ])('throws an error for an invalid value of "%s"', (member, values) => {
    for (const value of values) expect(() => check(value)).toThrow(`wrong "${member}"`);
  });
});

const isPosix = process.platform !== 'win32';

describe.runIf(isPosix)('an output path (needs links of POSIX)', () => {
  it('is free, a folder, a link or a stream', () =>
    withFolder(async (path) => {
      await mkdir(path('folder'));
      await writeFile(path('file'), '');
      const links = { toFile: 'file', toFolder: 'folder', toNothing: 'nothing', toDevice: '/dev/null' };
      for (const [name, to] of Object.entries(links))
        await symlink(to.startsWith('/') ? to : path(to), path(name));
      const found = await Promise.all(
        ['nothing', 'file', 'folder', ...Object.keys(links)].map((name) => getPathType(path(name))),
      );
      expect(found).toEqual(['free', 'free', 'folder', 'link', 'folder', 'link', 'stream']);
      // A path in /dev is a stream, also if it is a link to a file.
      expect([await getPathType('/dev/null'), await getPathType('/dev/stdout')]).toEqual([
        'stream',
        'stream',
      ]);
      expect(await getPathType('/dev/nothing-here')).toBe('free');
      if (process.platform === 'linux') {
        const handle = await open(path('file'));
        expect(await getPathType(`/proc/self/fd/${handle.fd}`)).toBe('stream');
        await handle.close();
      }
    }));

  it('is foreign, and not written, if it is a pipe of another user', () =>
    withFolder(async (path) => {
      await promisify(execFile)('mkfifo', [path('pipe')]);
      expect(await getPathType(path('pipe'))).toBe('stream');
      const uid = process.getuid?.() ?? 0;
      if (uid === 0) await chown(path('pipe'), 65_534, 65_534);
      else vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
      expect(await getPathType(path('pipe'))).toBe('foreign');
      const write = writeOutput(path('pipe'), Readable.from(['secret']), false, new AbortController().signal);
      await expect(write).rejects.toThrow('of another user');
      vi.restoreAllMocks();
    }));

  it('is refused if it is also an input file, also under another name', () =>
    withFolder(async (path) => {
      for (const name of ['in', 'other', 'out.part']) await writeFile(path(name), '');
      await link(path('in'), path('same'));
      await symlink(path('in'), path('toIn'));
      await mkdir(path('folder'));
      const inputs = (...names: readonly string[]) => names.map((name) => path(name));
      for (const [output, input] of [
        ['in', 'in'],
        ['same', 'in'],
        ['toIn', 'in'],
        ['in', 'toIn'],
        ['out', 'out.part'],
      ] as const)
        await expect(
          assertNotInput(path(output), inputs('none', 'other', input)),
          output,
        ).rejects.toMatchObject({
          kind: 'usage',
          message: `"${path(output)}" would replace the input file "${path(input)}"`,
          hint: 'name another file with -o',
        });
      await assertNotInput(path('out'), inputs('in', 'other', 'none', 'folder'));
      await assertNotInput(path('none'), inputs('none', 'none.part'));
      await assertNotInput(path('folder'), inputs('folder'));
      await assertNotInput('/dev/null', ['/dev/null']);
    }));

  it('is replaced by a new file if it is a file or a link, but not the target of the link', () =>
    withFolder(async (path, read) => {
      await writeFile(path('victim'), 'victim');
      await symlink(path('victim'), path('link'));
      for (const name of ['link', 'victim', 'new']) {
        const handle = await openExclusively(path(name));
        await handle.writeFile('ours');
        await handle.close();
        expect((await lstat(path(name))).isFile()).toBe(true);
        if (name === 'link') expect(await read('victim')).toBe('victim');
        expect(await read(name)).toBe('ours');
      }
      await mkdir(path('folder'));
      await expect(openExclusively(path('folder'))).rejects.toThrow('EISDIR');
      // These errors come from `open`, because no file exists that opac could remove.
      await expect(openExclusively(path('none/x'))).rejects.toThrow(/^ENOENT: .* open /);
      await expect(openExclusively(path('victim/x'))).rejects.toThrow(/^ENOTDIR: .* open /);
    }));

  it('is written if it is a device, and refused if it is a pipe (needs mkfifo)', () =>
    withFolder(async (path) => {
      const handle = await openExclusively('/dev/null');
      expect([(await handle.stat()).isFile(), (await handle.write('x')).bytesWritten]).toEqual([false, 1]);
      await handle.close();
      await promisify(execFile)('mkfifo', [path('pipe')]);
      await expect(openExclusively(path('pipe'))).rejects.toThrow('is not a regular file');
      expect((await lstat(path('pipe'))).isFIFO()).toBe(true);
    }));

  it('is replaced without temporary files, and refused if it is a folder', () =>
    withFolder(async (path, read) => {
      await replaceFile(path('a'), 'one');
      await replaceFile(path('a'), 'two');
      expect([await read('a'), await readdir(path(''))]).toEqual(['two', ['a']]);
      await mkdir(path('b'));
      await expect(replaceFile(path('b'), 'x')).rejects.toMatchObject({
        message: `cannot write "${path('b')}": it is a folder`,
      });
      expect((await readdir(path(''))).sort()).toEqual(['a', 'b']);
    }));

  it('keeps its permissions or gets the requested ones, also during the write', () =>
    withFolder(async (path, read) => {
      const getMode = async (name: string) => (await lstat(path(name))).mode & 0o777;
      await replaceFile(path('a'), 'one');
      await chmod(path('a'), 0o640);
      await replaceFile(path('a'), 'two');
      expect(await getMode('a')).toBe(0o640);
      await replaceFile(path('a'), 'three', { mode: 0o600 });
      expect(await getMode('a')).toBe(0o600);
      async function* content() {
        yield 'four';
        expect(await getMode('a.opac-new')).toBe(0o600);
      }
      await replaceFile(path('a'), content());
      expect(await read('a')).toBe('four');
    }));

  it.each<[string, ReplaceOptions, string]>([
    ['its content fails', {}, 'cannot write "PATH": no more'],
    ['it is interrupted', { signal: AbortSignal.abort(new Error('stop')) }, 'stop'],
    ['onWritten fails', { onWritten: () => Promise.reject(new Error('no')) }, 'no'],
  ])('keeps the earlier file, and no temporary file, if %s', (_, options, message) =>
    withFolder(async (path, read) => {
      await replaceFile(path('a'), 'one');
      async function* content() {
        yield 'two';
        if (options.onWritten === undefined) throw new Error('no more');
      }
      const replaced = replaceFile(path('a'), content(), { temporary: path('b'), ...options });
      await expect(replaced).rejects.toThrow(message.replace('PATH', path('a')));
      expect([await read('a'), await readdir(path(''))]).toEqual(['one', ['a']]);
    }),
  );

  it('is compressed from chunks of different sizes; the size and hash are those of the file', () =>
    withFolder(async (path) => {
      async function* content() {
        for (let n = 0; n < 5000; n++) yield n % 2 ? `${n}\n` : Buffer.from(`${n}\n`);
        yield Buffer.alloc(1 << 20, 'x');
      }
      let inTime = '';
      const written = await replaceFile(path('a.gz'), content(), {
        compression: findCompressionByName('a.gz'),
        onWritten: async () => {
          inTime = (await readdir(path(''))).join();
        },
      });
      const bytes = await readFile(path('a.gz'));
      expect(written).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
      const text = `${Array.from({ length: 5000 }, (_, n) => `${n}\n`).join('')}${'x'.repeat(1 << 20)}`;
      expect([inTime, gunzipSync(bytes).toString() === text]).toEqual(['a.gz.opac-new', true]);
    }));
});

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('AppendFile', () => {
  it('appends small and large chunks in order, and returns the size and hash at any time', () =>
    withFolder(async (path) => {
      const part = await AppendFile.create(path('part'));
      const pieces = ['a', 'b'.repeat(1 << 18), 'c', 'd'.repeat(1 << 19), 'e', 'f'.repeat((1 << 18) - 1)];
      let before = '';
      for (const piece of pieces) {
        const bytes = Buffer.from(piece);
        await part.append(bytes);
        // The caller may use the buffer again.
        bytes.fill(0);
        before += piece;
        expect(part.bytes).toBe(before.length);
      }
      expect((await readFile(path('part'), 'latin1')) === before).toBe(true);
      expect(part.sha256()).toBe(sha256(before));
      await part.append(Buffer.from('g'));
      await part.sync();
      expect(part.sha256()).toBe(sha256(`${before}g`));
      await part.close();
      await expect(part.sync()).rejects.toThrow();
    }));

  it('resumes at the given size, and removes the bytes after it', () =>
    withFolder(async (path, read) => {
      await writeFile(path('part'), 'abcdef');
      const part = await AppendFile.resume(path('part'), { bytes: 3, sha256: sha256('abc') });
      expect([part.bytes, await read('part')]).toEqual([3, 'abc']);
      await part.append(Buffer.from('xy'));
      await part.sync();
      expect([await read('part'), part.sha256()]).toEqual(['abcxy', sha256('abcxy')]);
      await part.close();
      const none = await AppendFile.resume(path('part'), { bytes: 0 });
      expect([none.bytes, await read('part'), none.sha256()]).toEqual([0, '', sha256('')]);
      await none.close();
    }));

  it('calculates the hash of a large file on resume, until the signal is aborted', () =>
    withFolder(async (path) => {
      const content = Buffer.from(Array.from({ length: 400_000 }, (_, n) => `${n}`).join());
      const bytes = content.length - 1;
      await writeFile(path('part'), content);
      const part = await AppendFile.resume(path('part'), { bytes });
      expect([part.bytes, part.sha256()]).toEqual([bytes, sha256(content.subarray(0, bytes))]);
      await part.close();
      const signal = AbortSignal.abort(new Error('stop'));
      await expect(AppendFile.resume(path('part'), { bytes, signal })).rejects.toThrow(/^stop$/);
    }));

  it.each([
    ['shorter than recorded', 7000, undefined, 'it has 6 bytes instead of 7,000'],
    ['different from the recorded one', 3, sha256('xyz'), 'its content has changed'],
  ])('refuses to resume a file that is %s', (_, bytes, hash, why) =>
    withFolder(async (path) => {
      await writeFile(path('part'), 'abcdef');
      await expect(AppendFile.resume(path('part'), { bytes, sha256: hash })).rejects.toMatchObject({
        kind: 'incomplete',
        message: `cannot resume "${path('part')}": ${why}`,
        hint: 'start again with --force',
      });
    }),
  );

  it('throws an error on append and sync after another program truncated the file', () =>
    withFolder(async (path) => {
      const part = await AppendFile.create(path('part'));
      await part.append(Buffer.from('a'));
      await truncate(path('part'));
      const error = { message: `cannot write "${path('part')}": another program changed it in the meantime` };
      await expect(part.append(Buffer.from('b'))).rejects.toMatchObject(error);
      await expect(part.sync()).rejects.toMatchObject(error);
      await part.close();
    }));

  it.runIf(isPosix)('throws an error on sync and append after the file was removed (needs POSIX)', () =>
    withFolder(async (path) => {
      const part = await AppendFile.create(path('part'));
      await part.append(Buffer.from('a'));
      await rm(path('part'));
      const error = { message: `cannot write "${path('part')}": the folder or file does not exist` };
      await expect(part.sync()).rejects.toMatchObject(error);
      await part.close();
      await expect(AppendFile.create(path('none/part'))).rejects.toMatchObject({
        message: `cannot write "${path('none/part')}": the folder "${path('none')}" does not exist`,
      });
      await expect(part.append(Buffer.alloc(1 << 19))).rejects.toMatchObject(error);
    }),
  );
});

/** What an export that ended early says: what is kept, and how to go on. */

import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  addResumeHint,
  createOpenError,
  findPartialExport,
  resumeCommand,
} from '../../../src/export/collect/run-errors.js';
import { createExportPaths } from '../../../src/export/export-paths.js';
import { type ErrorKind, OpacError } from '../../../src/service/errors.js';
import { type FileError, fileError } from '../../../src/system/file-error.js';
import { withFolder } from '../export-setup.js';

const KEPT = { records: 1234, path: 'o.csv.part' };
const COMMAND = 'opac objects export -o o.csv';
const GO_ON = `1,234 records are in "o.csv.part"; resume with: ${COMMAND} --resume`;
const failed = (code: string) => Object.assign(new Error(`${code}: in the words of the system`), { code });
const diskError = (code: string, hint?: string) => fileError(failed(code), 'write', 'o.csv.part', hint);

describe('a run that ended early', () => {
  it.each<[ErrorKind, ErrorKind, string]>([
    ['auth', 'auth', `log in; ${GO_ON}`],
    ['internal', 'internal', `log in; ${GO_ON}`],
    ['interrupted', 'interrupted', `log in; ${GO_ON}`],
    ['deployment', 'incomplete', `log in; ${GO_ON}`],
    // To resume would end in the same way.
    ['incomplete', 'incomplete', '1,234 records are in "o.csv.part"; log in'],
  ])('by an error of kind %s is %s', (kind, ended, hint) => {
    const cause = new OpacError(kind, 'it failed', { hint: 'log in', code: 'token-expired' });
    expect(addResumeHint(cause, KEPT, COMMAND)).toMatchObject({
      kind: ended,
      message: 'it failed',
      hint,
      code: 'token-expired',
      resume: `${COMMAND} --resume`,
      cause,
    });
  });

  it('says one record of one, and no hint but its own where there is none', () => {
    const error = addResumeHint(new OpacError('deployment', 'it failed'), { ...KEPT, records: 1 }, COMMAND);
    expect(error).toMatchObject({
      hint: `1 record is in "o.csv.part"; resume with: ${COMMAND} --resume`,
    });
  });

  it.each([
    [
      Object.assign(new Error('aborted'), { name: 'AbortError' }),
      'interrupted',
      'the export was interrupted',
    ],
    [new TypeError('x is not a function'), 'internal', 'the export failed: TypeError: x is not a function'],
    ['text', 'internal', 'the export failed: text'],
  ])('by %s is of kind %s', (cause, kind, message) => {
    const resume = `${COMMAND} --resume`;
    expect(addResumeHint(cause, KEPT, COMMAND)).toMatchObject({ kind, message, hint: GO_ON, resume, cause });
    expect(addResumeHint(cause, undefined, COMMAND)).toBe(cause);
  });

  it.each([
    ['ENOSPC', 'disk-full', 'the disk is full', 'free some space'],
    ['EDQUOT', 'disk-full', 'the disk quota is used up', 'free some space'],
    ['EFBIG', 'disk-full', 'the file grew too large for the file system', 'allow larger files (ulimit -f)'],
    ['EROFS', 'disk-failed', 'the file system is read-only', 'make it writable'],
    ['EIO', 'disk-failed', 'the disk failed', 'check the disk'],
  ])('by %s of the disk is incomplete', (system, code, reason, remedy) => {
    const error = diskError(system);
    const message = `cannot write "o.csv.part": ${reason}`;
    const none = `no records were saved; ${remedy}, or write to another folder with -o, and run the command again`;
    expect(error).toMatchObject({ kind: 'internal', message, code });
    expect(addResumeHint(error, KEPT, COMMAND)).toMatchObject({
      kind: 'incomplete',
      message,
      hint: `${remedy}; ${GO_ON}`,
      code,
      resume: `${COMMAND} --resume`,
      cause: error,
    });
    expect(addResumeHint(error, undefined, COMMAND)).toMatchObject({ hint: none, resume: undefined });
    expect(createOpenError(error as FileError, undefined, COMMAND)).toMatchObject({
      kind: 'incomplete',
      message,
      hint: `${remedy}, or write to another folder with -o`,
      code,
      cause: error,
    });
  });

  it.each([
    ['EACCES', 'permission-denied', 'permission denied', 'make the folder writable'],
    ['EPERM', 'permission-denied', 'permission denied', 'make the folder writable'],
    ['ENOENT', 'no-such-file', 'the folder or file does not exist', 'check that the folder exists'],
    ['ENOTDIR', 'no-such-file', 'part of the path is not a folder', 'check that the folder exists'],
    ['EISDIR', 'no-such-file', 'it is a folder', 'move that folder away'],
    ['EMFILE', 'internal', 'too many files are open', 'allow more open files (ulimit -n)'],
  ])(
    'by %s of the path, which no disk is to blame for, stays as it is before any record',
    (system, code, reason, remedy) => {
      const error = diskError(system) as FileError;
      expect(error).toMatchObject({ message: `cannot write "o.csv.part": ${reason}`, code });
      expect(createOpenError(error, undefined, COMMAND)).toBe(error);
      expect(createOpenError(error, KEPT, COMMAND)).toMatchObject({
        kind: 'incomplete',
        hint: `${remedy}; ${GO_ON}`,
      });
    },
  );

  it('by a fault that nobody knows says so in the words of the system', () => {
    const error = diskError('EWEIRD') as FileError;
    expect(error.message).toBe('cannot write "o.csv.part": EWEIRD: in the words of the system');
    expect(createOpenError(error, undefined, COMMAND)).toBe(error);
    expect(addResumeHint(error, KEPT, COMMAND)).toMatchObject({ hint: GO_ON });
    expect(addResumeHint(error, undefined, COMMAND)).toMatchObject({
      hint: 'no records were saved; write to another folder with -o, and run the command again',
    });
  });

  it('by a file that says itself what to do stays as it is', () => {
    const error = diskError('EACCES', 'have its owner remove it') as FileError;
    expect(addResumeHint(error, KEPT, COMMAND)).toBe(error);
    expect(createOpenError(error, KEPT, COMMAND)).toBe(error);
  });
});

it.each([
  ['opac export', 'opac export --resume'],
  ['opac export --resume -o x', 'opac export --resume -o x'],
  ['--resume', '--resume'],
  ['opac export -o a--resume', 'opac export -o a--resume --resume'],
  ['opac export --resumed', 'opac export --resumed --resume'],
  ['opac export -o a -- of', 'opac export -o a --resume -- of'],
  ['opac export -- --resume', 'opac export --resume -- --resume'],
  ['opac export --resume -- a', 'opac export --resume -- a'],
  ["opac export --where 'a -- b' -o 'it'\\''s'", "opac export --where 'a -- b' -o 'it'\\''s' --resume"],
  ["opac export --where 'name= --resume ' -o a", "opac export --where 'name= --resume ' -o a --resume"],
  ['opac export "a \\" -- b" c\\ d', 'opac export "a \\" -- b" c\\ d --resume'],
])('%s is resumed by %s', (command, resumed) => {
  expect(resumeCommand(command)).toBe(resumed);
});

it('what is kept lies in the part', () =>
  withFolder(async (path) => {
    const target = createExportPaths(path('o.csv'));
    await writeFile(target.checkpoint, '{"tally":{"written":3}}');
    expect(await findPartialExport(target)).toBeUndefined();
    await writeFile(target.partialFile, '');
    expect(await findPartialExport(target)).toEqual({ records: 3, path: target.partialFile });
    await writeFile(target.checkpoint, '{"tally":{"written":0}}');
    expect(await findPartialExport(target)).toBeUndefined();
  }));

/** The errors of an export that ended early: which records are saved, and how to resume. */

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

const SAVED = { records: 1234, path: 'o.csv.part' };
const COMMAND = 'opac objects export -o o.csv';
const RESUME_HINT = `1,234 records are in "o.csv.part"; resume with: ${COMMAND} --resume`;
const createSystemError = (code: string) =>
  Object.assign(new Error(`${code}: in the words of the system`), { code });
const createDiskError = (code: string, hint?: string) =>
  fileError(createSystemError(code), 'write', 'o.csv.part', hint);

describe('error of a stopped export', () => {
  it.each<[ErrorKind, ErrorKind, string]>([
    ['auth', 'auth', `log in; ${RESUME_HINT}`],
    ['internal', 'internal', `log in; ${RESUME_HINT}`],
    ['interrupted', 'interrupted', `log in; ${RESUME_HINT}`],
    ['deployment', 'incomplete', `log in; ${RESUME_HINT}`],
    // A resumed run would fail in the same way.
    ['incomplete', 'incomplete', '1,234 records are in "o.csv.part"; log in'],
  ])('gets a hint about the saved records, and its kind %s becomes %s', (kind, newKind, hint) => {
    const cause = new OpacError(kind, 'it failed', { hint: 'log in', code: 'token-expired' });
    expect(addResumeHint(cause, SAVED, COMMAND)).toMatchObject({
      kind: newKind,
      message: 'it failed',
      hint,
      code: 'token-expired',
      resume: `${COMMAND} --resume`,
      cause,
    });
  });

  it('gets the singular for one record, and only the resume hint if it had no hint', () => {
    const error = addResumeHint(new OpacError('deployment', 'it failed'), { ...SAVED, records: 1 }, COMMAND);
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
  ])('is created from %s with the kind %s', (cause, kind, message) => {
    const resume = `${COMMAND} --resume`;
    expect(addResumeHint(cause, SAVED, COMMAND)).toMatchObject({
      kind,
      message,
      hint: RESUME_HINT,
      resume,
      cause,
    });
    expect(addResumeHint(cause, undefined, COMMAND)).toBe(cause);
  });

  it.each([
    ['ENOSPC', 'disk-full', 'the disk is full', 'free some space'],
    ['EDQUOT', 'disk-full', 'the disk quota is used up', 'free some space'],
    ['EFBIG', 'disk-full', 'the file grew too large for the file system', 'allow larger files (ulimit -f)'],
    ['EROFS', 'disk-failed', 'the file system is read-only', 'make it writable'],
    ['EIO', 'disk-failed', 'the disk failed', 'check the disk'],
  ])('has the kind incomplete for the disk error %s', (system, code, reason, remedy) => {
    const error = createDiskError(system);
    const message = `cannot write "o.csv.part": ${reason}`;
    const none = `no records were saved; ${remedy}, or write to another folder with -o, and run the command again`;
    expect(error).toMatchObject({ kind: 'internal', message, code });
    expect(addResumeHint(error, SAVED, COMMAND)).toMatchObject({
      kind: 'incomplete',
      message,
      hint: `${remedy}; ${RESUME_HINT}`,
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
  ])('stays unchanged for the path error %s before the first record', (system, code, reason, remedy) => {
    const error = createDiskError(system) as FileError;
    expect(error).toMatchObject({ message: `cannot write "o.csv.part": ${reason}`, code });
    expect(createOpenError(error, undefined, COMMAND)).toBe(error);
    expect(createOpenError(error, SAVED, COMMAND)).toMatchObject({
      kind: 'incomplete',
      hint: `${remedy}; ${RESUME_HINT}`,
    });
  });

  it('shows the system message of an unknown error', () => {
    const error = createDiskError('EWEIRD') as FileError;
    expect(error.message).toBe('cannot write "o.csv.part": EWEIRD: in the words of the system');
    expect(createOpenError(error, undefined, COMMAND)).toBe(error);
    expect(addResumeHint(error, SAVED, COMMAND)).toMatchObject({ hint: RESUME_HINT });
    expect(addResumeHint(error, undefined, COMMAND)).toMatchObject({
      hint: 'no records were saved; write to another folder with -o, and run the command again',
    });
  });

  it('stays unchanged if it has its own hint', () => {
    const error = createDiskError('EACCES', 'have its owner remove it') as FileError;
    expect(addResumeHint(error, SAVED, COMMAND)).toBe(error);
    expect(createOpenError(error, SAVED, COMMAND)).toBe(error);
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
])('creates for %s the resume command %s', (command, resumed) => {
  expect(resumeCommand(command)).toBe(resumed);
});

it('finds a partial export only if the partial file exists and has records', () =>
  withFolder(async (path) => {
    const target = createExportPaths(path('o.csv'));
    await writeFile(target.checkpoint, '{"tally":{"written":3}}');
    expect(await findPartialExport(target)).toBeUndefined();
    await writeFile(target.partialFile, '');
    expect(await findPartialExport(target)).toEqual({ records: 3, path: target.partialFile });
    await writeFile(target.checkpoint, '{"tally":{"written":0}}');
    expect(await findPartialExport(target)).toBeUndefined();
  }));

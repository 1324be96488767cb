/** Error messages for failures of the file system. */
import { describe, expect, it } from 'vitest';
import { type ErrorKind, OpacError } from '../../src/service/errors.js';
import { classifyFileError, fileError, inputError, resumeError } from '../../src/system/file-error.js';
import { NotRegularFileError } from '../../src/system/regular-file.js';

const failed = (code: string) => Object.assign(new Error(`${code}: in the words of the system`), { code });

it.each<[unknown, string, string]>([
  [failed('ENOSPC'), 'the disk is full', 'disk-full'],
  [failed('EACCES'), 'permission denied', 'permission-denied'],
  [failed('EWEIRD'), 'EWEIRD: in the words of the system', 'internal'],
  [new Error('it is cut'), 'it is cut', 'internal'],
  ['text', 'text', 'internal'],
])(
  'fileError returns an error with the action, the file, the reason and the hint for %s',
  (cause, reason, code) => {
    const message = `cannot read "o": ${reason}`;
    const error = fileError(cause, 'read', 'o', 'wait');
    expect(error).toMatchObject({
      kind: 'internal',
      message,
      code,
      hint: 'wait',
      cause,
      fault: classifyFileError(cause),
    });
    expect(fileError(cause, 'read', 'o').hint).toBeUndefined();
    expect(classifyFileError(cause)?.reason ?? reason).toBe(reason);
  },
);

it.each<[unknown, string, string]>([
  [failed('ENOENT'), 'file not found: "in.csv"', 'no-such-file'],
  [failed('ENOTDIR'), 'file not found: "in.csv"', 'no-such-file'],
  [failed('EACCES'), 'cannot read "in.csv": permission denied', 'usage'],
])('inputError returns OpacErrors unchanged, and a usage error for %s', (cause, message, code) => {
  expect(inputError(cause, 'in.csv')).toMatchObject({ kind: 'usage', message, code, hint: undefined });
  const own = new OpacError('auth', 'no');
  expect(inputError(own, 'in.csv')).toBe(own);
});

describe('resumeError', () => {
  it.each<[unknown, ErrorKind, string | undefined, string]>([
    [failed('ENOENT'), 'incomplete', 'start again with --force', 'the folder or file does not exist'],
    [new Error('it is cut'), 'incomplete', 'start again with --force', 'it is cut'],
    [failed('EACCES'), 'internal', undefined, 'permission denied'],
    [failed('EIO'), 'internal', undefined, 'the disk failed'],
  ])('returns for %s an error of the kind %s', (cause, kind, hint, reason) => {
    const error = resumeError(cause, 'o.csv.part');
    expect(error).toMatchObject({ kind, hint, message: `cannot resume "o.csv.part": ${reason}`, cause });
    expect(error.code).toBe(fileError(cause, 'resume', 'o.csv.part').code);
  });

  it('returns a usage error for an irregular file, and OpacErrors unchanged', () => {
    const hint = 'remove it, or choose another file';
    const irregular = new NotRegularFileError('o.csv.part');
    expect(resumeError(irregular, 'o.csv.part')).toMatchObject({ kind: 'usage', hint });
    const own = new OpacError('auth', 'no');
    expect([fileError(own, 'write', 'o'), resumeError(own, 'o')]).toEqual([own, own]);
  });
});

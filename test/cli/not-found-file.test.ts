/** `--not-found` writes the entries of a list that were not found, and replaces a file only with --force. */
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../auth/temporary-folder.js';
import { opac } from './run-in-process.js';

async function setUp() {
  const folder = await createTemporaryFolder();
  const at = (name: string) => join(folder, name);
  await writeFile(at('ids.txt'), 'nothing\n20022\n999\n20033\n');
  await writeFile(at('classes.txt'), 'Photographs\nnothing\n');
  await writeFile(at('numbers.txt'), '00345\nno, such\n');
  return { at, missing: at('missing.txt'), read: () => readFile(at('missing.txt'), 'utf8') };
}

const run = (line: string, ...more: string[]) => opac([...line.split(' '), '--mock', '-f', 'ids', ...more]);

describe('--not-found', () => {
  it.each([
    ['objects get @ids.txt', 3, 'nothing\n999\n'],
    ['objects get 20022', 0, ''],
    ['objects get nothing', 3, 'nothing\n'],
    ['objects get --by accession_no @numbers.txt', 3, 'no, such\n'],
    ['objects list --external-id @ids.txt', 0, 'nothing\n999\n'],
    ['objects list --where accession_no=@numbers.txt', 0, 'no, such\n'],
    ['objects list --where accession_no=@numbers.txt --strict', 6, 'no, such\n'],
  ])('writes entries that were not found: %s (exit code %i, file %j)', async (line, code, text) => {
    const { at, missing, read } = await setUp();
    const words = line.replace(/@(?=\w+\.txt)/, `@${at('')}/`);
    const expected = await run(words);
    const outcome = await run(words, '--not-found', missing);
    expect(outcome).toEqual(expected);
    expect([outcome.code, await read()]).toEqual([code, text]);
    expect(await run(words, '--not-found', missing)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing.txt" exists; choose another name, or replace it with --force'),
    });
    expect((await run(words, '--not-found', missing, '--force')).code).toBe(code);
  });

  it.each([
    ['objects list', 'needs a list'],
    ['objects list --external-id 1,2 --limit 1', 'cannot be used with --limit'],
    ['objects list --external-id 20022 -o missing.txt', 'is used for two outputs'],
    ['objects export --external-id 20022 -o missing.txt', 'is used for two outputs'],
    ['objects export -o a.ids', 'needs a list'],
    ['objects export --external-id 20022', 'requires a file'],
    ['objects list --where classification=@classes.txt --view label', 'cannot tell which values'],
  ])('causes an error and writes no file: %s', async (line, message) => {
    const { at, missing, read } = await setUp();
    const words = line.replace(/(@?)(?=\w+\.txt)/, `$1${at('')}/`);
    const { code, stderr } = await run(words, '--not-found', missing);
    expect([code, stderr]).toEqual([
      message.startsWith('cannot tell') ? 6 : 2,
      expect.stringContaining(message),
    ]);
    await expect(read()).rejects.toThrow('ENOENT');
  });

  it.each([
    ['--external-id @ids.txt', 0, 'nothing\n999\n'],
    ['--external-id @ids.txt --strict', 6, 'nothing\n999\n'],
    ['--where accession_no=@numbers.txt', 0, 'no, such\n'],
  ])('writes entries that an export did not find: %s (exit code %i, file %j)', async (line, code, text) => {
    const { at, missing, read } = await setUp();
    const words = `objects export ${line.replace('@', `@${at('')}/`)} --mock -o ${at('a.csv')}`.split(' ');
    expect(await opac([...words, '--not-found', missing])).toMatchObject({ code });
    expect(await read()).toBe(text);
    expect(await opac([...words, '--not-found', missing])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing.txt" exists'),
    });
  });

  it('writes no file with --dry-run, and follows no symbolic link', async () => {
    const { at, missing, read } = await setUp();
    expect((await run('objects get 999', '--dry-run', '--not-found', missing)).code).toBe(0);
    await expect(read()).rejects.toThrow('ENOENT');
    await symlink(at('ids.txt'), missing);
    const { code, stderr } = await run('objects get 999', '--force', '--not-found', missing);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is a symbolic link')]);
    expect(await read()).toContain('20022');
  });
});

/** `opac migrate --in`: whole files, shown as a diff, and written only when told to. */
import { readFile, writeFile } from 'node:fs/promises';
import { OpacError, UsageError } from '../service/errors.js';
import { migrateText } from '../service/migrate/text.js';
import type { Context } from './context.js';
import type { Statement } from './listing.js';

/** The diff of all files; with `write` they are changed as well. What could not be moved makes the command fail. */
export async function migrateFiles(
  context: Context,
  files: readonly string[],
  write: boolean,
): Promise<Statement> {
  const { createTwoFilesPatch } = await import('diff');
  const patches: string[] = [];
  const changed: { readonly file: string; readonly changes: number }[] = [];
  const unmoved: string[] = [];
  for (const file of files) {
    const bytes = await read(file);
    const before = bytes.toString('utf8');
    // What is not UTF-8 would come back as other bytes.
    if (!Buffer.from(before, 'utf8').equals(bytes)) throw new UsageError(`"${file}" is not text in UTF-8`);
    const migration = migrateText(before);
    for (const { line, column, text, notes } of migration.unmoved) {
      unmoved.push(`${file}:${line}:${column}: ${text}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`);
    }
    if (migration.changes.length === 0) continue;
    changed.push({ file, changes: migration.changes.length });
    patches.push(
      createTwoFilesPatch(file, file, before, migration.text, undefined, undefined, { context: 1 }),
    );
    if (write) await writeFile(file, migration.text);
  }
  for (const line of unmoved) context.note(`not moved: ${line}`);
  const total = changed.reduce((sum, { changes }) => sum + changes, 0);
  context.note(
    total === 0
      ? 'nothing to migrate'
      : `${total} ${total === 1 ? 'address' : 'addresses'} in ${changed.length} ${changed.length === 1 ? 'file' : 'files'} ${write ? 'changed' : 'to change (--write does it)'}`,
  );
  return {
    text: patches.join('').trimEnd(),
    json: { changed, unmoved },
    failure: () =>
      unmoved.length === 0
        ? undefined
        : new OpacError('usage', `${unmoved.length} addresses could not be moved`),
  };
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new UsageError(missing ? `there is no file "${file}"` : `"${file}" cannot be read`);
  }
}

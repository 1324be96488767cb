/** `opac migrate --in`: the changes to files as a diff, written with `--write`. */
import { randomBytes } from 'node:crypto';
import { chmod, chown, realpath, rename, rm, stat } from 'node:fs/promises';
import { fileError } from '../../../export/files/file-error.js';
import { writeSynced } from '../../../export/files/whole-file.js';
import { UsageError } from '../../../service/errors.js';
import { counted } from '../../../service/grouped.js';
import { migrateText, type TextMigration } from '../../../service/migrate/text.js';
import { NotRegularError } from '../../../system/our-file.js';
import type { ValueResult } from '../../command/result.js';
import type { Context } from '../../context.js';
import { readInputFile } from '../../options/files/input-file.js';
import { painter } from '../../output/terminal/paint.js';
import { laidOutLines } from '../../output/terminal/sanitise.js';
import type { Terminal } from '../../output/terminal/terminal.js';

interface MigratedFile {
  readonly file: string;
  readonly before: string;
  readonly migration: TextMigration;
}

/**
 * The diff of all files; with `write` they are changed, none before all could be read. Throws a UsageError for a file that
 * is missing, unreadable or not text.
 */
export async function migrateFiles(
  context: Context,
  files: readonly string[],
  write: boolean,
): Promise<ValueResult> {
  const { createTwoFilesPatch } = await import('diff');
  const all = await Promise.all([...new Set(files)].map((file) => migrated(file, context.signal)));
  const changed = all.filter(({ migration }) => migration.changes.length > 0);
  const patches = changed.map(({ file, before, migration }) =>
    createTwoFilesPatch(file, file, before, migration.text, undefined, undefined, { context: 1 }),
  );
  if (write) for (const { file, migration } of changed) await rewrite(file, migration.text);

  const unmoved = all.flatMap(unmovedLines);
  for (const line of unmoved) context.note(`cannot migrate: ${line}`);
  context.note(summary(changed, write));
  return {
    kind: 'value',
    text: shown(patches.join('').replace(/\n$/, ''), context.terminal),
    json: {
      changed: changed.map(({ file, migration }) => ({ file, changes: migration.changes.length })),
      unmoved,
    },
    failure: () =>
      unmoved.length === 0
        ? undefined
        : new UsageError(`${counted(unmoved.length, 'address', 'addresses')} cannot be migrated`),
  };
}

async function migrated(file: string, signal: AbortSignal): Promise<MigratedFile> {
  const bytes = await readInputFile(file, signal);
  const before = bytes.toString('utf8');
  // What is not UTF-8 would come back as other bytes.
  if (!Buffer.from(before, 'utf8').equals(bytes)) throw new UsageError(`"${file}" is not UTF-8 text`);
  return { file, before, migration: migrateText(before) };
}

/** Whole or not at all; the file keeps its permissions, and a link leads to it still. */
async function rewrite(file: string, text: string): Promise<void> {
  let beside: string | undefined;
  try {
    const path = await realpath(file);
    const found = await stat(path);
    if (!found.isFile()) throw new NotRegularError(file);
    beside = `${path}.${randomBytes(6).toString('hex')}`;
    await writeSynced(beside, text);
    // Only an administrator can give a file away.
    await chown(beside, found.uid, found.gid).catch(() => undefined);
    await chmod(beside, found.mode);
    await rename(beside, path);
  } catch (error) {
    if (beside) await rm(beside, { force: true }).catch(() => undefined);
    throw fileError(error, 'write', file);
  }
}

/** `export.py:12:5: /roles (why; use one of …)` */
function unmovedLines({ file, migration }: MigratedFile): string[] {
  return migration.unmoved.map(({ line, column, text, notes, alternatives = [] }) => {
    const remarks = [...notes, ...(alternatives.length > 0 ? [`use one of ${alternatives.join(', ')}`] : [])];
    return `${file}:${line}:${column}: ${text}${remarks.length > 0 ? ` (${remarks.join('; ')})` : ''}`;
  });
}

function summary(changed: readonly MigratedFile[], write: boolean): string {
  const changes = changed.reduce((sum, { migration }) => sum + migration.changes.length, 0);
  if (changes === 0) return 'nothing to migrate';
  const what = `${counted(changes, 'address', 'addresses')} in ${counted(changed.length, 'file')}`;
  return write ? `changed ${what}` : `would change ${what}; use --write to do it`;
}

/** On a terminal in colours, and with nothing in it that could act on the terminal. */
function shown(patch: string, terminal: Terminal): string {
  if (!terminal.isTerminal) return patch;
  const paint = painter(terminal);
  const styles: Readonly<Record<string, (line: string) => string>> = {
    '+': paint.green,
    '-': paint.red,
    '@': paint.cyan,
  };
  return laidOutLines(patch)
    .map((line) => (styles[line.charAt(0)] ?? String)(line))
    .join('\n');
}

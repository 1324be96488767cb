/** The columns that `--columns` names, itself or in a file. */
import { UsageError } from '../../service/errors.js';
import type { GlobalOptions } from './global.js';

export async function readColumnNames({
  settings: { columns },
  readText,
}: {
  readonly settings: Pick<GlobalOptions, 'columns'>;
  readonly readText: (file: string) => Promise<string>;
}): Promise<readonly string[] | 'all' | undefined> {
  if (columns === undefined || columns === 'all') return columns;
  const list = columns.startsWith('@') ? await readText(columns.slice(1)) : columns;
  const names = list
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new UsageError(`no column names in "${columns}"`, 'see: opac help columns');
  return names;
}

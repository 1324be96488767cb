/** `--name "{accession_no}-{position}.{ext}"`: makes the path of an image below its folder. */
import { UsageError } from '../../service/errors.js';
import { type ImageColumn, parseImageColumn } from '../image-columns.js';
import type { ImageRow } from '../image-row.js';
import { toSafeName } from './file-names.js';

export const DEFAULT_TEMPLATE = '{accession_no}-{position}.{ext}';

export interface NameTemplate {
  readonly columns: readonly ImageColumn[];
  /** Below the folder, with `/` between parts, safe on every file system; not unique. */
  readonly stem: (row: ImageRow) => string;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const EXTENSION = /\.?\{ext\}$/;

/**
 * Slashes of the template make folders, those of values do not; `{ext}` may only stand last. Throws a UsageError for a
 * template that leaves the folder or names nothing of an image.
 */
export function parseTemplate(text: string): NameTemplate {
  const body = text.replace(EXTENSION, '');
  const names = [...body.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());
  if (names.length === 0) throw bad(text, 'names no field', 'write fields as in {accession_no}');
  if (/[{}]/.test(body.replace(PLACEHOLDER, ''))) throw bad(text, 'has a brace without its other half');
  if (names.includes('ext')) throw bad(text, 'has {ext} elsewhere than at its end');
  const parts = body.split('/');
  if (/^[A-Za-z]:|\\/.test(body) || parts.some((part) => ['', '.', '..'].includes(part.trim())))
    throw bad(text, 'leaves the folder, or has an empty part', 'folders are made as in {collection}/{id}');
  const columns = new Map(names.map((name) => [name, parseImageColumn(name)]));
  return {
    columns: [...columns.values()],
    stem: (row) =>
      parts
        .map((part) =>
          toSafeName(part.replace(PLACEHOLDER, (_, name: string) => firstValue(name.trim(), row))),
        )
        .join('/'),
  };

  function firstValue(name: string, row: ImageRow): string {
    const values = columns.get(name)?.values(row) ?? [];
    return values.find((value) => value.trim() !== '') ?? row.record.id;
  }
}

function bad(text: string, says: string, hint?: string): UsageError {
  return new UsageError(`the template "${text}" ${says}`, hint);
}

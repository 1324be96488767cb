/** `--name "{accession_no}-{position}.{ext}"`: the template for the path of an image. */
import { UsageError } from '../../service/errors.js';
import { type ImageColumn, parseImageColumn } from '../image-columns.js';
import type { ImageRow } from '../image-row.js';
import { toSafeName } from './file-names.js';

export const DEFAULT_TEMPLATE = '{accession_no}-{position}.{ext}';

export interface NameTemplate {
  readonly columns: readonly ImageColumn[];
  /** Returns the path below the folder, without file extension. Several images may have the same path. */
  readonly stem: (row: ImageRow) => string;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const EXTENSION = /\.?\{\s*ext\s*\}$/;

/** Slashes create folders. Throws a UsageError for a path outside the folder, an invalid placeholder, or text without a field. */
export function parseTemplate(text: string, getField = (name: string) => name): NameTemplate {
  const body = text.replace(EXTENSION, '');
  const names = [...body.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());
  if (names.length === 0)
    throw createTemplateError(text, 'contains no field', 'add a field, such as {accession_no}');
  if (/[{}]/.test(body.replace(PLACEHOLDER, ''))) throw createTemplateError(text, 'has an unmatched { or }');
  if (names.includes('ext'))
    throw createTemplateError(text, 'has {ext} before the end', 'move {ext} to the end');
  const parts = body.split('/');
  if (/^[A-Za-z]:|\\/.test(body) || parts.some((part) => ['', '.', '..'].includes(part.trim())))
    throw createTemplateError(
      text,
      'leads outside the folder or has an empty folder name',
      'example: {collection}/{id}',
    );
  const columns = new Map(names.map((name) => [name, parseImageColumn(getField(name))]));
  return {
    columns: [...columns.values()],
    stem: (row) =>
      parts
        .map((part) =>
          toSafeName(part.replace(PLACEHOLDER, (_, name: string) => getFirstValue(name.trim(), row))),
        )
        .join('/'),
  };

  function getFirstValue(name: string, row: ImageRow): string {
    const values = columns.get(name)?.values(row) ?? [];
    return values.find((value) => value.trim() !== '') ?? row.record.id;
  }
}

function createTemplateError(text: string, fact: string, hint?: string): UsageError {
  return new UsageError(`the template "${text}" ${fact}`, hint);
}

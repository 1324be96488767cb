/** Decides by the rights of a record which of its images may be downloaded. */

import { UsageError } from '../../service/errors.js';
import { parseImageColumn } from '../image-columns.js';
import type { ImageRow } from '../image-row.js';

export interface RightsEntry {
  readonly field: string;
  /** A value of the field by which an image may be downloaded. */
  readonly value: string;
}

export interface RightsVerdict {
  readonly allowed: boolean;
  readonly found: string;
  readonly reason: string;
}

export interface RightsRule {
  readonly fields: readonly string[];
  readonly evaluate: (row: ImageRow) => RightsVerdict;
}

/** A character of the private use area, for the commas within quotes. */
const COMMA = '\uE000';

/** Parses `copyright=Public domain,CC0`; a value with a comma stands in quotes. Throws a UsageError without a field or a value. */
export function parseRights(text: string): RightsEntry[] {
  const [, field = '', list = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const parts = list.split('"').map((part, n) => (n % 2 === 1 ? part.replaceAll(',', COMMA) : part));
  const values = parts.join('"').split(',');
  const plain = values.map((value) => withoutQuotes(value.replaceAll(COMMA, ',').trim()).trim());
  if (field.trim() === '' || plain.includes(''))
    throw new UsageError(
      `"${text}" is no rule of rights`,
      'write it as in --rights copyright="Public domain,CC0"',
    );
  return plain.map((value) => ({ field: field.trim(), value }));
}

function withoutQuotes(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** Accepts an image whose record has an allowed value, compared trimmed. Undefined without entries. */
export function createRightsRule(entries: readonly RightsEntry[]): RightsRule | undefined {
  if (entries.length === 0) return undefined;
  const fields = [...new Set(entries.map(({ field }) => field))];
  const columns = fields.map((field) => ({ field, values: parseImageColumn(field).values }));
  const names = fields.join(', ');
  const evaluate = (row: ImageRow): RightsVerdict => {
    const held = columns.flatMap(({ field, values }) =>
      values(row).map((value) => ({ field, value: value.trim() })),
    );
    const texts = held.map(({ value }) => value).filter((value) => value !== '');
    const found = texts.join('; ');
    const match = entries.find(({ field, value }) =>
      held.some((each) => each.field === field && each.value === value),
    );
    if (match) return { allowed: true, found, reason: `${match.field} is "${match.value}"` };
    const says = found === '' ? `${names} is empty` : `${names} is "${found}"`;
    return { allowed: false, found, reason: `${says}, which is not on the list` };
  };
  return { fields, evaluate };
}

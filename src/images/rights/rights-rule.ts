/** Decides by the rights of a record which of its images may be downloaded. */

import { UsageError } from '../../service/errors.js';
import type { ImageRow } from '../image-row.js';
import { rowColumn } from '../row-columns.js';

export interface RightsEntry {
  readonly field: string;
  readonly value: string;
  readonly allowed: boolean;
  readonly reason: string;
}

export interface RightsVerdict {
  readonly allowed: boolean;
  readonly found: string;
  readonly reason: string;
}

export interface RightsRule {
  readonly fields: readonly string[];
  readonly judge: (row: ImageRow) => RightsVerdict;
}

/** Parses `copyright=Public domain,CC0`. Throws a UsageError without a field or a value. */
export function parseRights(text: string): RightsEntry[] {
  const [, field = '', list = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const values = list.split(',').map((value) => value.trim());
  if (field.trim() === '' || values.some((value) => value === '')) {
    throw new UsageError(
      `"${text}" is no rule of rights`,
      'write it as in --rights copyright="Public domain,CC0"; for values with commas use --rights-from',
    );
  }
  return values.map((value) => ({ field: field.trim(), value, allowed: true, reason: '' }));
}

const HEADER = ['field', 'value', 'allowed', 'reason'] as const;

const ALLOWED: Readonly<Record<string, boolean>> = {
  '': true,
  yes: true,
  true: true,
  no: false,
  false: false,
};

/**
 * Reads a table with the columns `field` and `value`, and optionally `allowed` (yes or no, default yes) and `reason`. Throws
 * a UsageError that names the invalid row.
 */
export async function readRightsTable(rows: AsyncIterable<string[]>, file: string): Promise<RightsEntry[]> {
  let header: readonly string[] | undefined;
  const entries: RightsEntry[] = [];
  let number = 0;
  for await (const row of rows) {
    number++;
    if (row.every((cell) => cell.trim() === '')) continue;
    if (!header) {
      header = row.map((cell) => cell.trim().toLowerCase());
      if (!header.includes('field') || !header.includes('value')) {
        throw new UsageError(
          `"${file}" has no columns field and value`,
          `its first row is: ${HEADER.join(',')}`,
        );
      }
      continue;
    }
    const cell = (name: (typeof HEADER)[number]) => row[header?.indexOf(name) ?? -1]?.trim() ?? '';
    const allowed = ALLOWED[cell('allowed').toLowerCase()];
    if (cell('field') === '' || cell('value') === '' || allowed === undefined) {
      throw new UsageError(
        `row ${number} of "${file}" is no rule of rights`,
        'it has a field, a value, and perhaps yes or no and a reason',
      );
    }
    entries.push({ field: cell('field'), value: cell('value'), allowed, reason: cell('reason') });
  }
  if (entries.length === 0) throw new UsageError(`there are no rules of rights in "${file}"`);
  return entries;
}

/**
 * Accepts an image whose record has an allowed value and no forbidden one, compared trimmed. Undefined without entries.
 */
export function rightsRule(entries: readonly RightsEntry[]): RightsRule | undefined {
  if (entries.length === 0) return undefined;
  const fields = [...new Set(entries.map(({ field }) => field))];
  const columns = fields.map((field) => ({ field, values: rowColumn(field).values }));
  const judge = (row: ImageRow): RightsVerdict => {
    const held = columns.flatMap(({ field, values }) =>
      values(row).map((value) => ({ field, value: value.trim() })),
    );
    const matching = entries.filter(({ field, value }) =>
      held.some((each) => each.field === field && each.value === value),
    );
    const found = held
      .map(({ value }) => value)
      .filter((value) => value !== '')
      .join('; ');
    const decisive = matching.find(({ allowed }) => !allowed) ?? matching[0];
    if (decisive) return { allowed: decisive.allowed, found, reason: decisive.reason || saidBy(decisive) };
    const says = found === '' ? `${fields.join(', ')} is empty` : `${fields.join(', ')} is "${found}"`;
    return { allowed: false, found, reason: `${says}, which is not on the list` };
  };
  return { fields, judge };
}

function saidBy({ field, value, allowed }: RightsEntry): string {
  return `${field} is "${value}"${allowed ? '' : ', which the list refuses'}`;
}

/** Which images may be had, by what their record says of its rights. */

import { UsageError } from '../../service/errors.js';
import type { ImageRow } from '../image-row.js';
import { rowColumn } from '../row-columns.js';

export interface RightsEntry {
  /** A column of the image or its record: `copyright`, `image@copyright`. */
  readonly field: string;
  readonly value: string;
  readonly allowed: boolean;
  readonly reason: string;
}

export interface RightsVerdict {
  readonly allowed: boolean;
  /** What the record says, in the fields that decide. */
  readonly found: string;
  /** Why, in words. */
  readonly reason: string;
}

export interface RightsRule {
  /** The fields that decide. */
  readonly fields: readonly string[];
  readonly judge: (row: ImageRow) => RightsVerdict;
}

/** `copyright=Public domain,CC0` as entries. Throws a UsageError for what has no field or no value. */
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

/** The columns of a list of rights. */
const HEADER = ['field', 'value', 'allowed', 'reason'] as const;

const ALLOWED: Readonly<Record<string, boolean>> = {
  '': true,
  yes: true,
  true: true,
  no: false,
  false: false,
};

/**
 * The entries of a table with the columns `field` and `value`, and perhaps `allowed` (yes or no, default yes) and `reason`.
 * Throws a UsageError that names the row that cannot be read.
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
 * The rule that takes an image when its record has one of the allowed values, and no value that is not allowed. Values are
 * compared as they stand, white space around them aside. Undefined for no entries: every image may be had.
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

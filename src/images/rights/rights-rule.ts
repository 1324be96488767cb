/** Decides which images opac may use: compares the values of fields or of image attributes with `--rights`. */
import { UsageError } from '../../service/errors.js';
import { parseImageColumn } from '../image-columns.js';
import type { ImageRow } from '../image-row.js';

export interface RightsEntry {
  readonly field: string;
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

/** Replaces a comma inside quotes while the text is split. */
const QUOTED_COMMA = '\uE000';

/** Parses `copyright=Public domain,"A, B"`. Throws a UsageError for an empty field or value. */
export function parseRights(text: string): RightsEntry[] {
  const [, field = '', list = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const parts = list.split('"').map((part, n) => (n % 2 === 1 ? part.replaceAll(',', QUOTED_COMMA) : part));
  const values = parts
    .join('"')
    .split(',')
    .map((value) =>
      value
        .replaceAll(QUOTED_COMMA, ',')
        .trim()
        .replace(/^"(.*)"$/s, '$1')
        .trim(),
    );
  const example = 'for example: --rights image@copyright="Public domain,CC0"';
  if (field.trim() === '' || values.includes(''))
    throw new UsageError(`invalid rights rule "${text}"`, example);
  return values.map((value) => ({ field: field.trim(), value }));
}

/** Returns a rule that allows an image if the image or its record has the value of an entry; undefined if `entries` is empty. */
export function createRightsRule(entries: readonly RightsEntry[]): RightsRule | undefined {
  if (entries.length === 0) return undefined;
  const fields = [...new Set(entries.map(({ field }) => field))];
  const columns = fields.map((field) => ({ field, values: parseImageColumn(field).values }));
  const names = fields.join(', ');
  const evaluate = (row: ImageRow): RightsVerdict => {
    const actual = columns.flatMap(({ field, values }) =>
      values(row).map((value) => ({ field, value: value.trim() })),
    );
    const texts = actual.map(({ value }) => value).filter((value) => value !== '');
    const found = texts.join('; ');
    const match = entries.find(({ field, value }) =>
      actual.some((each) => each.field === field && each.value === value),
    );
    if (match) return { allowed: true, found, reason: `${match.field} is "${match.value}"` };
    const reason =
      found === '' ? `no value in ${names}` : `${names} is "${found}", which --rights does not allow`;
    return { allowed: false, found, reason };
  };
  return { fields, evaluate };
}

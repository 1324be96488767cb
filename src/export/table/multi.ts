/** How several values of a field stand in a table: the rules of `--multi`, and the way back from a cell to its values. */
import { UsageError } from '../../service/errors.js';

export type MultiRule =
  | { readonly rule: 'join'; readonly separator: string }
  | { readonly rule: 'json' }
  | { readonly rule: 'first' }
  /**
   * One row per value of these fields, in step; shorter lists leave cells empty, other fields are joined and repeated. A
   * record without values has one row.
   */
  | { readonly rule: 'rows'; readonly fields: readonly string[]; readonly separator: string };

const SEPARATOR = '|';
export const DEFAULT_MULTI: MultiRule = { rule: 'join', separator: SEPARATOR };

export type Cell = string | readonly string[];

/**
 * Reads `--multi` (`join`, `join=; `, `json`, `first`, `rows=maker_name`) with `--multi-together` (fields split over rows in
 * step with each other). Throws a UsageError for anything else.
 */
export function parseMulti(text = 'join', together: readonly string[] = []): MultiRule {
  const at = text.indexOf('=');
  const rule = at < 0 ? text : text.slice(0, at);
  const value = at < 0 ? undefined : text.slice(at + 1);
  if (together.length > 0 && rule !== 'rows') {
    throw new UsageError(
      '--multi-together needs --multi rows=<field>',
      'it keeps parallel lists in step over the rows',
    );
  }
  if (rule === 'join') return { rule, separator: separator(value ?? SEPARATOR) };
  if (rule === 'rows' && (value || together.length > 0)) {
    return { rule, fields: [...new Set([...(value ? [value] : []), ...together])], separator: SEPARATOR };
  }
  if ((rule === 'json' || rule === 'first') && value === undefined) return { rule };
  throw new UsageError(
    `"${text}" is not a rule for several values`,
    'use join, join=<separator>, json, first or rows=<field>',
  );
}

function separator(text: string): string {
  if (text === '' || text.includes('\\')) {
    throw new UsageError(
      `"${text}" cannot separate values`,
      'a separator is not empty and holds no backslash',
    );
  }
  return text;
}

/**
 * join: a backslash precedes the mark of the separator (its first non-space character) in a value, and doubles backslashes
 * right before a mark. json: an array for several values, and for one that begins with `[`.
 */
export function cellPrinter(rule: MultiRule): (cell: Cell) => string {
  if (rule.rule === 'first') return (cell) => (typeof cell === 'string' ? cell : (cell[0] ?? ''));
  if (rule.rule === 'json') {
    return (cell) =>
      typeof cell !== 'string' || cell.startsWith('[') ? JSON.stringify([cell].flat()) : cell;
  }
  const joint = rule.separator;
  const mark = markOf(joint);
  const endsAtMark = joint.startsWith(mark);
  const print = (value: string, isLast: boolean) => {
    const beforeMark = !isLast && endsAtMark;
    if (!value.includes(mark) && !(beforeMark && value.endsWith('\\'))) return value;
    const parts = value.split(mark);
    const end = parts.pop() ?? '';
    return [...parts.map(doubledEnd), beforeMark ? doubledEnd(end) : end].join(`\\${mark}`);
  };
  return (cell) =>
    typeof cell === 'string'
      ? print(cell, true)
      : cell.map((value, n) => print(value, n === cell.length - 1)).join(joint);
}

function doubledEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  return text + text.slice(end);
}

export function markOf(separator: string): string {
  return [...separator.trimStart(), ...separator][0] as string;
}

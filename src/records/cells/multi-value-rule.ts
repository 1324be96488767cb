/** How several values of a field stand in a table: the rules of `--multi`, and the way back from a cell to its values. */
import { UsageError } from '../../service/errors.js';
import { tryParseJson } from '../../service/parse-json.js';

export type MultiValueRule =
  | { readonly rule: 'join'; readonly separator: string }
  | { readonly rule: 'json' }
  | { readonly rule: 'first' }
  /**
   * One row per value of these fields, in step; shorter lists leave cells empty, other fields are joined and repeated. A
   * record without values has one row.
   */
  | { readonly rule: 'rows'; readonly fields: readonly string[]; readonly separator: string };

const SEPARATOR = '|';
export const DEFAULT_MULTI: MultiValueRule = { rule: 'join', separator: SEPARATOR };

export type Cell = string | readonly string[];

/**
 * Reads `--multi` (`join`, `join=; `, `json`, `first`, `rows=maker_name,production_role`: fields split over rows in step with
 * each other). Throws a UsageError for anything else.
 */
export function parseMultiValueRule(text = 'join'): MultiValueRule {
  const at = text.indexOf('=');
  const rule = at < 0 ? text : text.slice(0, at);
  const value = at < 0 ? undefined : text.slice(at + 1);
  if (rule === 'join') return { rule, separator: separator(value ?? SEPARATOR) };
  const fields = value?.split(',').map((field) => field.trim());
  if (rule === 'rows' && fields && !fields.includes(''))
    return { rule, fields: [...new Set(fields)], separator: SEPARATOR };
  if ((rule === 'json' || rule === 'first') && value === undefined) return { rule };
  throw new UsageError(
    `"${text}" is not a rule for several values`,
    'use join, join=<separator>, json, first or rows=<fields>',
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
 * How a rule prints a cell. A single value stays as the museum wrote it, but for json, which writes a list of one where
 * `isList` says that the column can have several. join: among several values, a backslash precedes a separator that stands in
 * one (its first character that is no space), and backslashes right before that character are doubled.
 */
export function createCellFormatter(rule: MultiValueRule): (cell: Cell, isList?: boolean) => string {
  if (rule.rule === 'first') {
    return (cell) => (typeof cell === 'string' ? cell : (cell.find((value) => value !== '') ?? ''));
  }
  if (rule.rule === 'json') {
    return (cell, isList = false) =>
      typeof cell !== 'string' || (isList && cell !== '') ? JSON.stringify([cell].flat()) : cell;
  }
  const joint = rule.separator;
  const escaped = escaper(joint);
  return (cell) =>
    typeof cell === 'string' || cell.length < 2
      ? cell.toString()
      : cell.map((value, n) => escaped(value, n === cell.length - 1)).join(joint);
}

/** Escapes what would pass for the separator in a value, or in its end together with the separator behind it. */
function escaper(joint: string): (value: string, isLast: boolean) => string {
  const mark = getEscape(joint);
  const before = joint.indexOf(mark);
  return (value, isLast) => {
    if (!value.includes(mark) && !(value.endsWith('\\') && before === 0)) return value;
    const text = isLast ? value : value + joint;
    let printed = '';
    let from = 0;
    for (
      let at = text.indexOf(mark);
      at >= 0 && at < value.length;
      at = text.indexOf(mark, at + mark.length)
    ) {
      printed += doubledEnd(value.slice(from, at));
      printed += text.startsWith(joint, at - before) ? `\\${mark}` : mark;
      from = at + mark.length;
    }
    const end = value.slice(from);
    return printed + (isLast || before > 0 ? end : doubledEnd(end));
  };
}

/**
 * The values of a cell without the empty ones, which say nothing where no list beside them is as long: `counts` are the
 * numbers of values in the other cells of the record. In lists of one length an empty value keeps the others in step.
 */
export function dropEmptyValues(cell: Cell, others: Iterable<number>): Cell {
  if (typeof cell === 'string' || !cell.includes('')) return cell;
  for (const count of others) if (count === cell.length) return cell;
  const values = cell.filter((value) => value !== '');
  return values.length > 1 ? values : (values[0] ?? '');
}

function doubledEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  return text + text.slice(end);
}

export function getEscape(separator: string): string {
  return [...separator.trimStart(), ...separator][0] as string;
}

/** Undefined for text that only begins like a list: a single value stays as the museum wrote it. */
function jsonValues(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  const list = tryParseJson(text);
  return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined;
}

/** The values that a printer of `rule` put into a cell; not for `first`, which leaves values out. `[]` for an empty cell. */
export function cellValues(rule: MultiValueRule, text: string): string[] {
  if (text === '') return [];
  if (rule.rule === 'first') return [text];
  if (rule.rule === 'json') return jsonValues(text) ?? [text];
  const mark = getEscape(rule.separator);
  const values: string[] = [];
  let value = '';
  for (let i = 0; i < text.length; ) {
    let run = i;
    while (text[run] === '\\') run++;
    if (run > i) {
      // Only those right before a mark were doubled, and an odd one takes the mark's meaning away.
      const atMark = text.startsWith(mark, run);
      const count = run - i;
      value += '\\'.repeat(atMark ? Math.floor(count / 2) : count);
      i = run;
      if (atMark && count % 2 === 1) {
        value += mark;
        i += mark.length;
      }
    } else if (text.startsWith(rule.separator, i)) {
      values.push(value);
      value = '';
      i += rule.separator.length;
    } else value += text[i++];
  }
  return [...values, value];
}

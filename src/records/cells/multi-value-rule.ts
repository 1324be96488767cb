/** The rules of `--multi`: how a table cell contains several values of a field, and how to read the values from the cell. */
import { UsageError } from '../../service/errors.js';
import { tryParseJson } from '../../service/parse-json.js';

export type MultiValueRule =
  | { readonly rule: 'join'; readonly separator: string }
  | { readonly rule: 'json' }
  | { readonly rule: 'first' }
  /**
   * One row per value of these fields. Shorter lists leave cells empty, and other fields are joined and repeated. A record
   * without values has one row.
   */
  | { readonly rule: 'rows'; readonly fields: readonly string[]; readonly separator: string };

const SEPARATOR = '|';
export const DEFAULT_MULTI = { rule: 'join', separator: SEPARATOR } as const satisfies MultiValueRule;
/** The default in XLSX files, which people read. */
export const SHEET_MULTI = { rule: 'join', separator: '; ' } as const satisfies MultiValueRule;

export type Cell = string | readonly string[];

/**
 * Parses `--multi`: `join`, `join=; `, `json`, `first`, or `rows=maker_name,production_role` for fields whose values are
 * written to the same rows. `separator` is the default of the format. Throws a UsageError for any other text.
 */
export function parseMultiValueRule(
  text = 'join',
  { separator }: { readonly separator: string } = DEFAULT_MULTI,
): MultiValueRule {
  const at = text.indexOf('=');
  const rule = at < 0 ? text : text.slice(0, at);
  const value = at < 0 ? undefined : text.slice(at + 1);
  if (rule === 'join') return { rule, separator: checkSeparator(value ?? separator) };
  const fields = value?.split(',').map((field) => field.trim());
  if (rule === 'rows' && fields && !fields.includes(''))
    return { rule, fields: [...new Set(fields)], separator };
  if ((rule === 'json' || rule === 'first') && value === undefined) return { rule };
  throw new UsageError(
    `"${text}" is not a rule for several values`,
    'use join, join=<separator>, json, first or rows=<fields>',
  );
}

function checkSeparator(text: string): string {
  if (text === '' || text.includes('\\')) {
    throw new UsageError(
      `"${text}" cannot separate values`,
      'use a separator without a backslash, such as --multi "join=; "',
    );
  }
  return text;
}

/**
 * Creates a function that prints a cell. A single value is printed unchanged, except by json, which prints a list if the
 * column can have several values (`isList`). join: if a value contains the separator, a backslash is written before its first
 * character that is not a space, and backslashes directly before that character are duplicated.
 */
export function createCellFormatter(rule: MultiValueRule): (cell: Cell, isList?: boolean) => string {
  if (rule.rule === 'first') {
    return (cell) => (typeof cell === 'string' ? cell : (cell.find((value) => value !== '') ?? ''));
  }
  if (rule.rule === 'json') {
    return (cell, isList = false) =>
      typeof cell !== 'string' || (isList && cell !== '') ? JSON.stringify([cell].flat()) : cell;
  }
  const { separator } = rule;
  const escapeValue = createValueEscaper(separator);
  return (cell) =>
    typeof cell === 'string' || cell.length < 2
      ? cell.toString()
      : cell.map((value, n) => escapeValue(value, n === cell.length - 1)).join(separator);
}

/** Escapes the separator in a value, also if the end of the value and the next separator would form one. */
function createValueEscaper(separator: string): (value: string, isLast: boolean) => string {
  const escaped = getEscape(separator);
  const before = separator.indexOf(escaped);
  return (value, isLast) => {
    if (!value.includes(escaped) && !(value.endsWith('\\') && before === 0)) return value;
    const text = isLast ? value : value + separator;
    let printed = '';
    let from = 0;
    for (
      let at = text.indexOf(escaped);
      at >= 0 && at < value.length;
      at = text.indexOf(escaped, at + escaped.length)
    ) {
      printed += duplicateEndBackslashes(value.slice(from, at));
      printed += text.startsWith(separator, at - before) ? `\\${escaped}` : escaped;
      from = at + escaped.length;
    }
    const end = value.slice(from);
    return printed + (isLast || before > 0 ? end : duplicateEndBackslashes(end));
  };
}

/**
 * Removes empty values from a cell, unless another cell of the record has the same number of values. `others` are these
 * numbers. In lists of the same length an empty value keeps the other values in their positions.
 */
export function dropEmptyValues(cell: Cell, others: Iterable<number>): Cell {
  if (typeof cell === 'string' || !cell.includes('')) return cell;
  for (const count of others) if (count === cell.length) return cell;
  const values = cell.filter((value) => value !== '');
  return values.length > 1 ? values : (values[0] ?? '');
}

function duplicateEndBackslashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  return text + text.slice(end);
}

/** Returns the character of a separator that gets a backslash. */
export function getEscape(separator: string): string {
  return [...separator.trimStart(), ...separator][0] as string;
}

/** Returns undefined if the text is not a JSON list of texts, because a single value is printed unchanged. */
function parseJsonList(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  const list = tryParseJson(text);
  return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined;
}

/** Returns the values that `rule` printed into a cell; `[]` for an empty cell. The rule `first` prints only one value. */
export function cellValues(rule: MultiValueRule, text: string): string[] {
  if (text === '') return [];
  if (rule.rule === 'first') return [text];
  if (rule.rule === 'json') return parseJsonList(text) ?? [text];
  const escaped = getEscape(rule.separator);
  const values: string[] = [];
  let value = '';
  for (let i = 0; i < text.length; ) {
    let run = i;
    while (text[run] === '\\') run++;
    if (run > i) {
      // Backslashes directly before this character were duplicated. An odd number of them escapes the character.
      const isBeforeEscaped = text.startsWith(escaped, run);
      const count = run - i;
      value += '\\'.repeat(isBeforeEscaped ? Math.floor(count / 2) : count);
      i = run;
      if (isBeforeEscaped && count % 2 === 1) {
        value += escaped;
        i += escaped.length;
      }
    } else if (text.startsWith(rule.separator, i)) {
      values.push(value);
      value = '';
      i += rule.separator.length;
    } else value += text[i++];
  }
  return [...values, value];
}

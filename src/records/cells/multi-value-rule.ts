/** The rules of `--multi`: how opac writes several values of a field into table cells, and how it reads them again. */
import { UsageError } from '../../service/errors.js';
import { tryParseJson } from '../../service/parse-json.js';

export type MultiValueRule =
  | { readonly rule: 'join'; readonly separator: string }
  | { readonly rule: 'json' }
  | { readonly rule: 'first' }
  /** One row per value of these fields. Shorter lists leave cells empty. Other fields are joined and repeated in each row. */
  | { readonly rule: 'rows'; readonly fields: readonly string[]; readonly separator: string };

const SEPARATOR = '|';
export const DEFAULT_MULTI = { rule: 'join', separator: SEPARATOR } as const satisfies MultiValueRule;
/** The default in XLSX files, which people read. */
export const SHEET_MULTI = { rule: 'join', separator: '; ' } as const satisfies MultiValueRule;

export type Cell = string | readonly string[];

/** Parses the value of `--multi`. `separator`: the default separator of the format. Throws a UsageError for invalid text. */
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

/** `isList`: whether the column can have several values. If so, the rule `json` writes a list even for one value. */
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

/**
 * Returns a function that escapes each separator in a value, also a separator that begins at the end of the value and ends
 * within the separator that opac writes after the value.
 */
function createValueEscaper(separator: string): (value: string, isLast: boolean) => string {
  const escaped = getEscapedCharacter(separator);
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

/** Keeps empty values if another cell has the same number of values, because values at the same position may belong together. */
export function dropEmptyValues(cell: Cell, otherCounts: Iterable<number>): Cell {
  if (typeof cell === 'string' || !cell.includes('')) return cell;
  for (const count of otherCounts) if (count === cell.length) return cell;
  const values = cell.filter((value) => value !== '');
  return values.length > 1 ? values : (values[0] ?? '');
}

function duplicateEndBackslashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  return text + text.slice(end);
}

/** Returns the character of a separator that gets a backslash: the first that is not a space, otherwise the first. */
export function getEscapedCharacter(separator: string): string {
  return [...separator.trimStart(), ...separator][0] as string;
}

function parseJsonList(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  const list = tryParseJson(text);
  return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined;
}

/** Returns the values of a cell that `rule` wrote; `[]` for an empty cell. */
export function cellValues(rule: MultiValueRule, text: string): string[] {
  if (text === '') return [];
  if (rule.rule === 'first') return [text];
  if (rule.rule === 'json') return parseJsonList(text) ?? [text];
  const escaped = getEscapedCharacter(rule.separator);
  const findBackslash = createFinder(text, '\\');
  const findSeparator = createFinder(text, rule.separator);
  const values: string[] = [];
  let value = '';
  for (let i = 0; i < text.length; ) {
    let run = i;
    while (text[run] === '\\') run++;
    if (run > i) {
      // opac duplicated each backslash of the value before the escaped character. An additional backslash is the escape.
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
    } else {
      const end = Math.min(findBackslash(i), findSeparator(i));
      value += text.slice(i, end);
      i = end;
    }
  }
  return [...values, value];
}

/** Returns a function that finds the next `part`, or the end of the text. Each call must pass a higher position. */
function createFinder(text: string, part: string): (from: number) => number {
  let next = text.indexOf(part);
  return (from) => {
    if (next >= 0 && next < from) next = text.indexOf(part, from);
    return next < 0 ? text.length : next;
  };
}

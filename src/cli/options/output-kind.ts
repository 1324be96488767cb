/** The kinds of output, which determine the output options and the formats of a command. */
import { FORMATS, findFormat, findFormatByName, LISTED_FORMATS } from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import { getLongFlag, type OptionDescription, type Parser } from '../description/option.js';
import { ALL_FORMATS, type Format, type GlobalOptions, OUTPUT_OPTIONS, SCREEN_FORMATS } from './global.js';
import { oneOf } from './parse.js';

/**
 * - items: any number of rows (the default)
 * - row: one row with fixed columns
 * - value: text that is not a table
 * - summary: text that is not a table, only on standard output
 * - report: the result of a check, without `--force`, so that a report never replaces an export
 * - file: a file that has only one format
 * - nothing: no output option has an effect
 */
export type OutputKind = 'items' | 'row' | 'value' | 'summary' | 'report' | 'file' | 'nothing';

const FILE_FLAGS = ['--output', '--force'];
const FLAGS: Readonly<Record<OutputKind, readonly string[]>> = {
  items: OUTPUT_OPTIONS.map(getLongFlag),
  row: ['--format', ...FILE_FLAGS],
  value: ['--format', ...FILE_FLAGS],
  summary: ['--format'],
  report: ['--format', '--output'],
  file: FILE_FLAGS,
  nothing: [],
};

const JSON_FORMATS = LISTED_FORMATS.filter((format) => FORMATS[format].json);
const TABLE_FORMATS = LISTED_FORMATS.filter((format) => FORMATS[format].isText && FORMATS[format].table);
const VALUE_FORMATS: readonly Format[] = [...SCREEN_FORMATS, ...JSON_FORMATS];
const ITEM_FORMATS: readonly Format[] = [...SCREEN_FORMATS, ...LISTED_FORMATS];
export const PAGE_FORMATS: readonly Format[] = [...ITEM_FORMATS, 'html'];
export const CHART_FORMATS: readonly Format[] = [...PAGE_FORMATS, 'svg'];
const FORMATS_BY_KIND: Readonly<Partial<Record<OutputKind, readonly Format[]>>> = {
  items: ITEM_FORMATS,
  row: [...VALUE_FORMATS, ...TABLE_FORMATS],
  value: VALUE_FORMATS,
  summary: VALUE_FORMATS,
};

/** The kinds that are text by default, even in a pipe. */
const TEXT_KINDS: readonly OutputKind[] = ['value', 'summary', 'report'];

/** `--format` takes precedence over the file extension of `--output`. */
export function findRequestedFormat({
  format,
  output,
}: Pick<GlobalOptions, 'format' | 'output'>): Format | undefined {
  if (format !== undefined || output === undefined) return format;
  if (/\.html?(\.gz|\.zst)?$/i.test(output)) return 'html';
  if (/\.svg$/i.test(output)) return 'svg';
  return findFormatByName(output) ?? SCREEN_FORMATS.find((name) => output.endsWith(`.${name}`));
}

/** True if an output option has no effect in commands with this kind of output. */
export function isUnusedIn(kind: OutputKind, option: OptionDescription): boolean {
  const flag = getLongFlag(option);
  return FLAGS.items.includes(flag) && !FLAGS[kind].includes(flag);
}

/** Limits `--format` to the formats of a command, and sets the default in the help. */
export function limitFormats(
  kind: OutputKind,
  option: OptionDescription,
  formats = FORMATS_BY_KIND[kind],
): OptionDescription {
  if (getLongFlag(option) !== '--format') return option;
  return {
    ...option,
    ...(formats && { summary: formats.join(', '), choices: formats, parse: parseFormat(formats) }),
    ...(TEXT_KINDS.includes(kind) && { defaultText: 'text' }),
  };
}

/** Also accepts formats of other commands, which `assertFormatSupported` refuses with a clearer message. */
const parseFormat =
  (formats: readonly Format[]): Parser<Format> =>
  (text, where) =>
    ALL_FORMATS.find((format) => format === text) ?? oneOf(formats)(text, where);

export function assertFormatSupported(
  kind: OutputKind,
  options: Pick<GlobalOptions, 'format' | 'output'>,
  formats: readonly Format[] = FORMATS_BY_KIND[kind] ?? ALL_FORMATS,
): void {
  const requested = findRequestedFormat(options);
  if (requested === undefined || formats.includes(requested)) return;
  const others =
    kind === 'items' && findFormat(requested)?.isListed === false
      ? `; only an export can be written as ${requested}`
      : '';
  throw new UsageError(
    `this command cannot write ${requested}`,
    `choose from ${formats.join(', ')}${others}`,
  );
}

/** The type of a command's output, which determines its output options. */
import { FORMATS, findFormatByName, LISTED_FORMATS } from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import { longFlag, type OptionDescription } from '../description/option.js';
import { type Format, type GlobalOptions, OUTPUT_FORMATS, OUTPUT_OPTIONS, SCREEN_FORMATS } from './global.js';

/**
 * items: any number of rows (the default); row: one row with fixed columns; value: text that is not a table; report: a verdict,
 * which never replaces an export; file: a file of one format; nothing: no output.
 */
export type OutputKind = 'items' | 'row' | 'value' | 'report' | 'file' | 'nothing';

const FILE = ['--output', '--force'];
const FLAGS: Readonly<Record<OutputKind, readonly string[]>> = {
  items: OUTPUT_OPTIONS.map(longFlag),
  row: ['--format', ...FILE],
  value: ['--format', ...FILE],
  report: ['--format', '--output'],
  file: FILE,
  nothing: [],
};

const JSON_FORMATS = LISTED_FORMATS.filter((format) => FORMATS[format].json);
const TABLE_FORMATS = LISTED_FORMATS.filter((format) => FORMATS[format].isText && FORMATS[format].table);
const VALUE_FORMATS: readonly Format[] = [...SCREEN_FORMATS, ...JSON_FORMATS];
const FORMATS_BY_KIND: Readonly<Partial<Record<OutputKind, readonly Format[]>>> = {
  row: [...VALUE_FORMATS, ...TABLE_FORMATS],
  value: VALUE_FORMATS,
};

/** The format of the options, from its name or the file extension. */
export function requestedFormat({
  format,
  output,
}: Pick<GlobalOptions, 'format' | 'output'>): Format | undefined {
  if (format !== undefined || output === undefined) return format;
  return findFormatByName(output) ?? SCREEN_FORMATS.find((name) => output.endsWith(`.${name}`));
}

/** Returns true for an output option without effect in commands of this kind. */
export function isUnusedIn(kind: OutputKind, option: OptionDescription): boolean {
  const flag = longFlag(option);
  return FLAGS.items.includes(flag) && !FLAGS[kind].includes(flag);
}

/** The option with the formats of this kind: a value has fewer formats than a list. */
export function limitFormats(kind: OutputKind, option: OptionDescription): OptionDescription {
  const formats = FORMATS_BY_KIND[kind];
  if (formats === undefined || longFlag(option) !== '--format') return option;
  return { ...option, summary: formats.join(', '), choices: formats };
}

/** Throws a UsageError for a format that the command cannot write. */
export function refuseFormat(
  kind: OutputKind,
  options: Pick<GlobalOptions, 'format' | 'output'>,
  formats = FORMATS_BY_KIND[kind] ?? OUTPUT_FORMATS,
): void {
  const requested = requestedFormat(options);
  if (requested === undefined || formats.includes(requested)) return;
  throw new UsageError(`this command cannot write ${requested}`, `choose from ${formats.join(', ')}`);
}

/** What a command gives, which decides its output options. */
import { findFormatByName, LISTED_FORMATS, FORMATS as TRAITS } from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import { longFlag, type OptionDescription } from '../description/option.js';
import { type Format, type GlobalOptions, OUTPUT_FORMATS, OUTPUT_OPTIONS, SCREEN_FORMATS } from './global.js';

/**
 * items: rows of any number (the default); row: one row of known columns; value: a text that is not a table; report: a verdict,
 * for which an export is never replaced; file: a file of one format; nothing.
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

const JSON_FORMATS = LISTED_FORMATS.filter((format) => TRAITS[format].json);
const TABLE_FORMATS = LISTED_FORMATS.filter((format) => TRAITS[format].isText && TRAITS[format].table);
const TEXT_FORMATS: readonly Format[] = [...SCREEN_FORMATS, ...JSON_FORMATS];
const FORMATS_OF: Readonly<Partial<Record<OutputKind, readonly Format[]>>> = {
  row: [...TEXT_FORMATS, ...TABLE_FORMATS],
  value: TEXT_FORMATS,
};

/** The format that the options ask for, by its name or by the extension of the file. */
export function requestedFormat({
  format,
  output,
}: Pick<GlobalOptions, 'format' | 'output'>): Format | undefined {
  if (format !== undefined || output === undefined) return format;
  return findFormatByName(output) ?? SCREEN_FORMATS.find((view) => output.endsWith(`.${view}`));
}

/** Whether a global option is an output option that has no effect in commands of this kind. */
export function isUnusedIn(kind: OutputKind, option: OptionDescription): boolean {
  const flag = longFlag(option);
  return FLAGS.items.includes(flag) && !FLAGS[kind].includes(flag);
}

/** The option as commands of this kind have it: a value has fewer formats than a list. */
export function optionIn(kind: OutputKind, option: OptionDescription): OptionDescription {
  const formats = FORMATS_OF[kind];
  if (formats === undefined || longFlag(option) !== '--format') return option;
  return { ...option, summary: formats.join(', '), choices: formats };
}

/** Throws a UsageError for a format that cannot be written. */
export function refuseFormat(
  kind: OutputKind,
  settings: Pick<GlobalOptions, 'format' | 'output'>,
  formats = FORMATS_OF[kind] ?? OUTPUT_FORMATS,
): void {
  const requested = requestedFormat(settings);
  if (requested === undefined || formats.includes(requested)) return;
  throw new UsageError(`this command cannot write ${requested}`, `choose from ${formats.join(', ')}`);
}

/** What a command prints, which decides the output options that have an effect in it. The others are refused. */
import { FORMATS, formatOfName, LISTED_FORMATS } from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import type { OptionDescription } from '../command/option.js';
import { type Format, type GlobalOptions, OUTPUT, VIEWS } from './global.js';

/** Rows of any number (the default), one row of known columns, a text that is not a table, or nothing. */
export type OutputKind = 'rows' | 'row' | 'text' | 'none';

const JSON_FORMATS = LISTED_FORMATS.filter((format) => FORMATS[format].json);
const TABLE_FORMATS = LISTED_FORMATS.filter((format) => FORMATS[format].isText && FORMATS[format].table);
const TEXT_FORMATS: readonly Format[] = [...VIEWS, ...JSON_FORMATS];
const FORMATS_OF: Readonly<Record<Exclude<OutputKind, 'rows'>, readonly Format[]>> = {
  row: [...TEXT_FORMATS, ...TABLE_FORMATS],
  text: TEXT_FORMATS,
  none: [],
};

/** The format that the options ask for, by its name or by the extension of the file. */
export function requestedFormat({ format, output }: GlobalOptions): Format | undefined {
  if (format !== undefined || output === undefined) return format;
  return formatOfName(output) ?? VIEWS.find((view) => output.endsWith(`.${view}`));
}

/** Whether help and completion leave the option out: of the output options, a text takes those of its file only. */
export function isUnusedIn(kind: OutputKind, { group, flags }: OptionDescription): boolean {
  if (kind === 'rows' || group !== OUTPUT) return false;
  return kind === 'none' || /--(columns|flat)/.test(flags);
}

/** Throws a UsageError for an output option that would have no effect. */
export function refuseUnusedOutput(kind: OutputKind, settings: GlobalOptions): void {
  if (kind === 'rows') return;
  const { columns, flat, format, output, force } = settings;
  const unused = [
    columns !== undefined && '--columns',
    flat && '--flat',
    kind === 'none' && format !== undefined && '--format',
    kind === 'none' && output !== undefined && '--output',
    kind === 'none' && force && '--force',
  ].find((option) => option !== false);
  if (unused) throw new UsageError(`${unused} has no effect in this command`, 'leave it out');
  const requested = requestedFormat(settings);
  const formats = FORMATS_OF[kind];
  if (requested === undefined || formats.includes(requested)) return;
  throw new UsageError(`this command cannot write ${requested}`, `choose from ${formats.join(', ')}`);
}

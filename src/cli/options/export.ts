/** The options of an export beside those of a search. */
import { EXPORT_FORMATS } from '../../export/formats.js';
import type { Input, OptionDescription } from '../command/option.js';
import { durationOption } from './duration.js';
import { OUTPUT } from './global.js';
import { flagOption, integerOption, stringOption } from './read.js';

const FILE = 'The file:';
const SLICES = 'A service that gives only so many records of a search:';
const VALUES = 'Several values in a cell:';

export const EXPORT_OPTIONS: readonly OptionDescription[] = [
  { group: FILE, flags: '--resume', summary: 'continue an unfinished run of the same export' },
  { group: FILE, flags: '--strict', summary: 'fail also if the total changed or ids were not found' },
  {
    group: FILE,
    flags: '--wait-lock <duration>',
    summary: 'how long to wait for another run that writes the file: 30s, 10m',
    default: 'exit 8 at once',
  },
  {
    group: FILE,
    flags: '--split <n>',
    summary: 'records per file: objects-001.csv, objects-002.csv, …',
  },
  {
    group: FILE,
    flags: '--excel',
    summary: 'CSV for Excel: BOM, CRLF, no cell that Excel would rewrite or run',
  },
  {
    group: OUTPUT,
    flags: '-f, --format <name>',
    summary: EXPORT_FORMATS.join(', '),
    default: 'by file extension, else csv',
    choices: EXPORT_FORMATS,
  },
  {
    group: OUTPUT,
    flags: '-o, --output <file>',
    summary: 'write to a file only when complete: objects.csv, objects.ndjson.gz',
    completes: 'file',
  },
  {
    group: SLICES,
    flags: '--window <n>',
    summary: 'split the search into slices of at most n records (default: what the service gives)',
  },
  {
    group: VALUES,
    flags: '--multi <rule>',
    summary: 'join, join=<separator>, json, first or rows=<field>',
    default: 'join with |',
  },
  {
    group: VALUES,
    flags: '--multi-together <fields>',
    summary: 'with rows: fields to split together, such as maker_name,production_role',
  },
];

export interface ExportInput {
  readonly resume: boolean;
  readonly strict: boolean;
  /** Milliseconds. */
  readonly waitLock: number | undefined;
  readonly split: number | undefined;
  readonly excel: boolean;
  /** The most that offset + limit may be. */
  readonly window: number | undefined;
  readonly multi: string | undefined;
  readonly multiTogether: readonly string[] | undefined;
}

export function parseExport({ options }: Input): ExportInput {
  const together = stringOption(options, 'multiTogether');
  return {
    resume: flagOption(options, 'resume'),
    strict: flagOption(options, 'strict'),
    waitLock: durationOption(options, 'waitLock'),
    split: integerOption(options, 'split', 1),
    excel: flagOption(options, 'excel'),
    window: integerOption(options, 'window', 1),
    multi: stringOption(options, 'multi'),
    multiTogether: together?.split(',').map((field) => field.trim()),
  };
}

/** The options of an export beside those of a search. */

import type { Part } from '../../export/collect/source/slices/plan.js';
import { EXPORT_FORMATS } from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import type { Input, OptionDescription } from '../command/option.js';
import { durationOption } from './duration.js';
import { OUTPUT } from './global.js';
import { flagOption, integerOption, stringOption } from './read.js';
import { parseTable, TABLE_OPTIONS, type TableInput } from './table.js';

const FILE = 'The file:';
const SLICES = 'Slices and parts:';
const VALUES = 'Values in a cell:';

export const DESCRIBE_OPTION: OptionDescription = {
  group: FILE,
  flags: '--describe',
  summary: 'write a Frictionless Data Package beside it: objects.csv.datapackage.json',
};

export const EXPORT_OPTIONS: readonly OptionDescription[] = [
  {
    group: FILE,
    flags: '--resume',
    summary: 'continue an unfinished run of the same export without asking; formats and columns may differ',
  },
  {
    group: FILE,
    flags: '--strict',
    summary: 'compare all ids with the service at the end; fail if ids were not found',
  },
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
  DESCRIBE_OPTION,
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
    summary: 'write to a file only when complete: objects.csv, objects.ndjson.gz; repeat for more formats',
    completes: 'file',
    repeatable: true,
  },
  {
    group: SLICES,
    flags: '--window <n>',
    summary: 'split the search into slices of at most n records (default: what the service gives)',
  },
  {
    group: SLICES,
    flags: '--plan',
    summary: 'print the slices, and export nothing',
  },
  {
    group: SLICES,
    flags: '--part <i/n>',
    summary: 'export one of n parts as NDJSON, each on its own machine; join them with --from',
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
  ...TABLE_OPTIONS,
];

export interface ExportInput extends TableInput {
  readonly resume: boolean;
  readonly strict: boolean;
  /** Milliseconds. */
  readonly waitLock: number | undefined;
  readonly split: number | undefined;
  readonly excel: boolean;
  readonly describe: boolean;
  /** The most that offset + limit may be. */
  readonly window: number | undefined;
  readonly plan: boolean;
  readonly part: Part | undefined;
  readonly multi: string | undefined;
  readonly multiTogether: readonly string[] | undefined;
}

export function parseExport(input: Input): ExportInput {
  const { options } = input;
  const together = stringOption(options, 'multiTogether');
  return {
    resume: flagOption(options, 'resume'),
    strict: flagOption(options, 'strict'),
    waitLock: durationOption(options, 'waitLock'),
    split: integerOption(options, 'split', 1),
    excel: flagOption(options, 'excel'),
    describe: flagOption(options, 'describe'),
    ...parseTable(input),
    window: integerOption(options, 'window', 1),
    plan: flagOption(options, 'plan'),
    part: partOption(options),
    multi: stringOption(options, 'multi'),
    multiTogether: together?.split(',').map((field) => field.trim()),
  };
}

const MOST_PARTS = 10_000;

/** `3/8`: the third of eight parts. */
function parsePart(value: string): Part | undefined {
  const [, number = 0, of = 0] = /^(\d{1,6})\/(\d{1,6})$/.exec(value)?.map(Number) ?? [];
  return number >= 1 && number <= of && of <= MOST_PARTS ? { number, of } : undefined;
}

function partOption(options: Input['options']): Part | undefined {
  const value = stringOption(options, 'part');
  if (value === undefined) return undefined;
  const part = parsePart(value);
  if (part) return part;
  throw new UsageError(
    `invalid value "${value}" for --part; must be like 3/8, from 1/8 to 8/8`,
    /^\d+\/\d+$/.test(value) && Number(value.split('/')[1]) > MOST_PARTS
      ? `an export has at most ${MOST_PARTS} parts`
      : undefined,
  );
}

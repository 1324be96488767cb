/** The options of an export beside those of a search. */
import { EXPORT_FORMATS } from '../../export/formats.js';
import type { Part } from '../../export/source/slices/plan.js';
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
    summary: 'write to a file only when complete: objects.csv, objects.ndjson.gz',
    completes: 'file',
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
    summary: 'export one of n parts, each on its own machine; join them with: opac merge',
  },
  {
    group: SLICES,
    flags: '--part-from-env',
    summary:
      'the same, as told by GitLab (CI_NODE_INDEX), or with OPAC_PARTS by Kubernetes (JOB_COMPLETION_INDEX) or GNU parallel',
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
  readonly partFromEnv: boolean;
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
    partFromEnv: flagOption(options, 'partFromEnv'),
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

/** Where systems say which part a machine has, and of how many; Kubernetes and GNU parallel do not say the second. */
const SYSTEMS = [
  { index: 'CI_NODE_INDEX', first: 1, total: 'CI_NODE_TOTAL' },
  { index: 'JOB_COMPLETION_INDEX', first: 0, total: 'OPAC_PARTS' },
  { index: 'PARALLEL_SEQ', first: 1, total: 'OPAC_PARTS' },
] as const;

/**
 * The part that a CI service (GitLab), a cluster (Kubernetes) or GNU parallel gives to this machine. Throws a UsageError when
 * none of them says so, or several do.
 */
export function partFromEnvironment(environment: NodeJS.ProcessEnv): Part {
  const [system, other] = SYSTEMS.filter(({ index }) => environment[index]);
  if (!system)
    throw new UsageError(
      '--part-from-env: the environment names no part',
      'set CI_NODE_INDEX and CI_NODE_TOTAL, or JOB_COMPLETION_INDEX (from 0) and OPAC_PARTS; or use --part 1/8',
    );
  if (other)
    throw new UsageError(
      `--part-from-env: both ${system.index} and ${other.index} name a part`,
      'use --part, or unset one of them',
    );
  const { index, first, total } = system;
  if (!environment[total])
    throw new UsageError(`--part-from-env: ${index} is set, but ${total}, the number of parts, is not`);
  const number = /^\d+$/.test(environment[index] ?? '') ? Number(environment[index]) + 1 - first : Number.NaN;
  const part = parsePart(`${number}/${environment[total]}`);
  if (part) return part;
  throw new UsageError(
    `--part-from-env: there is no part ${index}=${environment[index]} of ${total}=${environment[total]}`,
    `${index} counts from ${first}`,
  );
}

/** The options that every command takes, before or after its name. */

import { EXPORT_FORMATS, LISTED_FORMATS } from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import { parseColumns } from '../../service/records/columns.js';
import { type Input, type OptionDescription, wordsOfOptions } from '../command/option.js';
import { durationOption } from './duration.js';
import { refuseMistypedVariables } from './environment.js';
import {
  choiceOption,
  flagOption,
  integerOption,
  numberOption,
  parseChoice,
  stringOption,
  stringsOption,
} from './read.js';
import { SETTING_OPTIONS } from './settings.js';

export const VIEWS = ['table', 'card'] as const;
export const FORMATS = [...VIEWS, ...EXPORT_FORMATS] as const;
/** Formats of reports, which single commands offer. */
const REPORTS = ['markdown', 'html'] as const;
export type Format = (typeof FORMATS)[number] | (typeof REPORTS)[number];
/** Those that a list can have. */
const LISTED = [...VIEWS, ...LISTED_FORMATS];

const ERROR_FORMATS = ['text', 'json'] as const;

export interface GlobalOptions {
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
  readonly mock: boolean;
  /** Exported files in place of a deployment; `[]` for none. */
  readonly from: readonly string[];
  /** Undefined where nobody said. */
  readonly allowHttp: boolean | undefined;
  readonly format: Format | undefined;
  /** A file, or undefined (and `-`) for standard output. */
  readonly output: string | undefined;
  /** All files of an export, the first of which is `output`. */
  readonly outputs: readonly string[];
  /** As it was given: names, `@file` or `all`. */
  readonly columns: string | undefined;
  readonly flat: boolean;
  /** Whether a list may take the place of an export. */
  readonly force: boolean;
  /** Seconds. */
  readonly timeout: number | undefined;
  /** Milliseconds for the whole command. */
  readonly deadline: number | undefined;
  readonly retries: number | undefined;
  readonly concurrency: number | undefined;
  /** Requests a second. */
  readonly rate: number | undefined;
  readonly color: false | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly dryRun: boolean;
}

export const OUTPUT = 'Output options:';
const MESSAGES = 'Messages and colours:';
const CONNECTION = 'Connection options:';

export const GLOBAL_OPTIONS: readonly OptionDescription[] = [
  {
    group: OUTPUT,
    flags: '-f, --format <name>',
    summary: LISTED.join(', '),
    default: 'table or card on a terminal, else tsv',
    choices: FORMATS,
  },
  {
    group: OUTPUT,
    flags: '-o, --output <file>',
    summary: 'write to a file only when complete; its extension sets the format',
    completes: 'file',
  },
  {
    group: OUTPUT,
    flags: '--force',
    summary:
      'with -o: replace the file of an export and its manifest; in an export: discard an unfinished one',
  },
  {
    group: OUTPUT,
    flags: '--columns <names>',
    summary: 'columns in order: id,title,image.url=image_url, or @file, or all',
    completes: 'columns',
  },
  {
    group: OUTPUT,
    flags: '--flat',
    summary: "json and ndjson: one flat form in place of the service's own records",
  },
  { group: MESSAGES, flags: '--no-color', summary: 'disable colours (env: NO_COLOR)' },
  { group: MESSAGES, flags: '-q, --quiet', summary: 'print only errors to standard error' },
  { group: MESSAGES, flags: '--verbose', summary: 'print details to standard error' },
  {
    group: MESSAGES,
    flags: '--debug',
    summary: 'log requests and the causes of errors, without secrets',
  },
  {
    group: MESSAGES,
    flags: '--error-format <name>',
    summary: 'text, or json: errors as one line for programs (also OPAC_ERROR_FORMAT); see: opac help errors',
    choices: ERROR_FORMATS,
  },
  {
    group: CONNECTION,
    flags: '-p, --profile <name>',
    summary: 'deployment to use',
    default: 'OPAC_PROFILE, else the current one',
    completes: 'profile',
  },
  { group: CONNECTION, flags: '--base-url <url>', summary: 'URL of the deployment (env: OPAC_BASE_URL)' },
  {
    group: CONNECTION,
    flags: '--mock',
    summary: 'use the built-in museum, on this machine alone',
  },
  {
    group: CONNECTION,
    flags: '--from <file>',
    summary: "an export (NDJSON, JSON; .gz, .zst), '*.ndjson' or a mirror in place of a deployment",
    completes: 'file',
    repeatable: true,
  },
  ...SETTING_OPTIONS.filter(({ flags }) => !flags.startsWith('--page-size')).map((option) => ({
    ...option,
    group: CONNECTION,
  })),
  {
    group: CONNECTION,
    flags: '--dry-run',
    summary: 'print the requests as curl commands without sending them',
  },
];

/** The format of errors that words or environment ask for, whether or not the words can be parsed. */
export function errorFormatOf(
  argv: readonly string[],
  { OPAC_ERROR_FORMAT }: NodeJS.ProcessEnv,
): string | undefined {
  const flag = '--error-format';
  const words = wordsOfOptions(argv);
  const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return OPAC_ERROR_FORMAT;
  return words[at] === flag ? words[at + 1] : words[at]?.slice(flag.length + 1);
}

/** The global options beside a command's own: without those it describes itself, and without letters that it uses. */
export function globalOptionsBeside(own: readonly OptionDescription[]): OptionDescription[] {
  const taken = new Set(
    own.flatMap(({ flags }) => flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))),
  );
  return GLOBAL_OPTIONS.flatMap((option) => {
    const words = option.flags.split(', ');
    const long = words.at(-1) ?? '';
    if (taken.has(long.replace(/ .*/, ''))) return [];
    return [words.length > 1 && taken.has(words[0] ?? '') ? { ...option, flags: long } : option];
  });
}

/** The files of `-o`, which an export takes several times; none for standard output. Throws a UsageError. */
function outputsOption({ output }: Input['options']): readonly string[] {
  const outputs = [output].flat().filter((each) => typeof each === 'string');
  if (outputs.includes(''))
    throw new UsageError('invalid value "" for --output', 'name a file, or - for standard output');
  if (!outputs.includes('-')) return outputs;
  if (outputs.length > 1)
    throw new UsageError('-o - cannot be used with another -o', 'standard output takes one format');
  return [];
}

/** Checks the global options of a command line, with the environment behind them. Throws a UsageError. */
export function parseGlobal(
  options: Input['options'],
  environment: NodeJS.ProcessEnv,
  formats: readonly Format[] = FORMATS,
): GlobalOptions {
  refuseMistypedVariables(environment);
  const outputs = outputsOption(options);
  const columns = stringOption(options, 'columns');
  if (columns !== undefined && columns !== 'all' && !columns.startsWith('@')) parseColumns(columns);
  const mock = flagOption(options, 'mock');
  const baseUrl = stringOption(options, 'baseUrl');
  const profile = stringOption(options, 'profile');
  if (mock && (baseUrl !== undefined || profile !== undefined)) {
    throw new UsageError('--mock cannot be used with --base-url or --profile');
  }
  const from = stringsOption(options, 'from');
  if (from.length > 0 && (mock || baseUrl !== undefined || profile !== undefined))
    throw new UsageError('--from cannot be used with --mock, --base-url or --profile');
  choiceOption(options, 'errorFormat', ERROR_FORMATS);
  if (environment.OPAC_ERROR_FORMAT)
    parseChoice(environment.OPAC_ERROR_FORMAT, ERROR_FORMATS, 'OPAC_ERROR_FORMAT');
  if (flagOption(options, 'quiet') && flagOption(options, 'verbose'))
    throw new UsageError('--quiet and --verbose cannot be used together');
  return {
    profile: profile ?? environment.OPAC_PROFILE,
    baseUrl: baseUrl ?? (profile === undefined ? environment.OPAC_BASE_URL : undefined),
    mock,
    from,
    allowHttp: options.allowHttp === undefined ? undefined : flagOption(options, 'allowHttp'),
    format: choiceOption(options, 'format', formats),
    output: outputs[0],
    outputs,
    columns,
    flat: flagOption(options, 'flat'),
    force: flagOption(options, 'force'),
    timeout: numberOption(options, 'timeout'),
    deadline: durationOption(options, 'deadline'),
    retries: integerOption(options, 'retries'),
    concurrency: integerOption(options, 'concurrency', 1),
    rate: numberOption(options, 'rate'),
    color: options.color === false ? false : undefined,
    quiet: flagOption(options, 'quiet'),
    verbose: flagOption(options, 'verbose'),
    debug: flagOption(options, 'debug'),
    dryRun: flagOption(options, 'dryRun'),
  };
}

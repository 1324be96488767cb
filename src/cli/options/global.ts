/** The options of every command. Users can write them before or after the name of the command. */
import { EXPORT_FORMATS, LISTED_FORMATS } from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import { parseColumns } from '../../service/records/columns.js';
import {
  type CommandInput,
  dropOperands,
  getLongFlag,
  inGroup,
  listFlags,
  type OptionDescription,
  type ValuesOf,
} from '../description/option.js';
import { CONNECTION, OUTPUT_HEADING } from './groups.js';
import { oneOf } from './parse.js';
import { SETTING_OPTIONS } from './settings.js';

export const SCREEN_FORMATS = ['table', 'card'] as const;
export const OUTPUT_FORMATS = [...SCREEN_FORMATS, ...EXPORT_FORMATS] as const;
/** Includes the formats of reports, which only some commands write. */
export const ALL_FORMATS = [...OUTPUT_FORMATS, 'html', 'svg', 'md'] as const;
export type Format = (typeof ALL_FORMATS)[number];

const ERROR_FORMATS = ['text', 'json'] as const;
const MESSAGES = 'Messages and colours:';

export const OUTPUT_OPTIONS = [
  ...inGroup(OUTPUT_HEADING, [
    {
      flags: '-f, --format <name>',
      summary: [...SCREEN_FORMATS, ...LISTED_FORMATS].join(', '),
      defaultText: 'table or card on a terminal, otherwise tsv or json',
      choices: OUTPUT_FORMATS,
      parse: oneOf(ALL_FORMATS),
    },
    {
      flags: '-o, --output <file>',
      summary: 'write to this file when complete; its extension sets the format',
      completes: 'file',
    },
    {
      flags: '--force',
      summary:
        'with -o: replace any existing file, and delete its manifest; export also discards the unfinished export of an earlier run',
    },
    {
      flags: '--columns <names>',
      once: true,
      summary: 'columns in order: id,title,image.url=image_url, or @file, or all',
      completes: 'columns',
      parse: (text: string) => {
        if (text !== 'all' && !text.startsWith('@')) parseColumns(text);
        return text;
      },
    },
    {
      flags: '--flat',
      summary:
        'json and ndjson: write records in one flat format, the same for all kinds and deployments, instead of the original format',
    },
  ]),
] as const satisfies readonly OptionDescription[];

export const BASE_URL_OPTION = {
  group: CONNECTION,
  flags: '--base-url <url>',
  summary: 'URL of the deployment (env: OPAC_BASE_URL)',
} as const satisfies OptionDescription;

export const GLOBAL_OPTIONS = [
  ...OUTPUT_OPTIONS,
  ...inGroup(MESSAGES, [
    { flags: '--no-color', summary: 'disable colours (env: NO_COLOR)' },
    {
      flags: '-q, --quiet',
      summary: 'hide notes, progress and reports of success, but not errors and warnings',
      conflicts: ['--verbose'],
    },
    { flags: '--verbose', summary: 'print details to standard error' },
    { flags: '--debug', summary: 'log requests and the causes of errors, without secrets' },
    {
      flags: '--error-format <name>',
      summary:
        'error format: text, or json for one line of JSON (env: OPAC_ERROR_FORMAT); see: opac help errors',
      choices: ERROR_FORMATS,
    },
  ]),
  {
    group: CONNECTION,
    flags: '-p, --profile <name>',
    summary: 'deployment to use',
    defaultText: 'OPAC_PROFILE, otherwise the current profile',
    completes: 'profile',
  },
  BASE_URL_OPTION,
  ...inGroup(CONNECTION, [
    {
      flags: '--mock',
      summary: 'use the built-in museum, which runs only on this machine',
      conflicts: ['--base-url', '--profile'],
    },
    {
      flags: '--from <file>',
      summary: "read an export (NDJSON, JSON; .gz, .zst), '*.ndjson' or a mirror instead of a deployment",
      completes: 'file',
      repeatable: true,
      conflicts: ['--mock', '--base-url', '--profile'],
    },
  ]),
  ...SETTING_OPTIONS,
  {
    group: CONNECTION,
    flags: '--dry-run',
    summary: 'print the first requests as curl commands, and send nothing',
  },
] as const satisfies readonly OptionDescription[];

type Values = ValuesOf<typeof GLOBAL_OPTIONS>;

export interface GlobalOptions extends Omit<Values, 'allowHttp' | 'color' | 'errorFormat'> {
  readonly allowHttp: boolean | undefined;
  readonly color: false | undefined;
  /** All output files; `[]` for standard output. Only an export can have several. `output` is the first file. */
  readonly outputs: readonly string[];
}

/** Reads `argv` directly, because commander cannot parse an invalid command line. */
export function readErrorFormat(
  argv: readonly string[],
  { OPAC_ERROR_FORMAT }: NodeJS.ProcessEnv,
): string | undefined {
  const flag = '--error-format';
  const words = dropOperands(argv);
  const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return OPAC_ERROR_FORMAT;
  return words[at] === flag ? words[at + 1] : words[at]?.slice(flag.length + 1);
}

/** Omits global options that the command replaces with its own option. Removes one-letter flags that the command uses. */
export function listGlobalOptions(own: readonly OptionDescription[]): OptionDescription[] {
  const used = new Set(own.flatMap(listFlags));
  return GLOBAL_OPTIONS.filter((option) => !used.has(getLongFlag(option))).map((option) =>
    listFlags(option).some((flag) => used.has(flag))
      ? { ...option, flags: option.flags.replace(/^-\w, /, '') }
      : option,
  );
}

/** Returns `[]` for standard output. Throws a UsageError for an empty name, and for `-` with another output. */
function readOutputs({ output }: CommandInput): readonly string[] {
  const outputs = [output].flat().filter((each) => typeof each === 'string');
  if (outputs.includes(''))
    throw new UsageError('invalid value "" for --output', 'give a file, or - for standard output');
  if (!outputs.includes('-')) return outputs;
  if (outputs.length > 1)
    throw new UsageError('-o - cannot be used with another -o', 'standard output can have only one format');
  return [];
}

/** `--profile` takes precedence over `OPAC_BASE_URL`. Throws a UsageError for an invalid `--output` or OPAC_ERROR_FORMAT. */
export function readGlobalOptions(input: CommandInput, environment: NodeJS.ProcessEnv): GlobalOptions {
  const given = { flat: false, force: false, from: [], mock: false, ...input } as unknown as Values;
  const outputs = readOutputs(input);
  const { OPAC_ERROR_FORMAT, OPAC_PROFILE, OPAC_BASE_URL } = environment;
  if (OPAC_ERROR_FORMAT) oneOf(ERROR_FORMATS)(OPAC_ERROR_FORMAT, 'OPAC_ERROR_FORMAT');
  return {
    ...given,
    color: given.color === false ? false : undefined,
    profile: given.profile ?? OPAC_PROFILE,
    baseUrl: given.baseUrl ?? (given.profile === undefined ? OPAC_BASE_URL : undefined),
    output: outputs[0],
    outputs,
  };
}

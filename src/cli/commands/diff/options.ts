/** The options of `opac diff` and `opac <kind> diff`. */
import { basename, extname } from 'node:path';
import { NOISE, type Noise } from '../../../diff/noise.js';
import { formatOfName } from '../../../export/convert/formats.js';
import { UsageError } from '../../../service/errors.js';
import { column } from '../../../service/records/columns.js';
import type { Input, OptionDescription } from '../../command/option.js';
import { OUTPUT } from '../../options/global.js';
import { choiceOption, flagOption, parseChoice, stringOption, stringsOption } from '../../options/read.js';
import { parseSearch, type SearchInput } from '../../options/search.js';

const WHAT = 'What is compared:';
const SHOWN = 'What is shown:';
const RECORD_CHANGES = ['added', 'removed', 'changed'] as const;

export const DIFF_FORMATS = [
  'table',
  'card',
  'tsv',
  'csv',
  'xlsx',
  'json',
  'ndjson',
  'ids',
  'markdown',
  'html',
] as const;
export type DiffFormat = (typeof DIFF_FORMATS)[number];

export const DIFF_OPTIONS: readonly OptionDescription[] = [
  {
    group: WHAT,
    flags: '--ignore <fields>',
    summary: 'fields to leave out: a,b; image is all of every image',
    completes: 'columns',
    repeatable: true,
  },
  {
    group: WHAT,
    flags: '--only <fields>',
    summary: 'compare only these fields',
    completes: 'columns',
    repeatable: true,
  },
  {
    group: WHAT,
    flags: '--where <field=value>',
    summary: 'only records with this phrase, or a line of @file, before or after; repeat to combine with AND',
    completes: 'field=',
    repeatable: true,
  },
  { group: WHAT, flags: '--exact', summary: '--where compares whole values' },
  {
    group: WHAT,
    flags: '--collection <id>',
    summary: 'only records of this collection (id or name), before or after',
  },
  {
    group: WHAT,
    flags: '--noise <names>',
    summary: `what else counts as a change: ${NOISE.join(', ')}, or all`,
  },
  { group: WHAT, flags: '--any-deployment', summary: 'compare exports of two different deployments' },
  {
    group: WHAT,
    flags: '--ask',
    summary: 'ask the deployment for each removed id: withdrawn, or missed by the export',
  },
  { group: SHOWN, flags: '--show <changes>', summary: `only some records: ${RECORD_CHANGES.join(', ')}` },
  {
    group: SHOWN,
    flags: '--context <columns>',
    summary: 'values of other columns beside each change',
    completes: 'columns',
  },
  {
    group: SHOWN,
    flags: '--delta',
    summary: 'ndjson: the whole records that were added or changed, as they are now',
  },
  { group: SHOWN, flags: '--exit-code', summary: 'exit with 9 when records differ' },
  {
    group: OUTPUT,
    flags: '-f, --format <name>',
    summary: `${DIFF_FORMATS.join(', ')} (default: table on a terminal, tsv otherwise)`,
    choices: DIFF_FORMATS,
  },
];

export interface DiffInput {
  readonly files: readonly string[];
  readonly ignore: readonly string[];
  /** None for all. */
  readonly only: readonly string[];
  readonly search: SearchInput;
  readonly include: ReadonlySet<Noise>;
  readonly anyDeployment: boolean;
  readonly ask: boolean;
  readonly show: readonly string[];
  readonly context: readonly string[];
  readonly delta: boolean;
  readonly exitCode: boolean;
}

/** Checks the options; `names` are the arguments that must be there. Throws a UsageError. */
export function parseDiff({ arguments: files, options }: Input, names: readonly string[]): DiffInput {
  const missing = names[files.length];
  if (missing !== undefined) throw new UsageError(`missing required argument "${missing}"`);
  if (stringOption(options, 'columns') !== undefined)
    throw new UsageError(
      '--columns cannot be used with diff',
      'use --only for what is compared, --context for more columns',
    );
  const delta = flagOption(options, 'delta');
  const format = choiceOption(options, 'format', DIFF_FORMATS);
  if (delta && format !== undefined && format !== 'ndjson')
    throw new UsageError('--delta is always ndjson', 'leave out --format');
  const output = stringOption(options, 'output');
  const ending = output === undefined || format !== undefined ? undefined : formatOfEnding(output);
  if (delta && ending !== undefined && ending !== 'ndjson')
    throw new UsageError('--delta is always ndjson', 'write it to a file that ends in .ndjson');
  const context = listOption(options, 'context');
  for (const name of context) column(name);
  return {
    files,
    ignore: listOption(options, 'ignore'),
    only: listOption(options, 'only'),
    search: parseSearch({ arguments: [], options }),
    include: new Set(noise(listOption(options, 'noise'))),
    anyDeployment: flagOption(options, 'anyDeployment'),
    ask: flagOption(options, 'ask'),
    show: listOption(options, 'show').map((name) =>
      parseChoice(name, RECORD_CHANGES, `invalid value "${name}" for --show`),
    ),
    context,
    delta,
    exitCode: flagOption(options, 'exitCode'),
  };
}

/** The formats that are no export's, by the ending of the file. */
const REPORT_ENDINGS: Readonly<Record<string, DiffFormat>> = {
  '.md': 'markdown',
  '.html': 'html',
  '.htm': 'html',
};

/** The format that the ending of the file means; undefined for a name without one. Throws a UsageError for any other ending. */
export function formatOfEnding(file: string): DiffFormat | undefined {
  const plain = basename(file).replace(/(?<=.)\.(gz|zst)$/i, '');
  const ending = extname(plain).toLowerCase();
  const format = REPORT_ENDINGS[ending] ?? DIFF_FORMATS.find((each) => each === formatOfName(plain));
  if (format !== undefined || ending === '') return format;
  throw new UsageError(
    `"${ending}" is not the ending of a format of diff`,
    'use .csv .tsv .xlsx .json .ndjson .ids .md .html (with .gz or .zst behind it), or name the format with -f',
  );
}

function noise(names: readonly string[]): readonly Noise[] {
  if (names.includes('all')) return NOISE;
  return names.map((name) => parseChoice(name, NOISE, `invalid value "${name}" for --noise`));
}

/** Names with commas between them, in an option that may be repeated. */
function listOption(options: Input['options'], name: string): readonly string[] {
  const value = options[name];
  const all = typeof value === 'string' ? [value] : stringsOption(options, name);
  const names = all.flatMap((list) => list.split(',')).map((each) => each.trim());
  if (names.includes('')) throw new UsageError(`--${name} names nothing`);
  return names;
}

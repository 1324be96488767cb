/** The options of `opac diff` and `opac <kind> diff`. */
import { extname } from 'node:path';
import { NOISE } from '../../../diff/noise.js';
import { assertKnownExtension, LISTED_FORMATS } from '../../../export/convert/formats.js';
import { UsageError } from '../../../service/errors.js';
import { parseColumn } from '../../../service/records/columns.js';
import type { Context } from '../../context.js';
import { inGroup, type OptionDescription, type ValuesOf } from '../../description/option.js';
import { OUTPUT_HEADING } from '../../options/groups.js';
import { day, names, someOf } from '../../options/parse.js';
import { COLLECTION_OPTION, EXACT_OPTION, type SearchInput, WHERE_OPTION } from '../../options/search.js';

const COMPARISON_HEADING = 'Comparison:';
const RESULT_HEADING = 'Result:';
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
  'html',
  'md',
] as const;
export type DiffFormat = (typeof DIFF_FORMATS)[number];

export const ANY_DEPLOYMENT_OPTION = {
  group: COMPARISON_HEADING,
  flags: '--any-deployment',
  summary: 'allow exports from different deployments',
} as const satisfies OptionDescription;

export const LOGS_SINCE_OPTION = {
  group: COMPARISON_HEADING,
  flags: '--changed-since <day>',
  summary: 'with a mirror: only changes that opac sync found on or after this day',
  parse: day,
} as const satisfies OptionDescription;

export const REVERSE_OPTION = {
  group: COMPARISON_HEADING,
  flags: '--reverse',
  summary:
    'use the deployment as the old version and the file as the new version, to show the edits in a spreadsheet',
  conflicts: ['--ask'],
} as const satisfies OptionDescription;

export const DIFF_OPTIONS = [
  ...inGroup(COMPARISON_HEADING, [
    {
      flags: '--ignore <fields>',
      summary: 'fields to ignore: a,b; "image" stands for all image data',
      completes: 'columns',
      repeatable: true,
      parse: names,
    },
    {
      flags: '--fields <fields>',
      summary: 'compare only these fields',
      completes: 'columns',
      repeatable: true,
      parse: names,
    },
    {
      ...WHERE_OPTION,
      summary:
        'only records that match in the old or the new version; repeat to combine with AND; @file: any line of the file',
    },
    { ...EXACT_OPTION, summary: 'with --where: match the entire value, not words in it' },
    {
      ...COLLECTION_OPTION,
      summary: 'only records that are in this collection (id or name) in the old or the new version',
    },
    {
      flags: '--noise <names>',
      summary: `also report these differences: ${NOISE.join(', ')}, or all`,
      repeatable: true,
      parse: someOf([...NOISE, 'all']),
    },
    {
      flags: '--ask',
      summary: 'look up each removed id in the deployment, to see whether the record was really removed',
    },
  ]),
  ...inGroup(RESULT_HEADING, [
    {
      flags: '--show <changes>',
      summary: `show only these records: ${RECORD_CHANGES.join(', ')}`,
      repeatable: true,
      parse: someOf(RECORD_CHANGES),
    },
    {
      flags: '--context <columns>',
      summary: 'columns to show with each change',
      completes: 'columns',
      repeatable: true,
      parse: (text: string, where: string) => {
        const columns = names(text, where);
        for (const name of columns) parseColumn(name);
        return columns;
      },
    },
    { flags: '--delta', summary: 'write added and changed records in full, as NDJSON' },
    { flags: '--exit-code', summary: 'exit 9 if records differ' },
  ]),
  {
    group: OUTPUT_HEADING,
    flags: '-f, --format <name>',
    summary: DIFF_FORMATS.join(', '),
    defaultText: 'table on a terminal, tsv otherwise',
    choices: DIFF_FORMATS,
  },
] as const satisfies readonly OptionDescription[];

export interface DiffInput extends ValuesOf<typeof DIFF_OPTIONS> {
  readonly search: SearchInput;
  readonly old: string;
  /** Undefined if opac compares `old` with the deployment, or shows a mirror or a change log. */
  readonly new?: string | undefined;
  readonly anyDeployment?: boolean;
  readonly reverse?: boolean;
}

/** Throws a UsageError for `--delta` with a format other than NDJSON. */
export function checkDelta({ delta }: Pick<DiffInput, 'delta'>, context: Context): void {
  const { format, globalOptions } = context;
  const isNamed = format !== undefined || extname(globalOptions.output ?? '') !== '';
  if (delta && isNamed && findDiffFormat(context) !== 'ndjson')
    throw new UsageError(
      '--delta is always ndjson',
      'remove --format, or write to a file with -o delta.ndjson',
    );
}

/** Throws a UsageError for an unknown file extension. */
export function findDiffFormat({ format, terminal, globalOptions: { output } }: Context): DiffFormat {
  const named = DIFF_FORMATS.find((each) => each === format);
  if (named !== undefined) return named;
  if (output === undefined) return terminal.isTerminal ? 'table' : 'tsv';
  if (/\.html?(\.gz|\.zst)?$/i.test(output)) return 'html';
  if (/\.md(\.gz|\.zst)?$/i.test(output)) return 'md';
  assertKnownExtension(output, LISTED_FORMATS, ['html', 'md']);
  return 'tsv';
}

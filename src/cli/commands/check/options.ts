/** The options of `opac check`. */
import { type Expectations, USUAL_TOLERANCE } from '../../../check/material/expectations.js';
import { UsageError } from '../../../service/errors.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { didYouMean } from '../../../service/nearest.js';
import type { Input, OptionDescription } from '../../command/option.js';
import { durationOption, WAIT_OPTION } from '../../options/duration.js';
import { flagOption, numberOption, stringOption, stringsOption } from '../../options/read.js';
import { parseReport, type ReportTarget } from './report-option.js';

const CHOOSING = 'Which checks:';
const EXPECTING = 'What is expected:';
const REPORTING = 'Reports:';

export const CHECK_OPTIONS: readonly OptionDescription[] = [
  { group: CHOOSING, flags: '--list', summary: 'list the checks and their sources; send no requests' },
  {
    group: CHOOSING,
    flags: '--only <patterns>',
    summary: 'run only these checks: ids, groups or patterns such as paging,search.*',
    repeatable: true,
  },
  { group: CHOOSING, flags: '--skip <patterns>', summary: 'skip these checks', repeatable: true },
  {
    group: EXPECTING,
    flags: '--min <kind=n>',
    summary: 'minimum number of records of a kind: objects=100000',
    repeatable: true,
  },
  {
    group: EXPECTING,
    flags: '--max-latency <duration>',
    summary: 'fail when an endpoint takes longer (p95): 2s, 800ms',
    default: 'warn above 5s',
  },
  {
    group: EXPECTING,
    flags: '--expect-fields <kind=names>',
    summary: 'fields that must be published: objects=accession_no,name',
    repeatable: true,
  },
  {
    group: EXPECTING,
    flags: '--known <file>',
    summary: 'file of accepted deviations, one a line: <check> [until <yyyy-mm-dd>] <reason>',
    completes: 'file',
  },
  {
    group: EXPECTING,
    flags: '--baseline <file>',
    summary: 'compare with the fields, types, views, facets, collections and totals in this file',
    completes: 'file',
  },
  {
    group: EXPECTING,
    flags: '--tolerance <percent>',
    summary: 'warn when fill rates or totals changed by more than this',
    default: USUAL_TOLERANCE,
  },
  {
    group: EXPECTING,
    flags: '--update-baseline',
    summary: 'write the baseline from the deployment as it is now',
  },
  { group: EXPECTING, flags: '--strict', summary: 'count warnings as failures' },
  { ...WAIT_OPTION, group: EXPECTING },
  {
    group: REPORTING,
    flags: '--report <format=file>',
    summary:
      'junit, json, markdown or html to a file (- for standard output); github: annotations and a job summary; repeatable',
    repeatable: true,
  },
  {
    group: REPORTING,
    flags: '--schema',
    summary: 'print the JSON schema of the json report; send no requests',
  },
];

export interface CheckInput {
  readonly list: boolean;
  readonly schema: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Without the baseline, whose file is yet to be read. */
  readonly expectations: Expectations;
  readonly baseline: string | undefined;
  readonly updateBaseline: boolean;
  readonly known: string | undefined;
  readonly strict: boolean;
  readonly wait: number | undefined;
  readonly reports: readonly ReportTarget[];
}

export function parseCheck({ options, arguments: [surplus] }: Input): CheckInput {
  if (surplus !== undefined)
    throw new UsageError(
      `unexpected argument "${surplus}" for "check"`,
      `for some checks only: --only ${surplus}`,
    );
  const split = (name: string) =>
    stringsOption(options, name).flatMap((value) =>
      value
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    );
  const baseline = stringOption(options, 'baseline');
  const updateBaseline = flagOption(options, 'updateBaseline');
  if (updateBaseline && baseline === undefined)
    throw new UsageError('--update-baseline needs a file', 'name it with --baseline baseline.json');
  return {
    baseline,
    updateBaseline,
    list: flagOption(options, 'list'),
    schema: flagOption(options, 'schema'),
    only: split('only'),
    skip: split('skip'),
    expectations: {
      least: new Map(stringsOption(options, 'min').map(parseMinimum)),
      maxLatency: durationOption(options, 'maxLatency'),
      fields: new Map(stringsOption(options, 'expectFields').map(parseFields)),
      baseline: undefined,
      tolerance: numberOption(options, 'tolerance') ?? USUAL_TOLERANCE,
    },
    known: stringOption(options, 'known'),
    strict: flagOption(options, 'strict'),
    wait: durationOption(options, 'wait'),
    reports: stringsOption(options, 'report').map(parseReport),
  };
}

function parseMinimum(value: string): [Kind, number] {
  const [kind, text] = kindAndRest(value, '--min objects=100000');
  if (!/^\d+$/.test(text))
    throw new UsageError(`invalid number "${text}" in --min ${value}`, 'for example: objects=100000');
  return [kind, Number(text)];
}

function parseFields(value: string): [Kind, string[]] {
  const [kind, text] = kindAndRest(value, '--expect-fields objects=accession_no,name');
  return [
    kind,
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  ];
}

function kindAndRest(value: string, example: string): [Kind, string] {
  const [name = '', ...rest] = value.split('=');
  const kind = KINDS.find((each) => each === name);
  if (kind === undefined) throw new UsageError(`"${name}" is no kind of record`, didYouMean(name, KINDS));
  if (rest.join('=') === '')
    throw new UsageError(`"${value}" lacks what comes after the kind`, `for example: ${example}`);
  return [kind, rest.join('=')];
}

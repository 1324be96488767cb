/** The options of `opac check`. */
import { DEFAULT_TOLERANCE_PERCENT, type Expectations } from '../../../check/samples/expectations.js';
import { UsageError } from '../../../service/errors.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { inGroup, type OptionDescription, type Parser, type ValuesOf } from '../../description/option.js';
import { duration, names, oneOf, positiveNumber } from '../../options/parse.js';
import { WAIT_OPTION } from '../../options/wait.js';
import { parseReport } from './report-option.js';

const EXPECTATIONS = 'Expectations:';

type Expectation =
  | { readonly rule: 'latency' | 'tolerance'; readonly value: number }
  | { readonly rule: Kind; readonly value: number | readonly string[] };

/** Parses `objects=100000`, `objects=name,maker_name`, `latency=2s` or `tolerance=10`. */
const parseExpectation: Parser<Expectation> = (text, where) => {
  const [, rule = text, value = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (value === '') throw new UsageError(`"${text}" has no value`, `for example: ${where} objects=100000`);
  if (rule === 'latency') return { rule, value: duration(value, `${where} ${rule}`) };
  if (rule === 'tolerance')
    return { rule, value: positiveNumber(value.replace(/%$/, ''), `${where} ${rule}`) };
  const kind = oneOf([...KINDS, 'latency', 'tolerance'])(rule, where) as Kind;
  return { rule: kind, value: /^\d+$/.test(value) ? Number(value) : names(value, where) };
};

export const CHECK_OPTIONS = [
  ...inGroup('Selecting checks:', [
    { flags: '--list', summary: 'list the checks and their sources without sending requests' },
    {
      flags: '--only <patterns>',
      summary: 'run only these checks: ids, groups or patterns such as paging,search.*',
      repeatable: true,
      parse: names,
    },
    { flags: '--skip <patterns>', summary: 'skip these checks', repeatable: true, parse: names },
  ]),
  ...inGroup(EXPECTATIONS, [
    {
      flags: '--expect <rule>',
      summary: `objects=100000 (minimum number of records), objects=accession_no,name (fields that records must have), latency=2s (95th percentile; default: a warning above 5s), tolerance=10 (maximum difference from the baseline, in percent; default: ${DEFAULT_TOLERANCE_PERCENT}); repeatable`,
      repeatable: true,
      parse: parseExpectation,
    },
    {
      flags: '--known <file>',
      summary: 'file of accepted deviations, one per line: <check> [until <yyyy-mm-dd>] <reason>',
      completes: 'file',
    },
    {
      flags: '--baseline <file>',
      summary: 'compare with the fields, types, views, facets, collections and totals in this file',
      completes: 'file',
    },
    { flags: '--update-baseline', summary: 'write the current state of the deployment to the baseline' },
    { flags: '--fail-on-warning', summary: 'treat warnings as failures' },
  ]),
  { ...WAIT_OPTION, group: EXPECTATIONS },
  {
    group: 'Reports:',
    flags: '--report <format=file>',
    summary:
      'write a junit, json, markdown or html report to a file (- for standard output); github writes annotations and a job summary; repeatable',
    repeatable: true,
    parse: parseReport,
  },
] as const satisfies readonly OptionDescription[];

export type CheckInput = ReturnType<typeof parseCheck>;

export function parseCheck({ expect, ...input }: ValuesOf<typeof CHECK_OPTIONS>) {
  if (input.updateBaseline && input.baseline === undefined)
    throw new UsageError('--update-baseline needs a file', 'name the file with --baseline baseline.json');
  return { ...input, expectations: createExpectations(expect) };
}

/** The baseline is undefined, because `runCheck` reads its file later. */
function createExpectations(rules: readonly Expectation[]): Expectations {
  const minimums = new Map<Kind, number>();
  const fields = new Map<Kind, readonly string[]>();
  let maxLatency: number | undefined;
  let tolerance = DEFAULT_TOLERANCE_PERCENT;
  for (const { rule, value } of rules) {
    if (rule === 'latency') maxLatency = value;
    else if (rule === 'tolerance') tolerance = value;
    else if (typeof value === 'number') minimums.set(rule, value);
    else fields.set(rule, value);
  }
  return { minimums, fields, maxLatency, tolerance, baseline: undefined };
}

/** Known deviations: deviations that a user accepts, with a reason and an optional last day. */
import { UsageError } from '../service/errors.js';
import { didYouMean } from '../service/suggest-name.js';
import type { Check } from './check.js';
import type { CheckResult } from './reports/report-text.js';

export interface KnownDeviation {
  readonly id: string;
  readonly reason: string;
  /** The last day on which the deviation is accepted, such as `2027-01-31`. */
  readonly until: string | undefined;
  /** For example `known.txt line 3`. */
  readonly source: string;
}

const LINE = /^(\S+)\s+(?:until\s+(\S+)\s+)?(\S.*|)$/;

/** A line is `<check id> [until <yyyy-mm-dd>] <reason>`, a comment (`#`) or empty. Throws a UsageError with the line number. */
export function parseKnownDeviations(
  text: string,
  file: string,
  checks: readonly Pick<Check, 'id'>[],
): KnownDeviation[] {
  const ids = checks.map(({ id }) => id);
  return text.split(/\r?\n/).flatMap((line, index) => {
    const source = `${file} line ${index + 1}`;
    const entry = line.replace(/^\uFEFF/, '').trim();
    if (entry === '' || entry.startsWith('#')) return [];
    const [, id = '', until, reason = ''] = LINE.exec(`${entry} `) ?? [];
    if (!ids.includes(id)) throw new UsageError(`${source}: unknown check "${id}"`, didYouMean(id, ids));
    if (until !== undefined && !isDate(until))
      throw new UsageError(`${source}: "${until}" is not a valid date`, 'use the form 2027-01-31');
    if (reason.trim() === '')
      throw new UsageError(
        `${source}: the reason is missing`,
        `for example: ${id} until 2027-01-31 slow disk`,
      );
    return [{ id, reason: reason.trim(), until, source }];
  });
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

/**
 * If there is an entry for the check, `pass` becomes `warn`, and `fail` or `warn` becomes `skip`. If the entry has expired,
 * `fail` and `warn` stay, and the result gets another deviation.
 */
export function applyKnownDeviations(
  result: CheckResult,
  known: readonly KnownDeviation[],
  now: number,
): CheckResult {
  const entry = known.find(({ id }) => id === result.id);
  if (!entry || result.verdict === 'skip') return result;
  const { source, reason, until } = entry;
  const term = until === undefined ? '' : ` until ${until}`;
  const addOutdated = (received: string, entrySource: string) => [
    ...result.deviations,
    { expected: `the known deviation in ${entrySource}: ${reason}`, received, request: null },
  ];
  if (result.verdict === 'pass')
    return {
      ...result,
      verdict: 'warn',
      deviations: addOutdated('the deviation no longer occurs; remove the line from the file', source),
    };
  if (until !== undefined && new Date(now).toISOString().slice(0, 10) > until)
    return { ...result, deviations: addOutdated('the entry has expired', source + term) };
  return { ...result, verdict: 'skip', reason: `known${term}: ${reason}` };
}

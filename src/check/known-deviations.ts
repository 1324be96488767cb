/** Known deviations: accepted by a person, with a reason and perhaps an end. */
import { UsageError } from '../service/errors.js';
import { didYouMean } from '../service/suggest-name.js';
import type { Check } from './check.js';
import type { CheckResult } from './reports/report-text.js';

export interface KnownDeviation {
  readonly id: string;
  readonly reason: string;
  /** The last day on which it is accepted, `2027-01-31`; undefined for no end. */
  readonly until: string | undefined;
  /** `known.txt line 3` */
  readonly source: string;
}

const LINE = /^(\S+)\s+(?:until\s+(\S+)\s+)?(\S.*|)$/;

/**
 * Reads a file of known deviations, one a line: `<check id> [until <yyyy-mm-dd>] <reason>`; `#` begins a comment line.
 * Throws a UsageError that names the line.
 */
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
    if (!ids.includes(id)) throw new UsageError(`${source}: no check is named "${id}"`, didYouMean(id, ids));
    if (until !== undefined && !isDate(until))
      throw new UsageError(`${source}: "${until}" is not a date`, 'write it as 2027-01-31');
    if (reason.trim() === '')
      throw new UsageError(
        `${source}: the reason is missing`,
        `for example: ${id} until 2027-01-31 the cap is lower here`,
      );
    return [{ id, reason: reason.trim(), until, source }];
  });
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

/**
 * The result with what is known of its check: a deviation that is accepted is skipped with the reason, one that no longer occurs
 * is a warning, and so is one whose end has come, beside the deviation itself. `now` is in milliseconds since 1970.
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
  const outdated = (received: string, end = '') => [
    ...result.deviations,
    { expected: `the known deviation of ${source}${end}: ${reason}`, received, request: null },
  ];
  if (result.verdict === 'pass')
    return { ...result, verdict: 'warn', deviations: outdated('it no longer occurs; remove the line') };
  if (until !== undefined && new Date(now).toISOString().slice(0, 10) > until)
    return { ...result, deviations: outdated('its end has come', term) };
  return { ...result, verdict: 'skip', reason: `known${term}: ${reason}` };
}

/** Formats a comparison as text, rows and JSON. */
import {
  createCellFormatter,
  DEFAULT_MULTI,
  type MultiValueRule,
} from '../../records/cells/multi-value-rule.js';
import { formatNumber } from '../../service/format-numbers.js';
import { KIND_KEYS } from '../../service/kinds.js';
import { CHANGE_KINDS } from '../changes.js';
import type { Difference, KindTally, Tally } from '../tally.js';

export interface ReportFacts {
  readonly title: string;
  readonly tally: Tally;
  /** The first differences; the tally counts all differences. */
  readonly differences: readonly Difference[];
  readonly context: readonly string[];
  readonly notCompared?: string | undefined;
}

/** Maximum number of records in a report, so that the page stays readable. */
export const MAX_SHOWN = 2000;
/** A report omits further records after this number of changes. */
export const MAX_SHOWN_CHANGES = 20_000;

/** Returns lines such as `objects: 2 added, 1 removed, 3 changed, 5,103 unchanged`. */
export function formatKindCounts({ kinds, hasTotals }: Tally): string[] {
  return [...kinds].map(([kind, counts]) => `${kind}: ${formatCounts(counts, hasTotals)}`);
}

function formatCounts({ older, added, removed, changed, missed }: KindTally, hasTotals: boolean): string {
  const unchanged = Math.max(0, older - removed - changed);
  const asked = missed > 0 ? ` (${formatNumber(missed)} of them still in the deployment)` : '';
  return `${formatNumber(added)} added, ${formatNumber(removed)} removed${asked}, ${formatNumber(changed)} changed${hasTotals ? `, ${formatNumber(unchanged)} unchanged` : ''}`;
}

/** Returns, for example, `A00005 (object 20022) changed` or `object 7 withdrawn`. */
export function formatChange({ kind, id, accessionNumber, change, asked }: Difference): string {
  const record = `${kind === 'records' && accessionNumber ? 'id' : KIND_KEYS[kind].recordType} ${id}`;
  const name = accessionNumber ? `${accessionNumber} (${record})` : record;
  return `${name} ${asked === 'missed' ? 'missing in the newer export, but still in the deployment' : (asked ?? change)}`;
}

/** Returns for each field one count per item of CHANGE_KINDS. The field with the most changes is first. */
export function countFieldChanges({ fields }: Tally): (readonly [field: string, ...counts: number[]])[] {
  const sum = ([, ...counts]: readonly [string, ...number[]]) => counts.reduce((one, other) => one + other);
  return [...fields]
    .map(([field, counts]) => [field, ...CHANGE_KINDS.map((kind) => counts[kind])] as const)
    .sort((one, other) => sum(other) - sum(one) || (one[0] < other[0] ? -1 : 1));
}

export function createHeaderRow(context: readonly string[]): readonly string[] {
  return ['kind', 'id', 'title', 'record', 'field', 'change', 'old', 'new', ...context];
}

/** Returns one row per field change, or one row for an added or removed record. */
export function formatRows(
  difference: Difference,
  rule: MultiValueRule = DEFAULT_MULTI,
): readonly (readonly string[])[] {
  const print = createCellFormatter(rule);
  const { kind, id, title, change, asked, changes, context } = difference;
  const cells = changes.map((each) => [each.field, each.change, print(each.old), print(each.new)]);
  const more = Object.values(context).map((values) => print(values));
  return (cells.length > 0 ? cells : [['', '', '', '']]).map((row) => [
    ...[kind, id, title, asked ?? change],
    ...row,
    ...more,
  ]);
}

export function serializeDifference({
  kind,
  id,
  title,
  accessionNumber,
  change,
  asked,
  changes,
  context,
}: Difference): string {
  const isContext = Object.keys(context).length > 0;
  return JSON.stringify({
    kind,
    id,
    title,
    accessionNumber,
    change,
    asked,
    changes,
    ...(isContext && { context }),
  });
}

/** What every report of a comparison begins with. */
import { grouped } from '../../service/grouped.js';
import { KIND_WORDS } from '../../service/kinds.js';
import { CHANGE_KINDS } from '../changes.js';
import type { Difference } from '../difference.js';
import { differing, type KindTally, type Tally } from '../tally.js';

export interface ReportFacts {
  readonly older: string;
  readonly newer: string;
  readonly tally: Tally;
  /** The first differences; the tally counts all. */
  readonly differences: readonly Difference[];
  readonly context: readonly string[];
  /** What of the two was not compared, as a sentence. */
  readonly notCompared?: string | undefined;
}

/** Records that a report shows one by one: a page of more is nothing that anybody reads. */
export const MOST_SHOWN = 2000;

/** What a report says before its records. */
export function headLines({ tally, notCompared }: ReportFacts): string[] {
  return [...kindLines(tally), ...(notCompared === undefined ? [] : [notCompared])];
}

/** `objects: 2 added, 1 removed, 3 changed, 5,103 unchanged`. */
export function kindLines({ kinds }: Tally): string[] {
  return [...kinds].map(([kind, counts]) => `${kind}: ${countsText(counts)}`);
}

function countsText({ older, added, removed, changed, missed }: KindTally): string {
  const unchanged = Math.max(0, older - removed - changed);
  const asked = missed > 0 ? ` (${grouped(missed)} of them still in the deployment)` : '';
  return `${grouped(added)} added, ${grouped(removed)} removed${asked}, ${grouped(changed)} changed, ${grouped(unchanged)} unchanged`;
}

/** `object 20022 changed`, `object 7 withdrawn`. */
export function changeText({ kind, id, change, asked }: Difference): string {
  return `${KIND_WORDS[kind].recordType} ${id} ${asked === 'missed' ? 'missed, but still in the deployment' : (asked ?? change)}`;
}

/** The fields that changed, with a count for each kind of change; the most frequent first. */
export function fieldRows({ fields }: Tally): (readonly [field: string, ...counts: number[]])[] {
  return [...fields]
    .map(([field, counts]) => [field, ...CHANGE_KINDS.map((kind) => counts[kind])] as const)
    .sort((one, other) => sum(other) - sum(one) || (one[0] < other[0] ? -1 : 1));
}

export function notShown({ tally, differences }: ReportFacts): number {
  return differing(tally) - differences.length;
}

function sum([, ...counts]: readonly [string, ...number[]]): number {
  return counts.reduce((total, count) => total + count, 0);
}

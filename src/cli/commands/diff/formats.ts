/** How a comparison is written, by format. */
import {
  differenceJson,
  MAX_SHOWN,
  type ReportFacts,
  rowHead,
  rowsOf,
} from '../../../diff/reports/report.js';
import type { Difference } from '../../../diff/tally.js';
import type { Context } from '../../context.js';
import { delimited, jsonArray, sheet } from '../../output/rows.js';
import { jsonForTerminal, textForTerminal } from '../../output/terminal/sanitise.js';
import type { DiffFormat } from './options.js';

export interface DiffOutput extends Omit<ReportFacts, 'differences'> {
  readonly differences: AsyncIterable<Difference>;
}

type Write = (output: DiffOutput, context: Context) => AsyncIterable<string | Uint8Array>;

const WRITERS: Readonly<Record<DiffFormat | 'delta', Write>> = {
  table: cards,
  card: cards,
  csv: (output) => delimited(rows(output, true), 'csv'),
  tsv: (output) => delimited(rows(output, true), 'tsv'),
  xlsx: (output, context) =>
    sheet('changes', { heads: rowHead(output.context), rows: rows(output) }, context),
  ndjson: (output) => mapped(output, (difference) => `${differenceJson(difference)}\n`),
  json: (output) => jsonArray(mapped(output, differenceJson)),
  ids: (output) => mapped(output, ({ id }) => `${id.replace(/[\r\n]+/g, ' ')}\n`),
  html: report,
  delta: (output) =>
    mapped(output, ({ newer }) => (newer?.bytes ? `${newer.bytes.toString().replace(/\n\s*/g, ' ')}\n` : '')),
};

/** The comparison in that format, and what makes it safe on a terminal. */
export function written(format: DiffFormat | 'delta', output: DiffOutput, context: Context) {
  const isJson = format === 'json' || format === 'ndjson' || format === 'delta';
  const clean = isJson ? jsonForTerminal : WRITERS[format] === cards ? undefined : textForTerminal;
  return { texts: WRITERS[format](output, context), clean };
}

async function* mapped({ differences }: DiffOutput, textOf: (difference: Difference) => string) {
  for await (const difference of differences) yield textOf(difference);
}

async function* rows({ differences, context }: DiffOutput, withHead = false) {
  if (withHead) yield rowHead(context);
  for await (const difference of differences) yield* rowsOf(difference);
}

/** A report has its summary first, so all is compared before it is written; it keeps the first records. */
async function* report(output: DiffOutput) {
  const { htmlReport } = await import('../../../diff/reports/html.js');
  const kept: Difference[] = [];
  for await (const difference of output.differences)
    if (kept.length < MAX_SHOWN) kept.push({ ...difference, newer: undefined });
  yield htmlReport({ ...output, differences: kept });
}

async function* cards({ differences, tally }: DiffOutput, { terminal }: Context) {
  const { differenceCard, summary } = await import('./card.js');
  for await (const difference of differences) yield `${differenceCard(difference, terminal)}\n\n`;
  if (tally.differing > 0) yield `${summary(tally, terminal)}\n`;
}

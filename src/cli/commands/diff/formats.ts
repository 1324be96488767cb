/** The writers of `opac diff`: one per output format. */
import { setImmediate } from 'node:timers/promises';
import {
  createHeaderRow,
  formatRows,
  MAX_SHOWN,
  MAX_SHOWN_CHANGES,
  type ReportFacts,
  serializeDifference,
} from '../../../diff/reports/report.js';
import type { Difference } from '../../../diff/tally.js';
import { DEFAULT_MULTI, type MultiValueRule, SHEET_MULTI } from '../../../records/cells/multi-value-rule.js';
import type { FieldLabels } from '../../../service/search/field-labels.js';
import { stripLogCommands } from '../../../system/log-commands.js';
import type { Context } from '../../context.js';
import { formatDelimited, formatJsonArray, formatXlsx } from '../../output/rows.js';
import { escapeJsonForTerminal, replaceUnsafeForTerminal } from '../../output/terminal/sanitize.js';
import type { DiffFormat } from './options.js';

export interface DiffOutput extends Omit<ReportFacts, 'differences'> {
  readonly labels?: FieldLabels;
  readonly differences: AsyncIterable<Difference>;
}

type Write = (output: DiffOutput, context: Context) => AsyncIterable<string | Uint8Array>;

const WRITERS: Readonly<Record<DiffFormat | 'delta', Write>> = {
  table: renderCards,
  card: renderCards,
  csv: (output) => formatDelimited(writeRows(output, true), 'csv'),
  tsv: (output) => formatDelimited(writeRows(output, true), 'tsv'),
  xlsx: (output, context) =>
    formatXlsx(
      'changes',
      { headers: createHeaderRow(output.context), rows: writeRows(output, false, SHEET_MULTI) },
      context,
    ),
  ndjson: (output) => mapDifferences(output, (difference) => `${serializeDifference(difference)}\n`),
  json: (output) => formatJsonArray(mapDifferences(output, serializeDifference)),
  ids: (output) => mapDifferences(output, ({ id }) => `${id.replace(/[\r\n]+/g, ' ')}\n`),
  html: async function* (output) {
    const { createHtmlReport } = await import('../../../diff/reports/html.js');
    yield createHtmlReport(await collectFacts(output));
  },
  md: async function* (output) {
    const { createMarkdownReport } = await import('../../../diff/reports/markdown.js');
    yield createMarkdownReport(await collectFacts(output));
  },
  delta: (output) =>
    mapDifferences(output, ({ newer }) =>
      newer?.bytes ? `${newer.bytes.toString().replace(/\n\s*/g, ' ')}\n` : '',
    ),
};

/** Formats for people show labels. Formats for programs contain field names. */
export function hasLabels(format: DiffFormat | 'delta'): boolean {
  return ['table', 'card', 'html', 'md', 'xlsx'].includes(format);
}

function showLabels({ labels, context, differences, ...output }: DiffOutput): DiffOutput {
  const format = labels?.format ?? ((name: string) => name);
  async function* labelled(): AsyncGenerator<Difference> {
    for await (const difference of differences) {
      const changes = difference.changes.map((each) => ({ ...each, field: format(each.field) }));
      const values = Object.entries(difference.context).map(([name, list]) => [format(name), list]);
      yield { ...difference, changes, context: Object.fromEntries(values) };
    }
  }
  return { ...output, context: context.map(format), differences: labelled() };
}

/** The returned `clean` makes a text safe for a terminal. It is undefined if the texts are already safe. */
export function writeDiff(format: DiffFormat | 'delta', output: DiffOutput, context: Context) {
  const isJson = format === 'json' || format === 'ndjson' || format === 'delta';
  const clean = isJson
    ? escapeJsonForTerminal
    : WRITERS[format] === renderCards
      ? undefined
      : replaceUnsafeForTerminal;
  return { texts: WRITERS[format](hasLabels(format) ? showLabels(output) : output, context), clean };
}

async function* mapDifferences({ differences }: DiffOutput, serialize: (difference: Difference) => string) {
  for await (const difference of differences) yield serialize(difference);
}

async function* writeRows(
  { differences, context }: DiffOutput,
  withHeader = false,
  rule: MultiValueRule = DEFAULT_MULTI,
) {
  if (withHeader) yield createHeaderRow(context);
  for await (const difference of differences) yield* formatRows(difference, rule);
}

/** Reads all differences, so that the tally is complete. Keeps only the first ones, because a report does not list more. */
async function collectFacts(output: DiffOutput): Promise<ReportFacts> {
  const kept: Difference[] = [];
  let changes = 0;
  for await (const difference of output.differences) {
    if (kept.length === MAX_SHOWN || changes > MAX_SHOWN_CHANGES) continue;
    kept.push({ ...difference, newer: undefined });
    changes += difference.changes.length;
  }
  return { ...output, differences: kept };
}

async function* renderCards({ differences, tally }: DiffOutput, { terminal }: Context) {
  const { renderDifferenceCard, renderDiffSummary } = await import('./card.js');
  for await (const difference of differences) {
    // Creating a card may take a second. This pause lets signals and deadlines end the command.
    await setImmediate();
    yield `${stripLogCommands(renderDifferenceCard(difference, terminal))}\n\n`;
  }
  if (tally.countDifferences > 0) yield `${stripLogCommands(renderDiffSummary(tally, terminal))}\n`;
}

/** How a comparison is written, by format. */
import type { Difference } from '../../../diff/difference.js';
import { MOST_SHOWN, type ReportFacts } from '../../../diff/reports/report.js';
import { differenceJson, rowHead, rowsOf } from '../../../diff/reports/rows.js';
import { differing } from '../../../diff/tally.js';
import { CSV, type Dialect, TSV } from '../../../records/cells/delimited.js';
import type { Context } from '../../context.js';
import { isShown } from '../../output/formats.js';
import { jsonForTerminal, textForTerminal } from '../../output/terminal/sanitise.js';
import type { DiffFormat } from './options.js';

export interface DiffOutput extends Omit<ReportFacts, 'differences'> {
  readonly differences: AsyncIterable<Difference>;
}

type Write = (output: DiffOutput, context: Context) => AsyncIterable<string | Buffer>;

const WRITERS: Readonly<Record<DiffFormat | 'delta', Write>> = {
  table: cards,
  card: cards,
  csv: (output) => delimited(output, CSV),
  tsv: (output) => delimited(output, TSV),
  xlsx,
  ndjson: (output) => mapped(output, (difference) => `${differenceJson(difference)}\n`),
  json: async function* ({ differences }) {
    let before = '[\n';
    for await (const difference of differences) {
      yield before + differenceJson(difference);
      before = ',\n';
    }
    yield before === '[\n' ? '[]\n' : '\n]\n';
  },
  ids: (output) => mapped(output, ({ id }) => `${id.replace(/[\r\n]+/g, ' ')}\n`),
  markdown: report(async () => (await import('../../../diff/reports/markdown.js')).markdownReport),
  html: report(async () => (await import('../../../diff/reports/html.js')).htmlReport),
  delta: (output) =>
    mapped(output, ({ newer }) => (newer?.bytes ? `${newer.bytes.toString().replace(/\n\s*/g, ' ')}\n` : '')),
};

/** The comparison in that format; on a terminal without what a terminal would act on. */
export async function* written(format: DiffFormat | 'delta', output: DiffOutput, context: Context) {
  const clean =
    format === 'json' || format === 'ndjson' || format === 'delta' ? jsonForTerminal : textForTerminal;
  const isCleaned = isShown(context) && WRITERS[format] !== cards;
  for await (const piece of WRITERS[format](output, context))
    yield isCleaned && typeof piece === 'string' ? clean(piece) : piece;
}

async function* mapped({ differences }: DiffOutput, textOf: (difference: Difference) => string) {
  for await (const difference of differences) yield textOf(difference);
}

async function* delimited({ differences, context }: DiffOutput, { delimiter, lineEnd, cell }: Dialect) {
  const line = (cells: readonly string[]) => cells.map(cell).join(delimiter) + lineEnd;
  yield line(rowHead(context));
  for await (const difference of differences) for (const row of rowsOf(difference)) yield line(row);
}

async function* xlsx(output: DiffOutput): AsyncGenerator<Buffer> {
  const { xlsxMaker } = await import('../../../export/convert/xlsx.js');
  const rows = (async function* () {
    for await (const difference of output.differences) yield* rowsOf(difference);
  })();
  for await (const piece of xlsxMaker('changes').convert({ heads: rowHead(output.context), rows }))
    yield Buffer.from(piece);
}

/** A report has its summary first, so all is compared before it is written; of the records it keeps the first. */
function report(load: () => Promise<(facts: ReportFacts) => string>): Write {
  return async function* (output) {
    const kept: Difference[] = [];
    for await (const difference of output.differences)
      if (kept.length < MOST_SHOWN) kept.push({ ...difference, older: undefined, newer: undefined });
    yield (await load())({ ...output, differences: kept });
  };
}

async function* cards({ differences, tally }: DiffOutput, { terminal }: Context) {
  const { differenceCard, summary } = await import('./card.js');
  for await (const difference of differences) yield `${differenceCard(difference, terminal)}\n\n`;
  if (differing(tally) > 0) yield `${summary(tally, terminal)}\n`;
}

/** Writes the result of a command in the requested format: data to standard output or a file, notes to standard error. */
import {
  assertFormatWritesTexts,
  assertKnownExtension,
  findFormat,
  LISTED_FORMATS,
} from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import type { Json } from '../../service/json.js';
import { assertUniqueHeaders } from '../../service/records/columns.js';
import type { Context } from '../context.js';
import type { CommandResult, ItemsResult, ValueResult } from '../description/result.js';
import { checkColumns, readColumnNames } from './column-names.js';
import { FORMAT_WRITERS, isPrintable, XLSX_WRITER } from './format-writers.js';
import { isClosedPipe, writeOutput } from './write-output.js';

/** Writes the complete result, then throws its failure, if it has one. */
export async function writeResult(result: CommandResult, context: Context): Promise<void> {
  if (result.kind === 'raw') return writeOutput(context, [result.bytes]);
  if (result.kind === 'value')
    await writeValue(result, context).catch((error) => {
      // If the reader of the output closes the pipe, a check still exits with its own code.
      if (!isClosedPipe(error)) throw error;
    });
  else await writeItems(result, context);
  const failure = result.failure?.();
  if (failure) throw failure;
}

async function writeValue(result: ValueResult, context: Context): Promise<void> {
  const isPiped = !context.terminal.isTerminal || context.globalOptions.output !== undefined;
  const format = context.format ?? (result.isRowInPipe && isPiped ? 'tsv' : undefined);
  const writer = format && isPrintable(format) ? FORMAT_WRITERS[format] : undefined;
  const text = writer ? await writer.value(result) : result.text;
  // An interrupted check still shows its results.
  const signal = context.signal.aborted ? new AbortController().signal : context.signal;
  if (text !== '') await writeOutput({ ...context, signal }, [`${text}\n`], writer?.clean);
  await result.printHint?.();
}

async function writeItems(result: ItemsResult, context: Context): Promise<void> {
  const columns = await readColumnNames(context);
  if (typeof columns === 'object' && !result.table?.sqlNames) assertUniqueHeaders(columns.list);
  const written = { count: 0 };
  const pages = assertColumns(result, columns, written, context);
  const { items, clean } = chooseWriter(result, context);
  const data = items({ result: { ...result, pages }, columns, context });
  await writeOutput(context, data, clean);
  noteEmptyOrMore(result, written.count, context);
  await result.printHint?.(written.count);
}

function chooseWriter(result: ItemsResult, { format, globalOptions, terminal }: Context) {
  const requested = format ?? result.format;
  const { takesColumns: isTable = requested === 'table', isListed, isText } = findFormat(requested) ?? {};
  if (requested && result.table) {
    const takesColumns = globalOptions.columns !== undefined || isTable;
    const flat = globalOptions.flat || requested === 'card';
    assertFormatWritesTexts({ ...result.table, format: requested, flat, takesColumns });
  }
  if (isListed && !isText) {
    if (globalOptions.output === undefined && terminal.isTerminal)
      throw new UsageError(
        `${requested} cannot be shown on a terminal`,
        'write to a file with -o, or use a pipe',
      );
    return XLSX_WRITER;
  }
  if (requested && !isPrintable(requested))
    throw new UsageError(
      `only an export can be written as ${requested}`,
      `for example: opac objects export -o objects.${requested}`,
    );
  if (requested) return FORMAT_WRITERS[requested];
  if (globalOptions.output !== undefined) assertKnownExtension(globalOptions.output, LISTED_FORMATS);
  if (!terminal.isTerminal || globalOptions.output !== undefined) return FORMAT_WRITERS.tsv;
  const isCard = result.isById && globalOptions.columns === undefined && !result.table?.sqlNames;
  return isCard ? FORMAT_WRITERS.card : FORMAT_WRITERS.table;
}

async function* assertColumns(
  result: ItemsResult,
  columns: Awaited<ReturnType<typeof readColumnNames>>,
  written: { count: number },
  { note }: Context,
): AsyncGenerator<readonly Json[]> {
  for await (const page of result.pages) {
    if (written.count === 0 && page.length > 0 && typeof columns === 'object') {
      const { list, table } = columns;
      await checkColumns(result, { names: list.map(({ name }) => name), table, note }, page);
    }
    written.count += page.length;
    yield page;
  }
}

/** Notes that no items were found, or that the service has more. */
function noteEmptyOrMore(result: ItemsResult, written: number, context: Context): void {
  const total = result.total?.();
  if (written === 0) {
    // The message is empty if an id was not found, because the error says so.
    if (result.emptyMessage !== '') context.note(result.emptyMessage);
  } else if (total !== undefined && total > written && result.moreHint !== undefined) {
    const { output } = context.globalOptions;
    const where = output === undefined ? '' : ` records written to ${output}`;
    context.note(`${formatNumber(written)} of ${formatNumber(total)}${where} (${result.moreHint})`);
  }
}

/** Shows the result of a command in the format asked for: data to standard output or a file, remarks to standard error. */
import {
  assertFormatWritesTexts,
  assertKnownExtension,
  findFormat,
  LISTED_FORMATS,
} from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { assertUniqueHeaders } from '../../service/records/columns.js';
import type { Context } from '../context.js';
import type { CommandResult, ItemsResult, ValueResult } from '../description/result.js';
import { checkColumns } from '../options/check-columns.js';
import { readColumnNames } from '../options/column-names.js';
import { FORMAT_WRITERS, isPrintable, XLSX_WRITER } from './format-writers.js';
import { warnOfMockUrls } from './mock-urls.js';
import { count } from './terminal/numbers.js';
import { isClosedPipe, writeOutput } from './write-output.js';

/** Writes the whole result, then throws what went wrong with a part of it. */
export async function writeResult(result: CommandResult, context: Context): Promise<void> {
  if (result.kind === 'raw') return writeOutput(context, whole(result.bytes));
  if (result.kind === 'value')
    await presentValue(result, context).catch((error) => {
      // The verdict of a check is known, and holds without a reader.
      if (!isClosedPipe(error)) throw error;
    });
  else await presentItems(result, context);
  const failure = result.failure?.();
  if (failure) throw failure;
}

async function presentValue(result: ValueResult, context: Context): Promise<void> {
  const isPiped = !context.terminal.isTerminal || context.globalOptions.output !== undefined;
  const format = context.format ?? (result.isRowInPipe && isPiped ? 'tsv' : undefined);
  const writer = format && isPrintable(format) ? FORMAT_WRITERS[format] : undefined;
  const text = writer ? await writer.value(result) : result.text;
  // The results of an interrupted check are shown too.
  const isLate = context.signal.aborted;
  const unhurried = isLate ? { ...context, signal: new AbortController().signal } : context;
  if (text !== '') await writeOutput(unhurried, whole(`${text}\n`), writer?.clean);
  await result.printHint?.();
}

async function presentItems(result: ItemsResult, context: Context): Promise<void> {
  const columns = await readColumnNames(context);
  if (typeof columns === 'object' && !result.table?.sqlNames) assertUniqueHeaders(columns.list);
  const written = { count: 0 };
  const pages = assertColumns(result, columns, written, context);
  const { items, clean } = writerOf(result, context);
  const data = items({ result: { ...result, pages }, columns, context });
  const texts = context.globalOptions.mock ? warnOfMockUrls(data, context) : data;
  await writeOutput(context, texts, clean);
  noteEmptyOrMore(result, written.count, context);
  await result.printHint?.(written.count);
}

function writerOf(result: ItemsResult, { format, globalOptions, terminal }: Context) {
  const asked = format ?? result.format;
  const { takesColumns: isTable = asked === 'table', isListed, isText } = findFormat(asked) ?? {};
  if (asked && result.table) {
    const takesColumns = globalOptions.columns !== undefined || isTable;
    const flat = globalOptions.flat || asked === 'card';
    assertFormatWritesTexts({ ...result.table, format: asked, flat, takesColumns });
  }
  if (isListed && !isText) {
    if (globalOptions.output === undefined && terminal.isTerminal)
      throw new UsageError(`${asked} cannot be shown on a terminal`, 'name a file with -o, or use a pipe');
    return XLSX_WRITER;
  }
  if (asked && !isPrintable(asked)) {
    throw new UsageError(
      `only an export can be written as ${asked}`,
      `for example: opac objects export -o objects.${asked}`,
    );
  }
  if (asked) return FORMAT_WRITERS[asked];
  if (globalOptions.output !== undefined) assertKnownExtension(globalOptions.output, LISTED_FORMATS);
  if (!terminal.isTerminal || globalOptions.output !== undefined) return FORMAT_WRITERS.tsv;
  const isCard = result.isById && globalOptions.columns === undefined && !result.table?.sqlNames;
  return isCard ? FORMAT_WRITERS.card : FORMAT_WRITERS.table;
}

async function* whole<T extends string | Buffer>(text: T): AsyncGenerator<T> {
  yield text;
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

/** Notes what the data cannot show: that there are no items, or more. */
function noteEmptyOrMore(result: ItemsResult, written: number, context: Context): void {
  const total = result.total?.();
  if (written === 0) {
    // An id that was not found is an error with a message of its own.
    if (result.emptyMessage !== '') context.note(result.emptyMessage);
  } else if (total !== undefined && total > written && result.moreHint !== undefined) {
    const { output } = context.globalOptions;
    const where = output === undefined ? '' : ` records written to ${output}`;
    context.note(`${count(written)} of ${count(total)}${where} (${result.moreHint})`);
  }
}

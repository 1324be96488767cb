/** Writes the result of a command in the requested format. */
import {
  assertFormatWritesTexts,
  assertKnownExtension,
  findFormat,
  LISTED_FORMATS,
} from '../../export/convert/formats.js';
import { type OpacError, UsageError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import type { Json } from '../../service/json.js';
import { assertUniqueHeaders } from '../../service/records/columns.js';
import { FieldLabels } from '../../service/search/field-labels.js';
import { stripLogCommands } from '../../system/log-commands.js';
import type { Context } from '../context.js';
import {
  type CommandResult,
  collectItems,
  type ItemsResult,
  type ValueResult,
} from '../description/result.js';
import type { Format } from '../options/global.js';
import { readColumnNames, resolveColumnNames } from './column-names.js';
import { FORMAT_WRITERS, type ItemsWriter, isPrintable, XLSX_WRITER } from './format-writers.js';
import { isClosedPipe, writeOutput } from './write-output.js';

/** Writes the result, then throws its failure if it has one. Writes no file if items are missing. */
export async function writeResult(result: CommandResult, context: Context): Promise<void> {
  if (result.kind === 'raw') return writeOutput(context, [result.bytes]);
  if (result.kind === 'value')
    await writeValue(result, context).catch((error) => {
      // A closed pipe is not an error here, so that a failed check still exits with its own code.
      if (!isClosedPipe(error)) throw error;
    });
  const failure = result.kind === 'items' ? await writeItems(result, context) : result.failure?.();
  if (failure) throw failure;
}

async function writeValue(result: ValueResult, context: Context): Promise<void> {
  const isPiped = !context.terminal.isTerminal || context.globalOptions.output !== undefined;
  const format = context.format ?? (result.isRowInPipe && isPiped ? 'tsv' : undefined);
  const writer = format && isPrintable(format) ? FORMAT_WRITERS[format] : undefined;
  const text = writer ? await writer.value(result) : stripLogCommands(result.text);
  // An interrupted check still shows its results.
  const signal = context.signal.aborted ? new AbortController().signal : context.signal;
  if (text !== '') await writeOutput({ ...context, signal }, [`${text}\n`], writer?.clean);
  await result.printHint?.();
}

/** Returns the failure of the result. With an output file, throws it if items are missing, so that no file is written. */
async function writeItems(result: ItemsResult, context: Context): Promise<OpacError | undefined> {
  const given = await readColumnNames(context);
  const written = { count: 0 };
  const { writer, format } = chooseWriter(result, context);
  const { output: file } = context.globalOptions;
  let failure: OpacError | undefined;
  async function* write() {
    const { first, pages, close } = await readFirstPage(result.pages, written);
    try {
      const columns =
        typeof given === 'object'
          ? { ...given, list: await resolveColumnNames(result, given, context.warn, first) }
          : given;
      if (typeof columns === 'object' && !result.table?.sqlNames) assertUniqueHeaders(columns.list);
      const labels = await fetchLabels(result, given, format);
      yield* writer.items({ result: { ...result, pages }, columns, labels, context });
      if (file === undefined) return;
      await result.printHint?.(written.count);
      failure = result.failure?.();
      if (failure?.kind !== 'incomplete') return;
      context.note(`"${file}" is not written, because the result is incomplete`);
      throw failure;
    } finally {
      await close();
    }
  }
  await writeOutput(context, write(), writer.clean);
  noteEmptyOrMore(result, written.count, context);
  if (file !== undefined) return failure;
  await result.printHint?.(written.count);
  return result.failure?.();
}

function chooseWriter(result: ItemsResult, { format, globalOptions, terminal }: Context) {
  const requested = format ?? result.format;
  const { documents = {} } = result;
  const renderDocument = requested === 'html' || requested === 'svg' ? documents[requested] : undefined;
  if (renderDocument) {
    if (globalOptions.columns !== undefined)
      throw new UsageError(`${requested} has no columns`, 'remove --columns');
    const items: ItemsWriter = async function* ({ result: { pages } }) {
      yield await renderDocument(await collectItems(pages));
    };
    return { writer: { items, clean: undefined }, format: undefined };
  }
  const { takesColumns: isTable = requested === 'table', isListed, isText } = findFormat(requested) ?? {};
  if (requested && result.table) {
    const writesColumns = globalOptions.columns !== undefined || isTable;
    const flat = globalOptions.flat || requested === 'card';
    assertFormatWritesTexts({ ...result.table, format: requested, flat, takesColumns: writesColumns });
  }
  if (isListed && !isText) {
    if (globalOptions.output === undefined && terminal.isTerminal)
      throw new UsageError(
        `${requested} cannot be shown on a terminal`,
        'write to a file with -o, or use a pipe',
      );
    return { writer: XLSX_WRITER, format: requested };
  }
  const choose = (name: keyof typeof FORMAT_WRITERS) => ({ writer: FORMAT_WRITERS[name], format: name });
  if (requested && isPrintable(requested)) return choose(requested);
  if (requested)
    throw new UsageError(`this result cannot be written as ${requested}`, 'choose another format with -f');
  if (globalOptions.output !== undefined)
    assertKnownExtension(globalOptions.output, LISTED_FORMATS, Object.keys(documents));
  if (!terminal.isTerminal || globalOptions.output !== undefined) return choose('tsv');
  const isCard = result.isById && globalOptions.columns === undefined && !result.table?.sqlNames;
  return choose(isCard ? 'card' : 'table');
}

type GivenColumns = Awaited<ReturnType<typeof readColumnNames>>;

/** Returns the first page that has items, and `pages`, which begins with this page and counts the items in `written`. */
async function readFirstPage(all: AsyncIterable<readonly Json[]>, written: { count: number }) {
  const others = all[Symbol.asyncIterator]();
  let next = await others.next();
  while (!next.done && next.value.length === 0) next = await others.next();
  async function* pages(): AsyncGenerator<readonly Json[]> {
    for (; !next.done; next = await others.next()) {
      written.count += next.value.length;
      yield next.value;
    }
  }
  return { first: next.done ? [] : next.value, pages: pages(), close: async () => others.return?.() };
}

async function fetchLabels(
  { table, fields }: ItemsResult,
  given: GivenColumns,
  format: Format | undefined,
): Promise<FieldLabels | undefined> {
  const hasOwnHeaders = typeof given === 'object' && given.table !== undefined;
  const isDefault = (format === 'xlsx' && !hasOwnHeaders && !table?.sqlNames) || (format === 'card' && table);
  return fields && (table?.labels ?? isDefault) ? new FieldLabels(await fields()) : undefined;
}

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

/** Shows what a command gave back, in the format asked for: data to standard output or a file, remarks to standard error. */
import { jsonOf } from '../../export/formats.js';
import { type OpacError, UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { type CommandResult, type ItemsResult, isRawResult, isValueResult } from '../command/result.js';
import type { Context } from '../context.js';
import { checkColumns } from '../options/check-columns.js';
import { readColumnNames } from '../options/column-names.js';
import { FORMAT_WRITERS, isPrintable, type Presentation, plain, type Writer } from './formats.js';
import { count } from './terminal/numbers.js';
import { writeAll } from './write.js';

/** Writes a listing out whole. Throws what went wrong with a part of it when the rest is out. */
export async function present(listing: CommandResult, context: Context): Promise<void> {
  if (isRawResult(listing)) return writeAll(context, text(listing.bytes));
  if (isValueResult(listing)) {
    const json = jsonOf(context.format);
    const whole = json
      ? JSON.stringify(listing.json, null, json === 'array' ? listing.indent : undefined)
      : listing.text;
    if (whole !== '') await writeAll(context, text(`${whole}\n`));
    throwIfAny(listing.failure?.());
    return;
  }
  const shown = { count: 0 };
  const presentation: Presentation = {
    listing: { ...listing, pages: checked(listing, context, shown) },
    columns: await readColumnNames(context),
    context,
  };
  await writeAll(context, writerOf(listing, context)(presentation));
  remark(listing, shown.count, context);
  throwIfAny(listing.failure?.());
}

function throwIfAny(failure: OpacError | undefined): void {
  if (failure) throw failure;
}

function writerOf(listing: ItemsResult, context: Context): Writer {
  const format = context.format ?? listing.format;
  if (format && !isPrintable(format)) {
    throw new UsageError(
      `only an export can be written as ${format}`,
      `for example: opac objects export -o objects.${format}`,
    );
  }
  if (format) return FORMAT_WRITERS[format];
  if (listing.plain && context.settings.columns === undefined) return plain;
  if (!context.terminal.isTerminal || context.settings.output !== undefined) return FORMAT_WRITERS.tsv;
  return listing.byId ? FORMAT_WRITERS.card : FORMAT_WRITERS.table;
}

async function* text<T extends string | Buffer>(whole: T): AsyncGenerator<T> {
  yield whole;
}

/** The pages as they come, counted, with the first one held against the columns asked for. */
async function* checked(
  listing: ItemsResult,
  context: Context,
  shown: { count: number },
): AsyncGenerator<readonly Json[]> {
  const columns = await readColumnNames(context);
  for await (const page of listing.pages) {
    if (shown.count === 0 && page.length > 0 && Array.isArray(columns))
      await checkColumns(listing, columns, page);
    shown.count += page.length;
    yield page;
  }
}

/** Says what the data cannot say of itself: that there is none, or that this is not all. */
function remark(listing: ItemsResult, shown: number, context: Context): void {
  const total = listing.total?.();
  if (shown === 0) context.note(listing.nothing);
  else if (total !== undefined && total > shown && listing.more !== undefined) {
    context.note(`${count(shown)} of ${count(total)} (${listing.more})`);
  }
}

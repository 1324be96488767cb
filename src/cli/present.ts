/** Shows what a command gave back, in the format asked for: data to standard output or a file, remarks to standard error. */
import { type OpacError, UsageError } from '../service/errors.js';
import type { Json } from '../service/json.js';
import { nearest } from '../service/nearest.js';
import type { Context } from './context.js';
import { FORMAT_WRITERS, type Presentation, plain, type Writer } from './formats.js';
import { type Items, isStatement, type Listing } from './listing.js';
import { count } from './output/numbers.js';
import { writeAll } from './write.js';

/** Writes a listing out whole. Throws what went wrong with a part of it when the rest is out. */
export async function present(listing: Listing, context: Context): Promise<void> {
  if (isStatement(listing)) {
    const asJson = context.format === 'json' || context.format === 'ndjson';
    const whole = asJson ? JSON.stringify(listing.json) : listing.text;
    if (whole !== '') await writeAll(context, text(`${whole}\n`));
    throwIfAny(listing.failure?.());
    return;
  }
  const shown = { count: 0 };
  const presentation: Presentation = {
    listing: { ...listing, pages: checked(listing, context, shown) },
    columns: await columnNames(context),
    context,
  };
  await writeAll(context, writerOf(listing, context)(presentation));
  remark(listing, shown.count, context);
  throwIfAny(listing.failure?.());
}

function throwIfAny(failure: OpacError | undefined): void {
  if (failure) throw failure;
}

function writerOf(listing: Items, context: Context): Writer {
  if (context.format) return FORMAT_WRITERS[context.format];
  if (listing.plain && context.settings.columns === undefined) return plain;
  if (!context.terminal.isTerminal || context.settings.output !== undefined) return FORMAT_WRITERS.tsv;
  return listing.byId ? FORMAT_WRITERS.card : FORMAT_WRITERS.table;
}

async function* text(whole: string): AsyncGenerator<string> {
  yield whole;
}

/** The columns asked for: `all`, the names given or those in a file; undefined when nothing was asked. */
async function columnNames({
  settings: { columns },
  readText,
}: Context): Promise<readonly string[] | 'all' | undefined> {
  if (columns === undefined || columns === 'all') return columns;
  const list = columns.startsWith('@') ? await readText(columns.slice(1)) : columns;
  const names = list
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0)
    throw new UsageError(`there are no column names in "${columns}"`, 'see: opac help columns');
  return names;
}

/** The pages as they come, counted, with the first one held against the columns asked for. */
async function* checked(
  listing: Items,
  context: Context,
  shown: { count: number },
): AsyncGenerator<readonly Json[]> {
  const columns = await columnNames(context);
  for await (const page of listing.pages) {
    if (shown.count === 0 && page.length > 0 && Array.isArray(columns))
      await checkColumns(listing, columns, page);
    shown.count += page.length;
    yield page;
  }
}

/** Refuses a column that neither these items have nor the deployment publishes. Throws a UsageError with the nearest name. */
async function checkColumns(
  { sheet, fields, rows }: Items,
  names: readonly string[],
  items: readonly Json[],
): Promise<void> {
  const seen = rows ? items.flatMap(rows) : items;
  if (seen.length === 0 || sheet.unknown(names, seen, []).length === 0) return;
  const published = (await fields?.()) ?? [];
  const [wrong] = sheet.unknown(names, seen, published);
  if (wrong === undefined) return;
  const known = [...new Set([...sheet.every(seen, true).map(({ name }) => name), ...published])];
  const near = nearest(wrong, known);
  throw new UsageError(
    `there is no column "${wrong}"`,
    near
      ? `did you mean "${near}"?`
      : `there is ${known.slice(0, 12).join(', ')}${known.length > 12 ? ' …' : ''}`,
  );
}

/** Says what the data cannot say of itself: that there is none, or that this is not all. */
function remark(listing: Items, shown: number, context: Context): void {
  const total = listing.total?.();
  if (shown === 0) context.note(listing.nothing);
  else if (total !== undefined && total > shown && listing.more !== undefined) {
    context.note(`${count(shown)} of ${count(total)} (${listing.more})`);
  }
}

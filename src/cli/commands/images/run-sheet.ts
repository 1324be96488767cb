/** Makes a contact sheet for the person: gathers the images, writes the file, says what is missing. */
import { DEFAULT_CONCURRENCY } from '../../../client/defaults.js';
import { type ImageRow, rowsWithin } from '../../../images/image-row.js';
import { type RowColumn, refuseUnknownFields } from '../../../images/row-columns.js';
import type { Card } from '../../../images/sheet/card.js';
import { contactSheet } from '../../../images/sheet/sheet.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { counted } from '../../../service/grouped.js';
import { recordKind } from '../../../service/records/record.js';
import type { Context } from '../../context.js';
import { count } from '../../output/terminal/numbers.js';
import { writeAll } from '../../output/write.js';
import { pageOf } from '../open/page-of.js';
import { publicPage } from '../open/public-page.js';
import { publishedFields } from '../search/pages.js';
import { exportProgress } from '../search/progress.js';
import { type FoundRecords, findRecords, type ImageSearch } from './search.js';

export interface SheetInput {
  readonly search: ImageSearch;
  readonly named: RowColumn;
  readonly isNameAsked: boolean;
  readonly groupBy: RowColumn | undefined;
  readonly title: string | undefined;
  readonly byColor: boolean;
  readonly link: boolean;
}

/** Throws an OpacError of kind `incomplete` when a thumbnail could not be had, or the search did not end. */
export async function runSheet(context: Context, input: SheetInput): Promise<void> {
  const { settings, signal, note, terminal } = context;
  if (settings.output === undefined && terminal.isTerminal && !settings.dryRun)
    throw new UsageError('a contact sheet is for a browser', 'name a file with -o sheet.html');
  const found = await findRecords(context, input.search);
  const cards = await cardsOf(context, input, found);
  if (context.dryRunLog) return;
  const client = await context.client();
  const missing: { readonly card: Card; readonly reason: string }[] = [];
  const progress = exportProgress(context);
  await writeAll(
    context,
    contactSheet(cards, {
      ...input,
      title: input.title ?? titleOf(input.search),
      grouped: input.groupBy !== undefined,
      client,
      concurrency: settings.concurrency ?? DEFAULT_CONCURRENCY,
      signal,
      onProgress: progress.update,
      onMissing: (card, reason) => void missing.push({ card, reason }),
    }),
  ).finally(progress.done);
  const where = settings.output === undefined ? '' : ` in ${settings.output}`;
  if (cards.length === 0) note('no matching records have images');
  else note(`${counted(cards.length, 'image')}${where}`);
  const [first] = missing;
  if (first) {
    const { recordType, id } = first.card.row.record;
    throw new OpacError(
      'incomplete',
      `${count(missing.length)} of ${count(cards.length)} thumbnails could not be had; the first: ${recordType} ${id}: ${first.reason}`,
      { hint: 'each has its reason in its place on the sheet' },
    );
  }
  const failure = found.failure();
  if (failure) throw failure;
}

async function cardsOf(context: Context, input: SheetInput, { pages }: FoundRecords): Promise<Card[]> {
  const { named, isNameAsked, groupBy, search } = input;
  const site = await pageOf(context);
  const cards: Card[] = [];
  const seen = new Set<string>();
  for await (const row of rowsWithin(pages, search.paging.offset, search.paging.limit)) {
    for (const field of row.record.fields.keys()) seen.add(field);
    const name = named.values(row).join('; ');
    const group = groupBy?.values(row).join('; ') ?? '';
    cards.push({ row, name, group, page: publicPageOf(row, site) });
  }
  const asked = [...(isNameAsked ? [named] : []), ...(groupBy ? [groupBy] : [])];
  if (cards.length > 0) await refuseUnknownFields(asked, seen, () => publishedFields(context, search.kind));
  return cards;
}

function publicPageOf({ record }: ImageRow, site: Awaited<ReturnType<typeof pageOf>>): string | undefined {
  const { id, slug } = record;
  const kind = recordKind(record.raw);
  if (!kind || id === '') return undefined;
  return publicPage(site.pattern, { base_url: site.baseUrl, kind, id, slug: slug || id });
}

function titleOf({ kind, search: { terms } }: ImageSearch): string {
  const where = (terms.where ?? []).map(({ field, value }) => `${field} ${value}`);
  const collection = terms.collection ? [`collection ${terms.collection}`] : [];
  const asked = [...(terms.text ?? []), ...where, ...collection].join(', ');
  return `Images of ${kind}${asked === '' ? '' : `: ${asked}`}`;
}

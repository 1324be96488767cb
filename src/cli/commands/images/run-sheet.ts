/** Creates a contact sheet, and reports missing thumbnails. */
import { DEFAULT_CONCURRENCY } from '../../../client/defaults.js';
import { assertKnownFields, type ImageColumn, parseImageColumn } from '../../../images/image-columns.js';
import { type ImageRow, selectImageRows } from '../../../images/image-row.js';
import type { RightsEntry } from '../../../images/rights/rights-rule.js';
import type { Card } from '../../../images/sheet/card.js';
import { renderContactSheet } from '../../../images/sheet/sheet.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import { readRecordKind } from '../../../service/records/record.js';
import type { Context } from '../../context.js';
import { count } from '../../output/terminal/numbers.js';
import { writeOutput } from '../../output/write-output.js';
import { formatPublicPageUrl, resolvePublicPagePattern } from '../open/public-page.js';
import { formatTitle } from '../search/describe-search.js';
import { createReadProgress } from '../search/progress.js';
import { fetchFieldNames } from '../search/search-pages.js';
import {
  createImageColumnResolver,
  type FoundRecords,
  findRecords,
  formatRefusal,
  type ImageSearch,
  noteNoImages,
  resolveRights,
} from './search.js';

export interface SheetInput {
  readonly search: ImageSearch;
  readonly rights: readonly RightsEntry[];
  readonly nameColumn: ImageColumn;
  readonly isNameFieldGiven: boolean;
  readonly groupBy: ImageColumn | undefined;
  readonly title: string | undefined;
  readonly byColor: boolean;
  readonly link: boolean;
}

/** Throws an OpacError of kind `incomplete` if thumbnails could not be downloaded or the search is incomplete. */
export async function runSheet(context: Context, input: SheetInput): Promise<void> {
  const { globalOptions, signal, note } = context;
  const { kind, search } = input.search;
  const found = await findRecords(context, input.search);
  const { cards, refusals } = await collectCards(context, input, found);
  if (context.dryRunLog) return;
  const client = await context.client();
  const missing: { readonly card: Card; readonly reason: string }[] = [];
  const progress = createReadProgress(context);
  await writeOutput(
    context,
    renderContactSheet(cards, {
      ...input,
      title:
        input.title ??
        formatTitle(`Images of ${kind}`, { ...search, facets: [...search.facets, ...input.rights] }),
      grouped: input.groupBy !== undefined,
      client,
      concurrency: globalOptions.concurrency ?? DEFAULT_CONCURRENCY,
      signal,
      onProgress: progress.update,
      onMissing: (card, reason) => void missing.push({ card, reason }),
    }),
  ).finally(progress.done);
  const where = globalOptions.output === undefined ? '' : ` in ${globalOptions.output}`;
  const [refusal] = refusals;
  if (refusal !== undefined && cards.length === 0) note(formatRefusal(refusal));
  else if (cards.length === 0) await noteNoImages(context, kind, found);
  else note(`${formatCount(cards.length, 'image')}${where}`);
  if (refusals.length > 0) note(`${formatCount(refusals.length, 'image')} skipped because of --rights`);
  const [first] = missing;
  if (first) {
    const { recordType, id } = first.card.row.record;
    throw new OpacError(
      'incomplete',
      `${count(missing.length)} of ${count(cards.length)} thumbnails could not be downloaded; first error: ${recordType} ${id}: ${first.reason}`,
      { hint: 'the sheet shows the reason for each; run the command again to retry' },
    );
  }
  const failure = found.failure();
  if (failure) throw failure;
}

async function collectCards(
  context: Context,
  input: SheetInput,
  { pages, isWanted }: FoundRecords,
): Promise<{ readonly cards: readonly Card[]; readonly refusals: readonly string[] }> {
  const { isNameFieldGiven, search } = input;
  const resolve = createImageColumnResolver(context, search.kind);
  const nameColumn = isNameFieldGiven ? await resolve(input.nameColumn) : input.nameColumn;
  const groupBy = input.groupBy && (await resolve(input.groupBy));
  const site = await resolvePublicPagePattern(context);
  const rights = await resolveRights(context, search.kind, input.rights);
  const cards: Card[] = [];
  const refusals: string[] = [];
  const seen = new Set<string>();
  for await (const row of selectImageRows(pages, isWanted, search.paging.offset, search.paging.limit)) {
    for (const field of row.record.fields.keys()) seen.add(field);
    for (const key of row.image.attributes.keys()) seen.add(`image@${key}`);
    const verdict = rights?.evaluate(row);
    if (verdict && !verdict.allowed) {
      refusals.push(verdict.reason);
      continue;
    }
    const name = nameColumn.values(row).join('; ');
    const group = groupBy?.values(row).join('; ') ?? '';
    cards.push({ row, name, group, page: formatRecordPageUrl(row, site) });
  }
  const asked = [
    ...(isNameFieldGiven ? [nameColumn] : []),
    ...(groupBy ? [groupBy] : []),
    ...(rights?.fields ?? []).map(parseImageColumn),
  ];
  if (seen.size > 0) await assertKnownFields(asked, seen, () => fetchFieldNames(context, search.kind));
  return { cards, refusals };
}

function formatRecordPageUrl(
  { record }: ImageRow,
  site: Awaited<ReturnType<typeof resolvePublicPagePattern>>,
): string | undefined {
  const { id, slug } = record;
  const kind = readRecordKind(record.raw);
  if (!kind || id === '') return undefined;
  return formatPublicPageUrl(site.pattern, { base_url: site.baseUrl, kind, id, slug: slug || id });
}

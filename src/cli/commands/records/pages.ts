/** Searches a deployment: the pages of records that match, how many there are, which fields it publishes. */
import { countOf, pagesOf } from '../../../client/paging/pages.js';
import type { PagingReport } from '../../../client/paging/report.js';
import { OpacError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { KIND_WORDS, type Kind } from '../../../service/kinds.js';
import { idBatches } from '../../../service/search/id-batches.js';
import { type QueryParameters, type RecordSearch, searchParameters } from '../../../service/search/search.js';
import { type ItemsResult, onePage } from '../../command/result.js';
import type { Context } from '../../context.js';
import { askPlannedPages } from '../../dry-run/planned-pages.js';
import type { PagingInput } from '../../options/search.js';
import { fieldsOfViews } from '../items/view-fields.js';
import type { ResolvedSearch } from './resolve.js';

type Matches = Pick<ItemsResult, 'pages' | 'total' | 'failure'>;

/** The records that match, page by page, in the order of the service, each once. */
export async function matchingPages(
  context: Context,
  kind: Kind,
  search: ResolvedSearch,
  paging: PagingInput,
): Promise<Matches> {
  const { externalIds } = search;
  if (externalIds === undefined) return walk(context, `${kind}.search`, searchParameters(search), paging);
  const batches = idBatches(externalIds, search.terms).map((ids) => ({
    ...search,
    terms: { ...search.terms, externalIds: ids },
  }));
  const totals: number[] = [];
  let failure: OpacError | undefined;
  async function* pages(): AsyncGenerator<readonly Json[]> {
    // The offset and the limit are those of the whole list, so they are counted across the batches.
    let skip = paging.offset;
    let left = paging.limit ?? Number.POSITIVE_INFINITY;
    for (const batch of batches) {
      if (left <= 0) return;
      const limit = Number.isFinite(left) ? skip + left : undefined;
      const part = await walk(context, `${kind}.search`, searchParameters(batch), {
        ...paging,
        offset: 0,
        limit,
      });
      for await (const page of part.pages) {
        const wanted = page.slice(skip);
        skip -= page.length - wanted.length;
        left -= wanted.length;
        yield wanted;
      }
      totals.push(part.total?.() ?? 0);
      failure ??= part.failure?.();
    }
  }
  return {
    pages: pages(),
    total: () =>
      totals.length === batches.length ? totals.reduce((sum, total) => sum + total, 0) : undefined,
    failure: () => failure,
  };
}

/** The records of a list endpoint that can be paged, page by page. */
export async function walk(
  context: Context,
  endpointId: string,
  query: QueryParameters,
  paging: PagingInput,
): Promise<Matches> {
  const client = await context.client();
  if (context.dryRunLog) {
    await askPlannedPages(client, context.dryRunLog, endpointId, query, paging);
    return { pages: onePage([]) };
  }
  const walked = pagesOf(
    client,
    endpointId,
    { query, signal: context.signal },
    { ...paging, concurrency: context.settings.concurrency },
  );
  async function* pages(): AsyncGenerator<readonly Json[]> {
    for await (const page of walked) yield page.records.map(({ record }) => record);
    for (const { message } of walked.report.notices) context.detail(message);
  }
  return {
    pages: pages(),
    total: () => walked.report.lastTotal,
    failure: () => incomplete(walked.report, paging.offset),
  };
}

/** The error for a walk that could not establish that it got everything. */
function incomplete(
  { stopReason, missing, gaps, distinct, lastTotal }: PagingReport,
  offset: number,
): OpacError | undefined {
  if (stopReason === 'offset-ignored') {
    return new OpacError('incomplete', 'this deployment ignores offset, so only its first page can be had', {
      hint: 'narrow the search until it fits in one page',
    });
  }
  if (missing === 0 && gaps.length === 0) return undefined;
  const promised = Math.max(0, (lastTotal ?? 0) - offset);
  return new OpacError('incomplete', `${distinct} of ${promised} records came, ${missing} are missing`, {
    hint: 'try again, or use export, which fills gaps and names what is missing',
  });
}

/** How many records match, asked with limit=0. */
export async function countMatches(
  context: Context,
  kind: Kind,
  { externalIds, ...search }: ResolvedSearch,
): Promise<number> {
  const searches: readonly RecordSearch[] =
    externalIds === undefined
      ? [search]
      : idBatches(externalIds, search.terms).map((ids) => ({
          ...search,
          terms: { ...search.terms, externalIds: ids },
        }));
  const client = await context.client();
  let sum = 0;
  for (const each of searches) {
    const total = await countOf(client, `${kind}.search`, {
      query: searchParameters(each),
      signal: context.signal,
    });
    if (total === undefined) {
      throw new OpacError('deployment', `the service gave no ${KIND_WORDS[kind].totalKey} for ${kind}`, {
        hint: `count them with: opac ${kind} list --all -f ids | wc -l`,
      });
    }
    sum += total;
  }
  return sum;
}

/** The fields that the views of a kind name, `[]` when the deployment does not tell. */
export async function publishedFields(context: Context, kind: Kind): Promise<readonly string[]> {
  return fieldsOfViews(context, kind).catch(() => []);
}

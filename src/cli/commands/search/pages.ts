/** Searches a deployment: the pages of records that match, how many there are, which fields it publishes. */
import { countOf, pagesOf } from '../../../client/paging/pages.js';
import { inOrder } from '../../../client/paging/prefetch.js';
import type { PagingReport } from '../../../client/paging/report.js';
import { OpacError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { KIND_WORDS, type Kind } from '../../../service/kinds.js';
import { MOST_IDS, splitByIds } from '../../../service/search/id-batches.js';
import { type QueryParameters, type RecordSearch, searchParameters } from '../../../service/search/search.js';
import { type ItemsResult, onePage } from '../../command/result.js';
import type { Context } from '../../context.js';
import { askPlannedPages } from '../../dry-run/planned-pages.js';
import type { PagingInput } from '../../options/search.js';
import { fieldsOfViews } from '../items/view-fields.js';

type Matches = Pick<ItemsResult, 'pages' | 'total' | 'failure'>;

/** The records that match, page by page, in the order of the service, each once. */
export async function matchingPages(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  paging: PagingInput,
): Promise<Matches> {
  const endpointId = `${kind}.search`;
  const queries = splitByIds(search).map(searchParameters);
  if (queries.length === 1) return endpointPages(context, endpointId, queries.flat(), paging);
  return pagesOfParts(context, endpointId, queries, paging);
}

/** The records of several queries as one list, in the order of the queries; so many are asked for ahead as the limit needs. */
function pagesOfParts(
  context: Context,
  endpointId: string,
  queries: readonly QueryParameters[],
  paging: PagingInput,
): Matches {
  const parts: Matches[] = [];
  async function* pages(): AsyncGenerator<readonly Json[]> {
    // The offset and the limit are those of the whole list of ids, so they are counted across its requests.
    let skip = paging.offset;
    let left = paging.limit ?? Number.POSITIVE_INFINITY;
    let asked = 0;
    const waiting = queries.values();
    const next = (signal: AbortSignal) => {
      if (asked - parts.length >= Math.ceil((skip + left) / MOST_IDS)) return undefined;
      const { value: query } = waiting.next();
      if (!query) return undefined;
      asked++;
      const limit = Number.isFinite(left) ? skip + left : undefined;
      return wholePart({ ...context, signal }, endpointId, query, { ...paging, offset: 0, limit });
    };
    const { settings, signal, dryRunLog } = context;
    const concurrency = dryRunLog ? 1 : settings.concurrency;
    for await (const { part, records } of inOrder({ concurrency, next, signal })) {
      const wanted = records.slice(skip).slice(0, left);
      skip -= Math.min(skip, records.length);
      left -= wanted.length;
      parts.push(part);
      yield wanted;
    }
  }
  return {
    pages: pages(),
    total: () =>
      parts.length === queries.length
        ? parts.reduce((sum, { total }) => sum + (total?.() ?? 0), 0)
        : undefined,
    failure: () => parts.map(({ failure }) => failure?.()).find((failure) => failure !== undefined),
  };
}

async function wholePart(context: Context, endpointId: string, query: QueryParameters, paging: PagingInput) {
  const part = await endpointPages(context, endpointId, query, paging);
  const records: Json[] = [];
  for await (const page of part.pages) records.push(...page);
  return { part, records };
}

/** The records of a list endpoint that can be paged, page by page. */
export async function endpointPages(
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
  const paginator = pagesOf(
    client,
    endpointId,
    { query, signal: context.signal },
    { ...paging, concurrency: context.settings.concurrency },
  );
  const { report } = paginator;
  async function* pages(): AsyncGenerator<readonly Json[]> {
    for await (const page of paginator) yield page.records.map(({ record }) => record);
    for (const { message } of report.notices) context.detail(message);
  }
  return {
    pages: pages(),
    total: () => report.lastTotal,
    failure: () => incomplete(report, paging.offset),
  };
}

/** The error when it could not be established that every record was received. */
function incomplete({ stopReason, missing, lastTotal }: PagingReport, offset: number): OpacError | undefined {
  if (stopReason === 'offset-ignored') {
    return new OpacError(
      'incomplete',
      'this deployment ignores offset, so only the first page can be received',
      { hint: 'narrow the search until it fits in one page' },
    );
  }
  if (missing === 0) return undefined;
  const promised = Math.max(0, (lastTotal ?? 0) - offset);
  return new OpacError('incomplete', `${missing} of ${promised} records were not received`, {
    hint: 'try again, or use export, which fills gaps and lists what is missing',
  });
}

/** How many records match, asked for with limit=0. Throws an OpacError when the service does not say. */
export async function countMatches(context: Context, kind: Kind, search: RecordSearch): Promise<number> {
  const client = await context.client();
  const totals = splitByIds(search).map(async (part) => {
    const query = searchParameters(part);
    const total = await countOf(client, `${kind}.search`, { query, signal: context.signal });
    if (total !== undefined) return total;
    throw new OpacError('deployment', `the service gave no ${KIND_WORDS[kind].totalKey} for ${kind}`, {
      hint: `count them with: opac ${kind} list --all -f ids | wc -l`,
    });
  });
  return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
}

export async function publishedFields(context: Context, kind: Kind): Promise<readonly string[]> {
  return fieldsOfViews(context, kind).catch(() => []);
}

/** Searches a deployment: the pages of records that match, how many there are, which fields it publishes. */
import { countOf, pagesOf } from '../../../client/paging/pages.js';
import type { PagingReport } from '../../../client/paging/report.js';
import { OpacError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { KIND_WORDS, type Kind } from '../../../service/kinds.js';
import { splitByIds } from '../../../service/search/id-batches.js';
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
  const totals: number[] = [];
  let failure: OpacError | undefined;
  async function* pages(): AsyncGenerator<readonly Json[]> {
    // The offset and the limit are those of the whole list of ids, so they are counted across its requests.
    let skip = paging.offset;
    let left = paging.limit ?? Number.POSITIVE_INFINITY;
    for (const query of queries) {
      if (left <= 0) return;
      const limit = Number.isFinite(left) ? skip + left : undefined;
      const part = await endpointPages(context, endpointId, query, { ...paging, offset: 0, limit });
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
      totals.length === queries.length ? totals.reduce((sum, total) => sum + total, 0) : undefined,
    failure: () => failure,
  };
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
  let sum = 0;
  for (const part of splitByIds(search)) {
    const query = searchParameters(part);
    const total = await countOf(client, `${kind}.search`, { query, signal: context.signal });
    if (total === undefined) {
      throw new OpacError('deployment', `the service gave no ${KIND_WORDS[kind].totalKey} for ${kind}`, {
        hint: `count them with: opac ${kind} list --all -f ids | wc -l`,
      });
    }
    sum += total;
  }
  return sum;
}

/** The fields in the views of a kind, `[]` when the deployment does not say. */
export async function publishedFields(context: Context, kind: Kind): Promise<readonly string[]> {
  return fieldsOfViews(context, kind).catch(() => []);
}

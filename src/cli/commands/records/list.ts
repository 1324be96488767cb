/** `opac <kind> list`: the first matching records, or all of them. */
import { OpacError, UsageError } from '../../../service/errors.js';
import { formatNumber } from '../../../service/format-numbers.js';
import type { Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { isComparedByRecord } from '../../../service/search/exact-match.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import type { Examples } from '../../description/option.js';
import {
  CHANGED_SINCE_OPTION,
  NOT_FOUND_OPTION,
  namesRecords,
  ORDER_OPTIONS,
  pagingOptions,
  parseSearch,
  resolvePaging,
  SEARCH_OPTIONS,
  STRICT_OPTION,
  TEXT_ARGUMENT,
} from '../../options/search.js';
import { TABLE_OPTIONS } from '../../options/table.js';
import { createRecordTable } from '../../output/record-schema.js';
import { noteEmptyResultHint } from '../hints/nothing-found.js';
import { findFailure } from '../search/endpoint-pages.js';
import { explainErrors } from '../search/known-fields.js';
import { drawProgress, getExpectedCount } from '../search/progress.js';
import { resolveSearch } from '../search/resolve-search.js';
import { fetchMatchTotal, fetchPublishedFields, searchPages } from '../search/search-pages.js';
import { writeNotFound } from './not-found-file.js';

const DEFAULT_LIMIT = 20;

export const createListCommand = (kind: Kind, example: Examples) =>
  defineCommand({
    name: 'list',
    summary: `list ${kind} that match a search`,
    arguments: [TEXT_ARGUMENT],
    options: [
      ...SEARCH_OPTIONS,
      CHANGED_SINCE_OPTION,
      STRICT_OPTION,
      ...ORDER_OPTIONS,
      ...pagingOptions(DEFAULT_LIMIT),
      NOT_FOUND_OPTION,
      ...TABLE_OPTIONS,
    ],
    examples: {
      [`list the first ${DEFAULT_LIMIT} ${kind}`]: `opac ${kind} list --mock`,
      ...example,
      [`list all ${kind} as JSON`]: `opac ${kind} list --mock --all -f json`,
    },
    endpoints: [`${kind}.search`],
    parse: (input) => {
      const search = parseSearch(input);
      const hasList = search.externalId !== undefined || search.valueFile !== undefined;
      const paging = resolvePaging(input, namesRecords(search) ? undefined : DEFAULT_LIMIT);
      const { strict, notFound } = input;
      if (notFound !== undefined && (!hasList || paging.limit !== undefined))
        throw new UsageError(
          `--not-found ${hasList ? 'cannot be used with --limit' : 'needs a list of ids or values'}`,
          hasList ? 'remove --limit' : 'add --external-id @<file> or --where <field>=@<file>',
        );
      return { search, paging, strict, notFound, table: input };
    },
    async run(context, { search: input, paging, strict, notFound, table }) {
      const search = await resolveSearch(input, context, kind);
      const matches = await searchPages(context, kind, search, paging);
      const getNotFoundIds = () => matches.missing?.()?.ids;
      const noted = writeNotFound({ ...matches, missing: getNotFoundIds }, notFound, context);
      const confirmed = paging.offset === 0 ? confirmEmpty(noted, context, kind, search) : noted;
      const pages = explainErrors(confirmed, context, kind, search);
      return {
        kind: 'items',
        ...matches,
        pages: drawProgress(pages, context, () => getExpectedCount(matches.total?.(), paging)),
        ...(await createRecordTable(kind, table)),
        failure: () => findFailure(matches, context, strict),
        emptyMessage: 'no records match',
        ...((paging.limit !== undefined || paging.offset > 0) && { moreHint: 'use --all or export' }),
        printHint: (written) =>
          noteEmptyResultHint(context, kind, search, { written, offset: paging.offset }),
        fields: () => fetchPublishedFields(context, kind),
      };
    },
  });

/** A service that is starting may return an empty first page. Throws an OpacError if the service then reports a total above 0. */
async function* confirmEmpty(
  pages: AsyncIterable<readonly Json[]>,
  context: Context,
  kind: Kind,
  search: RecordSearch,
): AsyncGenerator<readonly Json[]> {
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty &&= page.length === 0;
    yield page;
  }
  const { terms } = search;
  const hasList = terms.externalIds !== undefined || terms.oneOf !== undefined;
  if (!isEmpty || hasList || isComparedByRecord(terms)) return;
  if (context.dryRunLog || context.globalOptions.from.length > 0) return;
  const total = await fetchMatchTotal(context, kind, search).catch(() => 0);
  if (total > 0)
    throw new OpacError(
      'incomplete',
      `the service returned no records, and then a total of ${formatNumber(total)}`,
      { hint: 'run the command again' },
    );
}

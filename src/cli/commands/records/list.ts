/** `opac <kind> list`: lists the first matching records, or all of them. */
import { UsageError } from '../../../service/errors.js';
import type { Kind } from '../../../service/kinds.js';
import { defineCommand } from '../../description/command.js';
import type { Examples } from '../../description/option.js';
import {
  CHANGED_SINCE_OPTION,
  hasValueList,
  NOT_FOUND_OPTION,
  ORDER_OPTIONS,
  pagingOptions,
  parseSearch,
  resolvePaging,
  SEARCH_OPTIONS,
  STRICT_OPTION,
  selectsNamedRecords,
  TEXT_ARGUMENT,
} from '../../options/search.js';
import { TABLE_OPTIONS } from '../../options/table.js';
import { createRecordTable } from '../../output/record-schema.js';
import { noteEmptyResultHint } from '../hints/nothing-found.js';
import { findFailure } from '../search/endpoint-pages.js';
import { explainErrors } from '../search/known-fields.js';
import { drawProgress, getExpectedCount } from '../search/progress.js';
import { resolveSearch } from '../search/resolve-search.js';
import { fetchPublishedFields, searchPages } from '../search/search-pages.js';
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
      const hasList = hasValueList(search);
      const paging = resolvePaging(input, selectsNamedRecords(search) ? undefined : DEFAULT_LIMIT);
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
      const pages = explainErrors(noted, context, kind, search);
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

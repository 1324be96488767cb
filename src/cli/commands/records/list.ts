/** `opac <kind> list`: the first records that match, or all of them. */
import type { Kind } from '../../../service/kinds.js';
import { command } from '../../command/command.js';
import type { Example } from '../../command/option.js';
import {
  ORDER_OPTIONS,
  pagingOptions,
  parsePaging,
  parseSearch,
  SEARCH_OPTIONS,
  TEXT_ARGUMENT,
} from '../../options/search.js';
import { recordSchema } from '../../output/record-schema.js';
import { rememberingFields } from '../items/seen-fields.js';
import { withKnownFields } from '../search/known-fields.js';
import { matchingPages, publishedFields } from '../search/pages.js';
import { resolveSearch } from '../search/resolve.js';

const DEFAULT_LIMIT = 20;

export const listRecords = (kind: Kind, example: Example) =>
  command({
    name: 'list',
    isDefault: true,
    summary: `list ${kind} that match a search`,
    arguments: [TEXT_ARGUMENT],
    options: [...SEARCH_OPTIONS, ...ORDER_OPTIONS, ...pagingOptions(DEFAULT_LIMIT)],
    examples: [
      { purpose: `list the first ${DEFAULT_LIMIT} ${kind}`, command: `opac ${kind} list --mock` },
      example,
      { purpose: `list all ${kind} as JSON`, command: `opac ${kind} list --mock --all -f json` },
    ],
    endpoints: [`${kind}.search`],
    parse: (input) => ({ search: parseSearch(input), paging: parsePaging(input, DEFAULT_LIMIT) }),
    async run(context, { search: input, paging }) {
      const search = await resolveSearch(input, context);
      const matches = await matchingPages(context, kind, search, paging);
      return {
        kind: 'items',
        ...matches,
        pages: rememberingFields(context, kind, withKnownFields(matches.pages, context, kind, search)),
        schema: recordSchema(kind),
        emptyMessage: 'no records match',
        moreHint: 'use --all or export',
        fields: () => publishedFields(context, kind),
      };
    },
  });

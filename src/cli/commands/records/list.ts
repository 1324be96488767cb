/** `opac <kind> list`: the first records that match, or all of them. */

import type { Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { readRecord } from '../../../service/records/record.js';
import { isExact } from '../../../service/search/exact.js';
import type { RecordSearch } from '../../../service/search/search.js';
import { command } from '../../command/command.js';
import type { Example } from '../../command/option.js';
import { flagOption } from '../../options/read.js';
import {
  isByList,
  ORDER_OPTIONS,
  pagingOptions,
  parsePaging,
  parseSearch,
  SEARCH_OPTIONS,
  STRICT_OPTION,
  TEXT_ARGUMENT,
} from '../../options/search.js';
import { recordSchema } from '../../output/record-schema.js';
import { rememberingFields } from '../items/seen-fields.js';
import { withKnownFields } from '../search/known-fields.js';
import { failureOf, matchingPages, publishedFields } from '../search/pages.js';
import { resolveSearch } from '../search/resolve.js';

const DEFAULT_LIMIT = 20;

export const listRecords = (kind: Kind, example: Example) =>
  command({
    name: 'list',
    isDefault: true,
    summary: `list ${kind} that match a search`,
    arguments: [TEXT_ARGUMENT],
    options: [...SEARCH_OPTIONS, STRICT_OPTION, ...ORDER_OPTIONS, ...pagingOptions(DEFAULT_LIMIT)],
    examples: [
      { purpose: `list the first ${DEFAULT_LIMIT} ${kind}`, command: `opac ${kind} list --mock` },
      example,
      { purpose: `list all ${kind} as JSON`, command: `opac ${kind} list --mock --all -f json` },
    ],
    endpoints: [`${kind}.search`],
    parse: (input) => {
      const search = parseSearch(input);
      const paging = parsePaging(input, isByList(search) ? undefined : DEFAULT_LIMIT);
      return { search, paging, strict: flagOption(input.options, 'strict') };
    },
    async run(context, { search: input, paging, strict }) {
      const search = await resolveSearch(input, context, kind);
      const matches = await matchingPages(context, kind, search, paging);
      const longer = { count: 0 };
      const known = withKnownFields(matches.pages, context, kind, search);
      return {
        kind: 'items',
        ...matches,
        pages: rememberingFields(context, kind, countingLonger(known, kind, search, longer)),
        schema: recordSchema(kind),
        failure: () => {
          if (longer.count > 0) context.note(longerText(longer.count));
          return failureOf(matches, context, strict);
        },
        emptyMessage: 'no records match',
        moreHint: 'use --all or export',
        fields: () => publishedFields(context, kind),
      };
    },
  });

/** Passes pages on, and counts the records that hold the words of `where` in a longer value. */
async function* countingLonger(
  pages: AsyncIterable<readonly Json[]>,
  kind: Kind,
  { terms }: RecordSearch,
  longer: { count: number },
): AsyncGenerator<readonly Json[]> {
  for await (const page of pages) {
    for (const each of page) {
      const record = readRecord(each, kind);
      // Only fields that the view shows can be compared.
      const where = (terms.where ?? []).filter(({ field }) => record.fields.has(field));
      if (!isExact({ where }, record)) longer.count++;
    }
    yield page;
  }
}

function longerText(count: number): string {
  return `${count} of these ${count === 1 ? 'holds' : 'hold'} the words of --where in a longer value (--exact leaves them out)`;
}

/** `opac <kind> count`: prints the number of matching records. */
import type { Kind } from '../../../service/kinds.js';
import { searchParameters, withoutColumns } from '../../../service/search/record-search.js';
import { defineCommand } from '../../description/command.js';
import {
  CHANGED_SINCE_OPTION,
  parseSearch,
  SEARCH_OPTIONS,
  STRICT_OPTION,
  TEXT_ARGUMENT,
} from '../../options/search.js';
import { WAIT_OPTION } from '../../options/wait.js';
import { count } from '../../output/terminal/numbers.js';
import { isShown } from '../../output/write-output.js';
import { noteEmptyResultHint } from '../hints/nothing-found.js';
import { explainError } from '../search/known-fields.js';
import { resolveSearch } from '../search/resolve-search.js';
import { countMatches } from '../search/search-pages.js';

export const createCountCommand = (kind: Kind) =>
  defineCommand({
    name: 'count',
    summary: `count ${kind} that match a search`,
    arguments: [TEXT_ARGUMENT],
    options: [...SEARCH_OPTIONS, CHANGED_SINCE_OPTION, STRICT_OPTION, WAIT_OPTION],
    examples: {
      [`count all ${kind}`]: `opac ${kind} count --mock`,
      [`count ${kind} with images`]: `opac ${kind} count --mock --has-images`,
    },
    endpoints: [`${kind}.search`],
    output: 'row',
    parse: ({ wait, strict, ...input }) => ({ input: parseSearch(input), wait, strict }),
    async run(context, { input, wait, strict }) {
      const [search, { retryUntilAvailable }] = await Promise.all([
        resolveSearch(input, context, kind),
        import('../../connect.js'),
      ]);
      const total = await retryUntilAvailable(context, wait, (waiting) =>
        countMatches(waiting, kind, { ...search, view: undefined }, strict),
      ).catch(async (error) => Promise.reject(await explainError(error, context, kind, search)));
      return {
        kind: 'value',
        text: context.format === undefined && isShown(context) ? count(total) : String(total),
        row: { kind, total: String(total) },
        printHint: () => noteEmptyResultHint(context, kind, search, { written: total }),
        json: {
          kind,
          total,
          query: Object.fromEntries(searchParameters(withoutColumns(search))).query ?? null,
        },
      };
    },
  });

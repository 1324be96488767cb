/** `opac <kind> count`: how many records match, asked of the service and not counted here. */
import type { Kind } from '../../../service/kinds.js';
import { searchParameters } from '../../../service/search/search.js';
import { command } from '../../command/command.js';
import { parseSearch, SEARCH_OPTIONS } from '../../options/search.js';
import { refuseUnknownFields } from './known-fields.js';
import { TEXT_ARGUMENT } from './list.js';
import { countMatches } from './pages.js';
import { resolveSearch } from './resolve.js';

export const countRecords = (kind: Kind) =>
  command({
    name: 'count',
    summary: `how many ${kind} match`,
    arguments: [TEXT_ARGUMENT],
    options: SEARCH_OPTIONS,
    examples: [
      { purpose: `how many ${kind} there are`, command: `opac ${kind} count --mock` },
      { purpose: 'how many of them have images', command: `opac ${kind} count --mock --has-images` },
    ],
    endpoints: [`${kind}.search`],
    parse: parseSearch,
    async run(context, input) {
      const search = await resolveSearch(input, context);
      const total = await countMatches(context, kind, { ...search, view: undefined });
      if (total === 0) await refuseUnknownFields(context, kind, search);
      return {
        text: String(total),
        json: { kind, total, query: Object.fromEntries(searchParameters(search)).query ?? null },
      };
    },
  });

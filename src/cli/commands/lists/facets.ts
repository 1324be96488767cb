/** `opac facets`: how many records have which value, counted by the service. */

import { OpacError, UsageError } from '../../../service/errors.js';
import { asList, asNumber, asObject, asText, type Json } from '../../../service/json.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { readColor } from '../../../service/records/record.js';
import { isComparedByRecord } from '../../../service/search/exact-match.js';
import { splitByIds } from '../../../service/search/id-batches.js';
import {
  type QueryParameters,
  type RecordSearch,
  searchParameters,
} from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import type { ItemsResult } from '../../description/result.js';
import { kindArgument } from '../../options/kind.js';
import { integer } from '../../options/parse.js';
import { parseSearch, SEARCH_OPTIONS, type SearchInput, TEXT_ARGUMENT } from '../../options/search.js';
import { itemsResult } from '../../output/item-schemas.js';
import type { Terminal } from '../../output/terminal/terminal.js';
import { getNamed } from '../items/known-names.js';
import { allItems } from '../items/list-items.js';
import { getKept, readItemList } from '../items/read-list.js';
import { resolveSearch } from '../search/resolve-search.js';

const DEFAULT_TOP = 10;

const OPTIONS = [
  {
    flags: '--top <n>',
    summary: 'maximum number of values per chart; other formats print all values',
    default: DEFAULT_TOP,
    parse: integer(1),
  },
  ...SEARCH_OPTIONS,
] as const;

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'show every facet of a search as charts',
    arguments: [kindArgument(KINDS), TEXT_ARGUMENT],
    options: OPTIONS,
    examples: {
      'chart all objects by every facet': 'opac facets list objects --mock',
      'count objects with images, as CSV': 'opac facets list objects --mock --has-images -f csv',
    },
    endpoints: KINDS.map((kind) => `${kind}.search` as const),
    parse: ({ kind, top, ...input }) => ({ kind, top, search: parseSearch(input) }),
    async run(context, { kind, search, top }) {
      const resolved = await facetSearch(search, context, kind);
      const facets = await facetsOf(context, kind, searchParameters(resolved));
      return charts(context, kind, resolved, facets, top, `this deployment has no facets of ${kind}`);
    },
  }),
  defineCommand({
    name: 'get',
    summary: 'show one facet as a chart',
    arguments: [
      kindArgument(KINDS),
      { name: 'facetId', summary: 'id of the facet; see: opac facets list', required: true },
      TEXT_ARGUMENT,
    ],
    options: OPTIONS,
    examples: {
      'chart all objects by classification': 'opac facets get objects classification --mock',
      'print every value with its count': 'opac facets get objects classification --mock -f tsv',
    },
    endpoints: KINDS.map((kind) => `${kind}.facet` as const),
    parse: ({ kind, facetId, top, ...input }) => ({ kind, facetId, top, search: parseSearch(input) }),
    async run(context, { kind, facetId, search, top }) {
      const resolved = await facetSearch(search, context, kind);
      const facet = await getNamed(context, {
        endpointId: `${kind}.facet`,
        path: { facetId },
        query: searchParameters(resolved),
        description: `facet of ${kind}`,
        name: facetId,
        listKnownNames: async () =>
          (await facetsOf(context, kind)).map((each) => asText(asObject(each).facetId)),
      });
      return charts(context, kind, resolved, [facet], top, `no ${kind} have the facet "${facetId}"`);
    },
  }),
];

async function facetSearch(input: SearchInput, context: Context, kind: Kind): Promise<RecordSearch> {
  const search = await resolveSearch(input, context, kind);
  if (isComparedByRecord(search.terms))
    throw new UsageError(
      'facets are counted by the service, so they cannot be used with --exact or with columns that it cannot search',
    );
  if (splitByIds(search).length > 1)
    throw new UsageError('cannot count facets: the list is too long for one request');
  return { ...search, sort: undefined, direction: undefined, view: undefined };
}

async function facetsOf(
  context: Context,
  kind: Kind,
  search: QueryParameters = [],
): Promise<readonly Json[]> {
  const client = await context.client();
  const query = [...search, ['facetedResults', 'true'], ['limit', '0']] as const;
  const response = await getKept(client, `${kind}.search`, { query, signal: context.signal });
  // Without facets it is still the answer to a search, which has a total.
  readItemList(response, `${kind}.search`);
  return asList(asObject(asObject(response).facetsCollection).facets);
}

/** How many records the facets are of, asked for only when they are drawn; undefined where the service does not say. */
async function counted(context: Context, kind: Kind, search: RecordSearch): Promise<number | undefined> {
  const { fetchTotal } = await import('../../../client/paging/pages.js');
  const client = await context.client();
  const query = searchParameters(search);
  return fetchTotal(client, `${kind}.search`, { query, signal: context.signal }).catch(() => undefined);
}

function charts(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  facets: readonly Json[],
  top: number,
  emptyMessage: string,
): ItemsResult {
  return itemsResult(facets, 'count', {
    rows: facetRows,
    emptyMessage,
    printHint: async () => {
      if (facets.some((facet) => facetRows(facet).length > 0)) return;
      const { noteEmptyResultHint } = await import('../hints/nothing-found.js');
      await noteEmptyResultHint(context, kind, search);
    },
    render: async (items: readonly Json[], terminal: Terminal) => {
      const [{ renderFacets }, records, hexOf] = await Promise.all([
        import('../../output/charts/facets.js'),
        counted(context, kind, search),
        items.some((item) => asObject(item).facetType === 'color') ? palette(context) : () => undefined,
      ]);
      return renderFacets(items, terminal, { top, hexOf, records });
    },
  });
}

/** The hexadecimal values of the service's colours by name. A deployment without the palette gets charts without swatches. */
async function palette(context: Context): Promise<(name: string) => string | undefined> {
  const hexes = new Map<string, string>();
  try {
    for (const item of await allItems(context, { endpointId: 'colors.list', item: 'color' })) {
      const { colorName, formattedColorName } = asObject(item);
      for (const name of [colorName, formattedColorName]) hexes.set(asText(name), readColor(item).hex);
    }
  } catch (error) {
    if (!(error instanceof OpacError) || error.kind === 'interrupted') throw error;
  }
  return (name) => hexes.get(name);
}

function facetRows(item: Json): readonly Json[] {
  const facet = asObject(item);
  const identity = { facetId: asText(facet.facetId), facetType: asText(facet.facetType) };
  return asList(facet.facetLabelValues)
    .map(asObject)
    .map(({ label, value }) => ({ ...identity, label: asText(label), value: asNumber(value) ?? 0 }));
}

/** `opac facets`: how many records have which value, counted by the service. */

import { OpacError } from '../../service/errors.js';
import { asList, asNumber, asObject, asText, type Json } from '../../service/json.js';
import { KINDS, type Kind } from '../../service/kinds.js';
import { readColor } from '../../service/records/record.js';
import { searchParameters } from '../../service/search/search.js';
import { command } from '../command/command.js';
import type { Input } from '../command/option.js';
import { onePage } from '../command/result.js';
import type { Context } from '../context.js';
import { kindArgument, parseKind } from '../options/kind.js';
import { integerOption } from '../options/read.js';
import { parseSearch, SEARCH_OPTIONS, type SearchInput } from '../options/search.js';
import { itemSchema } from '../output/item-schemas.js';
import type { Terminal } from '../output/terminal/terminal.js';
import { getNamed } from './items/known-names.js';
import { listItems } from './items/list-items.js';
import { resolveSearch } from './records/resolve.js';

/** Values of a facet that a chart shows unless told. */
const DEFAULT_TOP = 10;

const OPTIONS = [
  {
    flags: '--top <n>',
    summary: `values of each facet in a chart; default: ${DEFAULT_TOP}; files always have all`,
  },
  ...SEARCH_OPTIONS,
];

export const commands = [
  command({
    name: 'list',
    isDefault: true,
    summary: 'every facet of a search, as charts',
    arguments: [kindArgument(KINDS), { name: 'text', summary: 'words that must occur', variadic: true }],
    options: OPTIONS,
    examples: [
      { purpose: 'the objects by every facet', command: 'opac facets list objects --mock' },
      {
        purpose: 'those with images, as rows',
        command: 'opac facets list objects --mock --has-images -f csv',
      },
    ],
    endpoints: KINDS.map((kind) => `${kind}.search`),
    parse: ({ arguments: [kind, ...text], options }) => ({
      kind: parseKind(kind, KINDS),
      ...parseOptions({ arguments: text, options }),
    }),
    async run(context, { kind, search, top }) {
      const client = await context.client();
      const query = [
        ...(await facetQuery(search, context)),
        ['facetedResults', 'true'],
        ['limit', '0'],
      ] as const;
      const answer = asObject(await client.get(`${kind}.search`, { query, signal: context.signal }));
      const facets = asList(asObject(answer.facetsCollection).facets);
      return { ...charts(context, facets, top), nothing: `this deployment has no facets of ${kind}` };
    },
  }),
  command({
    name: 'get',
    summary: 'one facet, as a chart',
    arguments: [
      kindArgument(KINDS),
      { name: 'facetId', summary: 'id of the facet, as "opac facets list" shows it', required: true },
      { name: 'text', summary: 'words that must occur', variadic: true },
    ],
    options: OPTIONS,
    examples: [
      { purpose: 'the objects by classification', command: 'opac facets get objects classification --mock' },
      {
        purpose: 'every value with its count',
        command: 'opac facets get objects classification --mock -f tsv',
      },
    ],
    endpoints: KINDS.map((kind) => `${kind}.facet`),
    parse: ({ arguments: [kind, facetId = '', ...text], options }) => ({
      kind: parseKind(kind, KINDS),
      facetId,
      ...parseOptions({ arguments: text, options }),
    }),
    async run(context, { kind, facetId, search, top }) {
      const client = await context.client();
      const query = await facetQuery(search, context);
      const facet = await getNamed(
        client,
        `${kind}.facet`,
        { facetId },
        { what: `facet of ${kind}`, name: facetId, known: () => facetIds(context, kind) },
        { query, signal: context.signal },
      );
      return {
        ...charts(context, [asObject(facet)], top),
        nothing: `no ${kind} have the facet "${facetId}"`,
      };
    },
  }),
];

function parseOptions(input: Input): { readonly search: SearchInput; readonly top: number } {
  return { search: parseSearch(input), top: integerOption(input.options, 'top', 1) ?? DEFAULT_TOP };
}

/** The parameters of a search that facets take: what is counted, without order or view. */
async function facetQuery(input: SearchInput, context: Context) {
  return searchParameters({
    ...(await resolveSearch(input, context)),
    sort: undefined,
    direction: undefined,
    view: undefined,
  });
}

/** The facets as charts for people, as rows of one value each for programs. */
function charts(context: Context, facets: readonly Json[], top: number) {
  return {
    pages: onePage(facets),
    rows: facetRows,
    schema: itemSchema('count'),
    picture: async (items: readonly Json[], terminal: Terminal) => {
      const [{ renderFacets }, hexOf] = await Promise.all([
        import('../output/charts/facets.js'),
        items.some((item) => asObject(item).facetType === 'color') ? palette(context) : () => undefined,
      ]);
      return renderFacets(items, terminal, { top, hexOf });
    },
  };
}

/** The digits of the service's colours by their names; a deployment without the palette has charts without swatches. */
async function palette(context: Context): Promise<(name: string) => string | undefined> {
  const digits = new Map<string, string>();
  try {
    for await (const page of listItems(context, { endpointId: 'colors.list', item: 'color', nothing: '' })
      .pages) {
      for (const item of page) {
        const { colorName, formattedColorName } = asObject(item);
        for (const name of [colorName, formattedColorName]) digits.set(asText(name), readColor(item).hex);
      }
    }
  } catch (error) {
    if (!(error instanceof OpacError) || error.kind === 'interrupted') throw error;
  }
  return (name) => digits.get(name);
}

function facetRows(item: Json): readonly Json[] {
  const facet = asObject(item);
  const identity = { facetId: asText(facet.facetId), facetType: asText(facet.facetType) };
  return asList(facet.facetLabelValues)
    .map(asObject)
    .map(({ label, value }) => ({ ...identity, label: asText(label), value: asNumber(value) ?? 0 }));
}

async function facetIds(context: Context, kind: Kind): Promise<string[]> {
  const client = await context.client();
  const query = [
    ['facetedResults', 'true'],
    ['limit', '0'],
  ] as const;
  const answer = asObject(await client.get(`${kind}.search`, { query, signal: context.signal }));
  return asList(asObject(answer.facetsCollection).facets).map((facet) => asText(asObject(facet).facetId));
}

/** `opac facets`: shows the number of records with each value of a column. */
import { OpacError, UsageError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import { asList, asNumber, asObject, asText, type Json } from '../../../service/json.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { readColor } from '../../../service/records/record.js';
import { isComparedByRecord } from '../../../service/search/exact-match.js';
import { splitByIds } from '../../../service/search/id-batches.js';
import { type RecordSearch, searchParameters } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import type { ItemsResult } from '../../description/result.js';
import { kindArgument } from '../../options/kind.js';
import { CHART_FORMATS } from '../../options/output-kind.js';
import { integer } from '../../options/parse.js';
import { FACET_SEARCH_OPTIONS, parseSearch, type SearchInput, TEXT_ARGUMENT } from '../../options/search.js';
import { selectMostFrequent } from '../../output/charts/most-frequent.js';
import { toItemsResult } from '../../output/item-schemas.js';
import type { Terminal } from '../../output/terminal/terminal.js';
import { isShown } from '../../output/write-output.js';
import { noteEmptyResultHint } from '../hints/nothing-found.js';
import { getNamed, UnknownNameError } from '../items/known-names.js';
import { fetchAllItems } from '../items/list-items.js';
import { describeSource, formatTitle } from '../search/describe-search.js';
import { fetchFacets, fetchFacetsWithValues } from '../search/field-values.js';
import { resolveSearch } from '../search/resolve-search.js';
import { fetchMatchTotal } from '../search/search-pages.js';
import { KnownNames } from '../search/term-places.js';
import { countColumnValues } from './count-values.js';
import { countFacetGaps } from './facet-gaps.js';

const OPTIONS = [
  {
    flags: '--top <n>',
    summary:
      'show only the n most frequent values of each facet (default in charts: 10; for a range facet, all values)',
    parse: integer(1),
  },
  ...FACET_SEARCH_OPTIONS,
] as const;

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'show every facet of a search as a chart',
    arguments: [kindArgument(KINDS), TEXT_ARGUMENT],
    options: OPTIONS,
    examples: {
      'chart all objects by every facet': 'opac facets list objects --mock',
      'count objects with images, as CSV': 'opac facets list objects --mock --has-images -f csv',
    },
    formats: CHART_FORMATS,
    endpoints: KINDS.map((kind) => `${kind}.search` as const),
    parse: ({ kind, top, ...input }) => ({ kind, top, search: parseSearch(input) }),
    async run(context, { kind, search, top }) {
      const resolved = await resolveFacetSearch(search, context, kind);
      const facets = await fetchFacets(context, kind, searchParameters(resolved));
      return createChartResult(
        context,
        kind,
        { input: search, resolved },
        facets,
        top,
        `this deployment has no facets of ${kind}`,
      );
    },
  }),
  defineCommand({
    name: 'get',
    summary: 'show one facet as a chart',
    arguments: [
      kindArgument(KINDS),
      {
        name: 'facetId',
        summary: 'id or label of a facet, or any column (slower: reads all matching records)',
        required: true,
      },
      TEXT_ARGUMENT,
    ],
    options: OPTIONS,
    examples: {
      'chart all objects by classification': 'opac facets get objects classification --mock',
      'print every value with its count': 'opac facets get objects classification --mock -f tsv',
      'count the rights of images': 'opac facets get objects image@copyright --mock',
    },
    formats: CHART_FORMATS,
    endpoints: KINDS.map((kind) => `${kind}.facet` as const),
    parse: ({ kind, facetId, top, ...input }) => ({ kind, facetId, top, search: parseSearch(input) }),
    async run(context, { kind, facetId: name, search, top }) {
      const known = new KnownNames(context, kind);
      const facetId = await known.findFacet(name);
      const resolved = await resolveFacetSearch(search, context, kind);
      const facet = await getNamed(context, {
        endpointId: `${kind}.facet`,
        path: { facetId },
        query: searchParameters(resolved),
        description: `facet of ${kind}`,
        name: facetId,
        listKnownNames: async () => [
          ...(await fetchFacetsWithValues(context, kind)).map((each) => each.facetId),
          ...(await known.listImageColumns()).filter((column) => column !== facetId),
        ],
      }).catch(async (error) => {
        const column = error instanceof UnknownNameError ? await known.findColumn(facetId) : undefined;
        if (column === undefined) throw error;
        return countColumnValues(context, kind, resolved, column);
      });
      return createChartResult(
        context,
        kind,
        { input: search, resolved },
        [facet],
        top,
        `no values for facet "${facetId}" in the matching ${kind}`,
      );
    },
  }),
];

async function resolveFacetSearch(input: SearchInput, context: Context, kind: Kind): Promise<RecordSearch> {
  const notes: string[] = [];
  const search = await resolveSearch(input, { ...context, note: (text) => void notes.push(text) }, kind);
  if (isComparedByRecord(search.terms))
    throw new UsageError(
      'facets cannot be used with ranges of dates, or with columns that the service cannot search',
      `export these records to a file, and use facets with --from <file>`,
    );
  if (splitByIds(search).length > 1)
    throw new UsageError('cannot count facets: the list of ids or values is too long for one request');
  notes.forEach(context.note);
  return { ...search, sort: undefined, direction: undefined, view: undefined };
}

function createChartResult(
  context: Context,
  kind: Kind,
  { input, resolved: search }: { readonly input: SearchInput; readonly resolved: RecordSearch },
  facets: readonly Json[],
  top: number | undefined,
  emptyMessage: string,
): ItemsResult {
  const readCharts = async (items: readonly Json[]) => {
    const [{ createCharts }, options] = await Promise.all([
      import('../../output/charts/facets.js'),
      fetchDetails(context, kind, search, items, true),
    ]);
    return { charts: createCharts(items, { ...options, top }), records: options.records };
  };
  const { format, globalOptions } = context;
  const hasChartFormat = format === undefined ? isShown(context) : ['table', 'html', 'svg'].includes(format);
  const isChart = hasChartFormat && !globalOptions.columns;
  // A chart also shows the number of omitted values, so it needs all values.
  const items = isChart || top === undefined ? facets : facets.map((facet) => limitFacet(facet, top));
  return toItemsResult(items, 'count', {
    rows: listFacetRows,
    emptyMessage,
    printHint: () =>
      noteEmptyResultHint(context, kind, search, { written: facets.flatMap(listFacetRows).length }),
    render: async (items: readonly Json[], terminal: Terminal) => {
      const [{ renderFacets }, options] = await Promise.all([
        import('../../output/charts/facets.js'),
        fetchDetails(context, kind, search, items, false),
      ]);
      return renderFacets(items, terminal, { ...options, top });
    },
    documents: {
      html: async (items) => {
        const [{ renderCharts, renderReportPage }, { charts, records }, source] = await Promise.all([
          import('../../output/report/report-html.js'),
          readCharts(items),
          describeSource(context),
        ]);
        const count = records === undefined ? [] : [formatCount(records, 'record')];
        return renderReportPage(
          formatTitle(`Facets of ${kind}`, input),
          [...count, ...source],
          [renderCharts(charts)],
        );
      },
      svg: async (items) => {
        const { renderSvgCharts } = await import('../../output/charts/svg-chart.js');
        return renderSvgCharts((await readCharts(items)).charts);
      },
    },
  });
}

async function fetchDetails(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  items: readonly Json[],
  isDocument: boolean,
) {
  const [records, hexOf] = await Promise.all([
    fetchMatchTotal(context, kind, search).catch(() => undefined),
    items.some((item) => asObject(item).facetType === 'color') ? fetchPalette(context) : () => undefined,
  ]);
  const gaps = await countFacetGaps(context, kind, search, items, records ?? 0, isDocument);
  return { records, hexOf, gaps };
}

async function fetchPalette(context: Context): Promise<(name: string) => string | undefined> {
  const hexes = new Map<string, string>();
  try {
    for (const item of await fetchAllItems(context, { endpointId: 'colors.list' })) {
      const { colorName, formattedColorName } = asObject(item);
      for (const name of [colorName, formattedColorName]) hexes.set(asText(name), readColor(item).hex);
    }
  } catch (error) {
    if (!(error instanceof OpacError) || error.kind === 'interrupted') throw error;
  }
  return (name) => hexes.get(name);
}

function limitFacet(item: Json, top: number): Json {
  const facet = asObject(item);
  const values = asList(facet.facetLabelValues).map((value) => ({
    value,
    count: asNumber(asObject(value).value) ?? 0,
  }));
  return { ...facet, facetLabelValues: selectMostFrequent(values, top).map(({ value }) => value) };
}

function listFacetRows(item: Json): readonly Json[] {
  const facet = asObject(item);
  const identity = { facetId: asText(facet.facetId), facetType: asText(facet.facetType) };
  return asList(facet.facetLabelValues)
    .map(asObject)
    .map(({ label, value }) => ({ ...identity, value: asText(label), count: asNumber(value) ?? 0 }));
}

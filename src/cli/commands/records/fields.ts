/** `opac <kind> fields`: lists the fields in the views and in a sample of records. */
import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { asNumber, asObject } from '../../../service/json.js';
import { KIND_KEYS, type Kind } from '../../../service/kinds.js';
import { DateCensus } from '../../../service/records/date-figures.js';
import {
  calculatePercentage,
  countFieldUse,
  type FieldUse,
  mergeFieldUse,
  type PublishedField,
} from '../../../service/records/field-use.js';
import { PlaceholderCensus } from '../../../service/records/placeholders.js';
import { type CollectionRecord, readRecord } from '../../../service/records/record.js';
import { type RecordSearch, withoutColumns } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import type { ItemSchema } from '../../description/item-schema.js';
import type { OptionDescription } from '../../description/option.js';
import type { ItemsResult } from '../../description/result.js';
import { PAGE_FORMATS } from '../../options/output-kind.js';
import { integer } from '../../options/parse.js';
import { parseSearch, SEARCH_OPTIONS, TEXT_ARGUMENT } from '../../options/search.js';
import { createItemSchema, toItemsResult } from '../../output/item-schemas.js';
import { count, formatPercent } from '../../output/terminal/numbers.js';
import { noteEmptyResultHint } from '../hints/nothing-found.js';
import { fetchViewFields } from '../items/view-fields.js';
import { describeSource, formatTitle } from '../search/describe-search.js';
import { findFailure } from '../search/endpoint-pages.js';
import { createReadProgress } from '../search/progress.js';
import { resolveSearch } from '../search/resolve-search.js';
import { ALL_RECORDS, fetchMatchTotal, searchPages } from '../search/search-pages.js';
import { fetchSample } from './fetch-sample.js';

const DEFAULT_SAMPLE = 200;

const CENSUS_OPTIONS = [
  {
    group: 'Number of records:',
    flags: '--sample <n>',
    summary: 'number of records to sample across the result',
    default: DEFAULT_SAMPLE,
    parse: integer(1),
  },
  { group: 'Number of records:', flags: '--all', summary: 'read all records instead of a sample' },
  {
    flags: '--empty',
    summary: 'only fields that are empty in some records; the field with the most empty records first',
  },
  {
    flags: '--placeholders',
    summary: 'count placeholders (texts such as "date not known" in at least two records) as empty',
  },
  {
    flags: '--dates',
    conflicts: ['--placeholders'],
    summary:
      'only fields with dates: how many dates opac can read, and how many differ from their attributes',
  },
] as const satisfies readonly OptionDescription[];

export const createFieldsCommand = (kind: Kind) =>
  defineCommand({
    name: 'fields',
    summary: `list the fields of ${kind}, with an example and the number of records that have a value`,
    arguments: [TEXT_ARGUMENT],
    options: [...SEARCH_OPTIONS, ...CENSUS_OPTIONS],
    examples: {
      [`list the fields of ${kind}`]: `opac ${kind} fields --mock`,
      'save the field names to a file, for --columns @names.txt': `opac ${kind} fields --mock -f ids -o names.txt`,
      'find empty fields in all records': `opac ${kind} fields --mock --all --empty`,
    },
    formats: PAGE_FORMATS,
    endpoints: [`${kind}.search`, ...(kind === 'records' ? [] : [`${kind}.views` as const])],
    parse: ({ sample, all, empty, dates, placeholders, ...input }) => ({
      search: parseSearch(input),
      size: sample,
      all,
      onlyEmpty: empty,
      dates,
      asEmpty: placeholders,
    }),
    async run(context, { search: input, size, all, onlyEmpty, dates, asEmpty }) {
      if (dates && onlyEmpty) throw new UsageError('--dates and --empty cannot be used together');
      const search = await resolveSearch(input, context, kind);
      if (dates) return createDateResult(context, kind, search, all ? undefined : size);
      const found = new PlaceholderCensus();
      const counts = all
        ? await countAllRecords(context, kind, search, found)
        : await countSample(context, kind, search, size, found);
      const census = counts.map((use) => markPlaceholders(use, found.list(use.column), asEmpty));
      notePlaceholders(context, census, asEmpty ? '' : '; to count them as empty, add --placeholders');
      const gaps = census.filter(({ empty }) => empty > 0).toSorted((one, other) => other.empty - one.empty);
      const rows = (onlyEmpty ? gaps : census).map((use) => ({ ...use }));
      const written = census.filter(({ filled, empty }) => filled + empty > 0).length;
      return toItemsResult(rows, 'fieldUse', {
        schema: SCHEMA,
        documents: {
          html: async () => {
            const [{ createFieldChart, renderCharts, renderReportPage }, source] = await Promise.all([
              import('../../output/report/report-html.js'),
              describeSource(context),
            ]);
            const [first = { filled: 0, empty: 0 }] = census;
            const read = `${formatCount(first.filled + first.empty, 'record')}${all ? '' : ' (a sample; --all reads all)'}`;
            const title = formatTitle(`Fields of ${kind}`, input);
            return renderReportPage(
              title,
              [read, ...source],
              [renderCharts([createFieldChart(onlyEmpty ? gaps : census)])],
            );
          },
        },
        emptyMessage: `no ${kind} match, and no view has fields of ${kind}`,
        printHint: () => noteEmptyResultHint(context, kind, search, { written }),
      });
    },
  });

async function countSample(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  size: number,
  placeholders: PlaceholderCensus,
): Promise<readonly FieldUse[]> {
  const [published, records] = await Promise.all([
    fetchViewFieldsOrNone(context, kind),
    readSample(context, kind, search, size),
  ]);
  for (const record of records) placeholders.add(record);
  return countFieldUse(records, published);
}

/** Adds the list of placeholders to the counts of a field. With `asEmpty`, counts the records with a placeholder as empty. */
export function markPlaceholders(
  use: FieldUse,
  found: ReturnType<PlaceholderCensus['list']>,
  asEmpty: boolean,
) {
  const sum = asEmpty ? found.reduce((all, [, records]) => all + records, 0) : 0;
  const [filled, empty] = [use.filled - sum, use.empty + sum];
  const placeholders = found.map(([text, records]) => `${text} (${formatNumber(records)})`);
  return { ...use, filled, empty, percent: calculatePercentage(filled, filled + empty), placeholders };
}

/** Prints the placeholders as a note, because a narrow table has no room for them. */
function notePlaceholders(
  { note }: Context,
  census: readonly ReturnType<typeof markPlaceholders>[],
  hint: string,
): void {
  const found = census.filter(({ placeholders }) => placeholders.length > 0);
  const facts = found.map(
    ({ column, placeholders }) => `${column} contains placeholders: ${placeholders.join(', ')}`,
  );
  if (found.length > 0) note(`${facts.join('; ')}${hint}`);
}

async function readSample(context: Context, kind: Kind, search: RecordSearch, size: number) {
  const { records, total } = await fetchSample(context, kind, search, size);
  context.note(`sampled ${count(records.length)} of ${formatCount(total, KIND_KEYS[kind].recordType)}`);
  return records;
}

/** `size` is the size of the sample; undefined for all records. */
async function createDateResult(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  size: number | undefined,
): Promise<ItemsResult> {
  const census = new DateCensus();
  const add = (records: readonly CollectionRecord[]) => {
    for (const record of records) census.add(record);
  };
  if (size === undefined) await visitAllRecords(context, kind, search, add);
  else add(await readSample(context, kind, search, size));
  const rows = census.list().map((figures) => ({ ...figures }));
  const { column } = rows.find(({ different }) => different > 0) ?? {};
  if (column && kind !== 'records')
    context.note(
      `some dates differ from their attributes; to list them: opac ${kind} list --where ${column}@problem=different --all`,
    );
  return toItemsResult(rows, 'dateFigures', { emptyMessage: `no field of the matching ${kind} has dates` });
}

/** Adds the counts page by page, so that the memory does not grow with the number of records. */
async function countAllRecords(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  placeholders: PlaceholderCensus,
): Promise<readonly FieldUse[]> {
  const published = await fetchViewFieldsOrNone(context, kind);
  let merged: readonly FieldUse[] = countFieldUse([], published);
  let size = 0;
  await visitAllRecords(context, kind, search, (records) => {
    size += records.length;
    for (const record of records) placeholders.add(record);
    merged = mergeFieldUse([merged, countFieldUse(records, published)], size);
  });
  // If a field does not occur on the last pages, counts the field as empty in the records of these pages.
  return mergeFieldUse([merged], size);
}

/** Calls `visit` for each page of matching records. Throws an OpacError if records are missing. */
export async function visitAllRecords(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  visit: (records: readonly CollectionRecord[]) => void,
): Promise<void> {
  const total = await fetchMatchTotal(context, kind, withoutColumns(search)).catch(() => undefined);
  if (total !== undefined) {
    const requests = formatCount(Math.ceil(total / DEFAULT_PAGE_SIZE), 'request');
    const cost = context.globalOptions.from.length > 0 ? '' : `: about ${requests}`;
    context.note(`reading ${formatCount(total, kind.slice(0, -1))}${cost}`);
  }
  const matches = await searchPages(context, kind, search, ALL_RECORDS);
  const progress = createReadProgress(context);
  let size = 0;
  try {
    for await (const page of matches.pages) {
      size += page.length;
      visit(page.map((record) => readRecord(record, kind)));
      if (size !== total) progress.update(size, total);
    }
  } finally {
    progress.done();
  }
  const failure = findFailure(matches, context);
  if (failure) throw failure;
}

export async function fetchViewFieldsOrNone(
  context: Context,
  kind: Kind,
): Promise<readonly PublishedField[]> {
  try {
    return await fetchViewFields(context, kind);
  } catch (error) {
    if (!(error instanceof OpacError) || error.kind === 'interrupted') throw error;
    context.noteVerbose(`cannot read the views of ${kind}: ${error.message}`);
    return [];
  }
}

const FIELD_USE = createItemSchema('fieldUse');

const SCHEMA: ItemSchema = {
  ...FIELD_USE,
  getDefaultColumns: (items) =>
    FIELD_USE.getDefaultColumns(items)
      .filter(
        ({ name, values }) =>
          name !== 'percent' && (name !== 'placeholders' || items.some((item) => values(item).length > 0)),
      )
      .map((column) => {
        if (column.name === 'label') return { ...column, isNeverCut: true };
        return column.name === 'filled' ? { ...column, values: formatFilled } : column;
      }),
};

function formatFilled(item: unknown): readonly string[] {
  const { filled, percent } = asObject(item);
  return [`${count(asNumber(filled) ?? 0)} (${formatPercent(asNumber(percent) ?? 0)})`];
}

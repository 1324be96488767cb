/** `opac <kind> duplicates`: lists records with equal values in the given fields. Skips empty values and placeholders. */
import { formatCount } from '../../../service/format-numbers.js';
import type { JsonObject } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { parseColumn } from '../../../service/records/columns.js';
import { isPlaceholder } from '../../../service/records/placeholder-text.js';
import { normalizeText } from '../../../service/search/exact-match.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import { nonBlank } from '../../options/parse.js';
import { parseSearch, SEARCH_OPTIONS, TEXT_ARGUMENT } from '../../options/search.js';
import { readColumnNames } from '../../output/column-names.js';
import { createItemSchema, toItemsResult } from '../../output/item-schemas.js';
import { resolveSearch } from '../search/resolve-search.js';
import { fetchPublishedFields } from '../search/search-pages.js';
import { KnownNames } from '../search/term-places.js';
import { visitAllRecords } from './fields.js';

export const createDuplicatesCommand = (kind: Kind) =>
  defineCommand({
    name: 'duplicates',
    summary: `list ${kind} with equal values in all given fields`,
    arguments: [
      {
        name: 'fields',
        summary: 'fields to compare, by name or label, separated by commas',
        required: true,
        parse: (text: string, where: string) => nonBlank(text, where).split(','),
      },
      TEXT_ARGUMENT,
    ],
    options: [
      ...SEARCH_OPTIONS,
      { flags: '--placeholders', summary: 'also compare placeholders (texts such as "date not known")' },
    ],
    examples: { [`find ${kind} with the same title`]: `opac ${kind} duplicates title --mock` },
    endpoints: [`${kind}.search`, ...(kind === 'records' ? [] : [`${kind}.views` as const])],
    parse: ({ fields, placeholders, ...input }) => ({ fields, placeholders, search: parseSearch(input) }),
    async run(context, { fields, placeholders: areCompared, search: input }) {
      const search = await resolveSearch(input, context, kind);
      const published = await fetchPublishedFields(context, kind);
      const labels = new FieldLabels(published);
      const columns = fields.map((field) => parseColumn(labels.getName(field.trim())));
      const names = columns.map(({ name }) => name);
      const others = (await readOtherColumns(context, labels))
        .filter((name) => !['group', 'id', ...names].includes(name))
        .map(parseColumn);
      const known = new KnownNames(context, kind);
      for (const { name } of [...columns, ...others]) await known.findPlace(name, '', {});
      const groups = new Map<string, Group>();
      const placeholders: string[] = [];
      await visitAllRecords(context, kind, search, (records) => {
        for (const record of records) {
          const values = columns.map((column) => column.values(record).join('; '));
          const placeholder = values.find((text) => text !== '' && !areCompared && isPlaceholder(text));
          if (placeholder !== undefined) placeholders.push(placeholder);
          if (placeholder !== undefined || values.includes('')) continue;
          const shown = others.map(({ name, values: read }) => [name, read(record).join('; ')]);
          const row = { id: record.id, ...Object.fromEntries(shown) };
          // Compares each value if there is only one column, because records may share only one of several accession numbers.
          const [single = [], ...further] = columns.map((column) => column.values(record));
          const filled = single.filter((value) => value.trim() !== '');
          const keys = further.length > 0 ? [values] : filled.map((value) => [value]);
          for (const [key, compared] of new Map(
            keys.map((key) => [key.map(normalizeText).join('\n'), key]),
          )) {
            const group = groups.get(key) ?? { values: compared, rows: [] };
            groups.set(key, group);
            group.rows.push(row);
          }
        }
      });
      const schema = createItemSchema('duplicate');
      const getColumns = () =>
        ['group', 'id', ...others.map(({ name }) => name), ...names].map(schema.column);
      const found = [...groups.values()].filter(({ rows }) => rows.length > 1);
      return toItemsResult(createRows(found, names), 'duplicate', {
        schema: { ...schema, getAllColumns: getColumns, getDefaultColumns: getColumns },
        fields: async () => published,
        emptyMessage: `no ${kind} have the same ${names.map(labels.format).join(', ')}`,
        printHint: async (records) => {
          const [text] = placeholders;
          const skipped = formatCount(placeholders.length, 'record');
          if (text)
            context.note(
              `skipped ${skipped} with a placeholder such as "${text}" (--placeholders compares them)`,
            );
          if (records > 0)
            context.note(`${formatCount(found.length, 'group')} with ${formatCount(records, 'record')}`);
        },
      });
    },
  });

interface Group {
  readonly values: readonly string[];
  readonly rows: JsonObject[];
}

/** Returns the columns of --columns. Default: the accession number, if the deployment publishes it. */
async function readOtherColumns(context: Context, labels: FieldLabels): Promise<readonly string[]> {
  const chosen = await readColumnNames(context);
  if (typeof chosen === 'object') return chosen.list.map(({ name }) => labels.getName(name));
  return labels.names.filter((name) => name === 'accession_no');
}

function createRows(groups: readonly Group[], names: readonly string[]): JsonObject[] {
  return groups
    .toSorted((one, other) => other.rows.length - one.rows.length)
    .flatMap(({ values, rows }, index) => {
      const compared = Object.fromEntries(names.map((name, n) => [name, values[n] ?? '']));
      return rows.map((row) => ({ group: index + 1, ...row, ...compared }));
    });
}

/** `opac <kind> duplicates`: records that have the same values. Records without one of the values are not compared. */
import { formatCount } from '../../../service/format-numbers.js';
import type { JsonObject } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { parseColumn } from '../../../service/records/columns.js';
import { isPlaceholder } from '../../../service/records/placeholders.js';
import { normalizeText } from '../../../service/search/exact-match.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import { defineCommand } from '../../description/command.js';
import { nonBlank } from '../../options/parse.js';
import { parseSearch, SEARCH_OPTIONS, TEXT_ARGUMENT } from '../../options/search.js';
import { createItemSchema, toItemsResult } from '../../output/item-schemas.js';
import { resolveSearch } from '../search/resolve-search.js';
import { fetchPublishedFields } from '../search/search-pages.js';
import { KnownNames } from '../search/term-places.js';
import { visitAllRecords } from './fields.js';

export const createDuplicatesCommand = (kind: Kind) =>
  defineCommand({
    name: 'duplicates',
    summary: `list ${kind} with equal values in one or more fields`,
    arguments: [
      {
        name: 'fields',
        summary: 'fields to compare, by name or label, separated by commas',
        required: true,
        parse: (text: string, where: string) => nonBlank(text, where).split(','),
      },
      TEXT_ARGUMENT,
    ],
    options: SEARCH_OPTIONS,
    examples: { [`find ${kind} with the same title`]: `opac ${kind} duplicates title --mock` },
    endpoints: [`${kind}.search`, ...(kind === 'records' ? [] : [`${kind}.views` as const])],
    parse: ({ fields, ...input }) => ({ fields, search: parseSearch(input) }),
    async run(context, { fields, search: input }) {
      const search = await resolveSearch(input, context, kind);
      const labels = new FieldLabels(await fetchPublishedFields(context, kind));
      const columns = fields.map((field) => parseColumn(labels.getName(field.trim())));
      const known = new KnownNames(context, kind);
      for (const { name } of columns) await known.findPlace(name, '', {});
      const groups = new Map<string, Group>();
      const placeholders: string[] = [];
      await visitAllRecords(context, kind, search, (records) => {
        for (const record of records) {
          const values = columns.map((column) => column.values(record).join('; '));
          const placeholder = values.find((text) => text !== '' && isPlaceholder(text));
          if (placeholder !== undefined) placeholders.push(placeholder);
          if (placeholder !== undefined || values.includes('')) continue;
          // One of several accession numbers may be that of another record.
          const [single = [], ...others] = columns.map((column) => column.values(record));
          const keys = others.length > 0 ? [values] : single.map((value) => [value]);
          for (const each of new Map(keys.map((key) => [key.map(normalizeText).join('\n'), key]))) {
            const [key, shown] = each;
            const group = groups.get(key) ?? { values: shown, ids: [] };
            groups.set(key, group);
            group.ids.push(record.id);
          }
        }
      });
      const names = columns.map(({ name }) => name);
      const schema = createItemSchema('duplicate');
      const getColumns = () => ['group', 'id', ...names].map(schema.column);
      const found = [...groups.values()].filter(({ ids }) => ids.length > 1);
      return toItemsResult(createRows(found, names), 'duplicate', {
        schema: { ...schema, getAllColumns: getColumns, getDefaultColumns: getColumns },
        emptyMessage: `no ${kind} have the same ${names.map(labels.format).join(', ')}`,
        printHint: async (records) => {
          const [text] = placeholders;
          const skipped = formatCount(placeholders.length, 'record');
          if (text) context.note(`opac did not compare ${skipped} with a placeholder such as "${text}"`);
          if (records > 0)
            context.note(`${formatCount(found.length, 'group')} with ${formatCount(records, 'record')}`);
        },
      });
    },
  });

interface Group {
  readonly values: readonly string[];
  readonly ids: string[];
}

/** One row per record, the largest group first. */
function createRows(groups: readonly Group[], names: readonly string[]): JsonObject[] {
  return groups
    .toSorted((one, other) => other.ids.length - one.ids.length)
    .flatMap(({ values, ids }, index) => {
      const compared = Object.fromEntries(names.map((name, n) => [name, values[n] ?? '']));
      return ids.map((id) => ({ group: index + 1, id, ...compared }));
    });
}

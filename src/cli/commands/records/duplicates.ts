/** `opac <kind> duplicates`: records that have the same values. Records without one of the values are not compared. */
import type { JsonObject } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { parseColumn } from '../../../service/records/columns.js';
import { normalizeText } from '../../../service/search/exact-match.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import { defineCommand } from '../../description/command.js';
import { nonBlank } from '../../options/parse.js';
import { parseSearch, SEARCH_OPTIONS, TEXT_ARGUMENT } from '../../options/search.js';
import { createItemSchema, toItemsResult } from '../../output/item-schemas.js';
import { resolveSearch } from '../search/resolve-search.js';
import { fetchPublishedFields } from '../search/search-pages.js';
import { createUnknownFieldError } from '../search/term-places.js';
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
    examples: { [`find ${kind} with the same values`]: `opac ${kind} duplicates title --mock` },
    endpoints: [`${kind}.search`, ...(kind === 'records' ? [] : [`${kind}.views` as const])],
    parse: ({ fields, ...input }) => ({ fields, search: parseSearch(input) }),
    async run(context, { fields, search: input }) {
      const search = await resolveSearch(input, context, kind);
      const labels = new FieldLabels(await fetchPublishedFields(context, kind));
      const columns = fields.map((field) => parseColumn(labels.getName(field.trim())));
      const groups = new Map<string, Group>();
      const filled = new Set<string>();
      let read = 0;
      await visitAllRecords(context, kind, search, (records) => {
        for (const record of records) {
          read++;
          const values = columns.map((column) => column.values(record).join('; '));
          for (const [n, { name }] of columns.entries()) if (values[n] !== '') filled.add(name);
          if (values.includes('')) continue;
          const key = values.map(normalizeText).join('\n');
          const group = groups.get(key) ?? { values, ids: [] };
          groups.set(key, group);
          group.ids.push(record.id);
        }
      });
      const known = new Set([...filled, ...labels.names]);
      const unknown = columns.find(({ name }) => read > 0 && !known.has(name));
      if (unknown) throw createUnknownFieldError(unknown.name, kind, labels);
      const names = columns.map(({ name }) => name);
      const schema = createItemSchema('duplicate');
      const getColumns = () => ['group', 'id', ...names].map(schema.column);
      return toItemsResult(createRows([...groups.values()], names), 'duplicate', {
        schema: { ...schema, getAllColumns: getColumns, getDefaultColumns: getColumns },
        emptyMessage: `no ${kind} have the same ${names.map(labels.format).join(', ')}`,
      });
    },
  });

interface Group {
  readonly values: readonly string[];
  readonly ids: string[];
}

/** Returns one row per record, the largest group first. */
function createRows(groups: readonly Group[], names: readonly string[]): JsonObject[] {
  return groups
    .filter(({ ids }) => ids.length > 1)
    .toSorted((one, other) => other.ids.length - one.ids.length)
    .flatMap(({ values, ids }, index) => {
      const compared = Object.fromEntries(names.map((name, n) => [name, values[n] ?? '']));
      return ids.map((id) => ({ group: index + 1, id, ...compared }));
    });
}

/** Counts the values of a column that is not a facet of the service. */
import type { JsonObject } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { parseColumn } from '../../../service/records/columns.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { visitAllRecords } from '../records/fields.js';

/** The `facetType` of a column whose values opac counted itself. */
export const COLUMN_TYPE = 'column';

/** Counts the records with each value. Returns the JSON of a facet. Throws an OpacError if records are missing. */
export async function countColumnValues(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  column: { readonly name: string; readonly label: string },
): Promise<JsonObject> {
  context.note(`the service does not count "${column.name}"; opac counts the values in all matching records`);
  const { values } = parseColumn(column.name);
  const counts = new Map<string, number>();
  await visitAllRecords(context, kind, { ...search, view: 'detail' }, (records) => {
    for (const record of records)
      for (const value of new Set(values(record).filter(Boolean)))
        counts.set(value, (counts.get(value) ?? 0) + 1);
  });
  const facetLabelValues = [...counts]
    .map(([text, count]) => ({ label: text, value: count }))
    .sort((one, other) => other.value - one.value || (one.label < other.label ? -1 : 1));
  return {
    facetId: column.name,
    facet: column.label,
    facetType: COLUMN_TYPE,
    facetLabelValues,
    totalLabelValues: facetLabelValues.length,
  };
}

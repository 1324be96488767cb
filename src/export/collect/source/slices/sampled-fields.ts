/** Fields that a slice can be split by where no facet says so: those whose values some of its records share. */
import { KIND_WORDS, type Kind, RECORD_KINDS } from '../../../../service/kinds.js';
import { readRecord } from '../../../../service/records/record.js';
import { term } from '../../../../service/search/query.js';
import {
  type CountedSearch,
  collectionIds,
  countSlice,
  type FacetCounts,
  recordsOfSlice,
  type ValueCount,
} from './counts.js';
import { type Node, withTerm } from './splits.js';

const SAMPLE = 100;

/** The fields of some records from both ends of what can be had, their values with the counts to expect in the slice. */
export async function sampledFields(
  search: CountedSearch,
  node: Node,
  window: number,
): Promise<readonly FacetCounts[]> {
  const limit = Math.min(SAMPLE, window);
  const samples = await Promise.all(
    [...new Set([0, window - limit])].map((offset) => recordsOfSlice(search, node, { offset, limit })),
  );
  const records = samples.flat();
  const fields = new Map<string, Map<string, number>>();
  for (const raw of records) {
    for (const [field, values] of readRecord(raw, search.kind).fields) {
      const counts = fields.get(field) ?? new Map<string, number>();
      fields.set(field, counts);
      for (const value of new Set(values.map((each) => each.value)))
        counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...fields].map(([field, counts]) => ({
    field,
    type: 'text',
    // A value met once says little about how many have it.
    values: [...counts]
      .filter(([value, count]) => count > 1 && value.trim() !== '')
      .map(([value, count]) => ({ value, count: Math.round((count / records.length) * node.total) }))
      .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1)),
  }));
}

/** The collections, and for a search of every kind the record types: known names, counted. */
export async function namedSets(search: CountedSearch, node: Node): Promise<readonly FacetCounts[]> {
  const sets: [string, readonly string[]][] = [['collections', await collectionIds(search)]];
  if (search.kind === 'records') sets.push(['recordType', RECORD_KINDS.map(recordType)]);
  return Promise.all(
    sets.map(async ([field, names]) => {
      const counted = names.map(async (value): Promise<ValueCount> => {
        const count = await countSlice(search, withTerm(node, term(field, value)));
        return { value, count: count ?? 0 };
      });
      const values = (await Promise.all(counted)).filter(({ count }) => count > 0);
      return { field, type: 'text', values };
    }),
  );
}

function recordType(kind: Exclude<Kind, 'records'>): string {
  return KIND_WORDS[kind].recordType;
}

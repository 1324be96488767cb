import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import { getFieldValues } from '../../service/records/record.js';
import { formatTerm } from '../../service/search/query.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';
import {
  FIRST_PAGE_SIZE,
  hasText,
  largestKind,
  listSearchableValues,
  requestNonEmptyPage,
  requestTotal,
  type SearchableValue,
  searchRecords,
  takeFirst,
} from '../samples/samples.js';

const TERMS = 'INTERFACE.md "Object records": query takes field:value terms combined with AND';

export const TERM_CHECKS: readonly Check[] = [
  {
    id: 'search.term',
    promise: 'a value taken from a record finds that record',
    source: TERMS,
    async *run(probe) {
      const kind = await largestKind(probe);
      const { record, field, value } = await tellingValue(probe, kind);
      const { records, total = 0, exchange } = await searchRecords(probe, kind, formatTerm(field, value));
      if (total > FIRST_PAGE_SIZE && records.every((each) => hasText(each, field, value))) return;
      if (records.some(({ id }) => id === record.id)) return;
      const expected = `${formatTerm(field, value)} finds ${KIND_KEYS[kind].recordType} ${record.id}`;
      yield deviation(expected, `${records.length} others${total > 0 ? ` of ${total}` : ''}`, exchange);
    },
  },
  {
    id: 'search.quoted',
    promise: 'a quoted value finds only records with exactly these words',
    source: 'FIELD-NOTES.md "Requests"; INTERFACE.md "Deprecated methods": collections:"<id>"',
    deviation: 'warn',
    needs: ['search.term'],
    async *run(probe) {
      const kind = await largestKind(probe);
      const { field, value } = await phrase(probe, kind);
      const { records, exchange } = await searchRecords(probe, kind, formatTerm(field, value));
      const other = records.find((each) => !hasText(each, field, value));
      if (records.length > 0 && !other) return;
      const values = other && getFieldValues(other, field).map((each) => `"${each.value}"`);
      const expected = `${formatTerm(field, value)} finds only ${kind} with these words in ${field}`;
      yield deviation(expected, other ? `${other.id} has ${values?.join(', ')}` : 'nothing', exchange);
    },
  },
  {
    id: 'search.and',
    promise: 'AND narrows a search',
    source: TERMS,
    needs: ['search.term', 'search.quoted'],
    async *run(probe) {
      const kind = await largestKind(probe);
      const rare = await tellingValue(probe, kind);
      const common = listSearchableValues([rare.record]).filter(({ field }) => field !== rare.field);
      const broad = await broadest(probe, kind, common);
      const query = formatTerm(rare.field, rare.value);
      const narrow = await searchRecords(probe, kind, query);
      if (narrow.total === undefined || broad.total <= narrow.total)
        throw new CheckNotApplicable('no two values were found of which one finds more than the other');
      const both = `${broad.query} AND ${query}`;
      const { total, at } = await requestTotal(probe, kind, [['query', both]]);
      const expected = `${both} finds from 1 to ${narrow.total} ${kind}, as ${query} finds ${narrow.total}`;
      if (total > narrow.total || total === 0) yield deviation(expected, total, at);
    },
  },
];

/** A value of the field with the most distinct values on the page. */
async function tellingValue(probe: Probe, kind: Kind): Promise<SearchableValue> {
  const { records } = await requestNonEmptyPage(probe, kind);
  const values = listSearchableValues(records);
  const spread = ({ field }: SearchableValue) =>
    new Set(values.filter((each) => each.field === field).map(({ value }) => value)).size;
  return takeFirst(ranked(values, spread), `no ${kind} have a plain value to search for`);
}

/** A value of several words, in the field where most other values share one of them, so that a search by single words would find too much. */
async function phrase(probe: Probe, kind: Kind): Promise<SearchableValue> {
  const { records } = await requestNonEmptyPage(probe, kind);
  const values = listSearchableValues(records).filter(
    ({ value }) => (value.match(/\p{L}{3,}/gu)?.length ?? 0) > 1,
  );
  const words = (value: string) => new Set(value.toLowerCase().split(' '));
  const alike = ({ field, value }: SearchableValue) => {
    const own = words(value);
    const others = values.filter((each) => each.field === field && !each.value.includes(value));
    return others.filter((each) => [...words(each.value)].some((word) => own.has(word))).length;
  };
  return takeFirst(ranked(values, alike), `no ${kind} have a value of several plain words`);
}

/** Of some values of a record the one that most others on the page share: its query, and how many records it finds. */
async function broadest(probe: Probe, kind: Kind, values: readonly SearchableValue[]) {
  const { records } = await requestNonEmptyPage(probe, kind);
  const shared = ({ field, value }: SearchableValue) =>
    records.filter((each) => hasText(each, field, value)).length;
  const { field, value } = takeFirst(ranked(values, shared), 'no record has two plain values');
  const query = formatTerm(field, value);
  const { total = 0 } = await searchRecords(probe, kind, query);
  return { query, total };
}

/** The values with the highest rank first. */
function ranked(
  values: readonly SearchableValue[],
  rankOf: (value: SearchableValue) => number,
): SearchableValue[] {
  const ranks = new Map(values.map((value) => [value, rankOf(value)]));
  return values.toSorted((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0));
}

import { KIND_WORDS, type Kind } from '../../service/kinds.js';
import { valuesOf } from '../../service/records/record.js';
import { term } from '../../service/search/query.js';
import type { Check } from '../check.js';
import {
  FIRST_PAGE,
  find,
  firstOf,
  holds,
  largestKind,
  plainValues,
  type Sought,
  someRecords,
  totalOf,
} from '../material/samples.js';
import { deviation, NothingToTry } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';

const TERMS = 'INTERFACE.md "Object records": query takes field:value terms combined with AND';

export const TERM_CHECKS: readonly Check[] = [
  {
    id: 'search.term',
    promise: 'a value taken from a record finds that record',
    source: TERMS,
    async *run(probe) {
      const kind = await largestKind(probe);
      const { record, field, value } = await tellingValue(probe, kind);
      const { records, total = 0, at } = await find(probe, kind, term(field, value));
      if (total > FIRST_PAGE && records.every((each) => holds(each, field, value))) return;
      if (records.some(({ id }) => id === record.id)) return;
      const expected = `${term(field, value)} finds ${KIND_WORDS[kind].recordType} ${record.id}`;
      yield deviation(expected, `${records.length} others${total > 0 ? ` of ${total}` : ''}`, at);
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
      const { records, at } = await find(probe, kind, term(field, value));
      const other = records.find((each) => !holds(each, field, value));
      if (records.length > 0 && !other) return;
      const values = other && valuesOf(other, field).map((each) => `"${each.value}"`);
      const expected = `${term(field, value)} finds only ${kind} with these words in ${field}`;
      yield deviation(expected, other ? `${other.id} has ${values?.join(', ')}` : 'nothing', at);
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
      const common = plainValues([rare.record]).filter(({ field }) => field !== rare.field);
      const broad = await broadest(probe, kind, common);
      const query = term(rare.field, rare.value);
      const narrow = await find(probe, kind, query);
      if (narrow.total === undefined || broad.total <= narrow.total)
        throw new NothingToTry('no two values were found of which one finds more than the other');
      const both = `${broad.query} AND ${query}`;
      const { total, at } = await totalOf(probe, kind, [['query', both]]);
      const expected = `${both} finds from 1 to ${narrow.total} ${kind}, as ${query} finds ${narrow.total}`;
      if (total > narrow.total || total === 0) yield deviation(expected, total, at);
    },
  },
];

/** A value of the field with the most distinct values on the page. */
async function tellingValue(probe: Probe, kind: Kind): Promise<Sought> {
  const { records } = await someRecords(probe, kind);
  const values = plainValues(records);
  const spread = ({ field }: Sought) =>
    new Set(values.filter((each) => each.field === field).map(({ value }) => value)).size;
  return firstOf(ranked(values, spread), `no ${kind} have a plain value to search for`);
}

/** A value of several words, in the field where most other values share one of them, so that a search by single words would find too much. */
async function phrase(probe: Probe, kind: Kind): Promise<Sought> {
  const { records } = await someRecords(probe, kind);
  const values = plainValues(records).filter(({ value }) => (value.match(/\p{L}{3,}/gu)?.length ?? 0) > 1);
  const words = (value: string) => new Set(value.toLowerCase().split(' '));
  const alike = ({ field, value }: Sought) => {
    const own = words(value);
    const others = values.filter((each) => each.field === field && !each.value.includes(value));
    return others.filter((each) => [...words(each.value)].some((word) => own.has(word))).length;
  };
  return firstOf(ranked(values, alike), `no ${kind} have a value of several plain words`);
}

/** Of some values of a record the one that most others on the page share: its query, and how many records it finds. */
async function broadest(probe: Probe, kind: Kind, values: readonly Sought[]) {
  const { records } = await someRecords(probe, kind);
  const shared = ({ field, value }: Sought) => records.filter((each) => holds(each, field, value)).length;
  const { field, value } = firstOf(ranked(values, shared), 'no record has two plain values');
  const query = term(field, value);
  const { total = 0 } = await find(probe, kind, query);
  return { query, total };
}

/** The values with the highest rank first. */
function ranked(values: readonly Sought[], rankOf: (value: Sought) => number): Sought[] {
  const ranks = new Map(values.map((value) => [value, rankOf(value)]));
  return values.toSorted((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0));
}

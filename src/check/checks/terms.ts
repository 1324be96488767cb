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
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';

const TERMS = 'INTERFACE.md "Object records": query takes field:value terms combined with AND';

export const TERM_CHECKS: readonly Check[] = [
  {
    id: 'search.term',
    promise: 'a value taken from a record finds that record',
    source: TERMS,
    run: findsItself,
  },
  {
    id: 'search.quoted',
    promise: 'a quoted value finds only records with exactly these words',
    source: 'FIELD-NOTES.md "Requests"; INTERFACE.md "Deprecated methods": collections:"<id>"',
    deviation: 'warn',
    needs: ['search.term'],
    run: quoted,
  },
  {
    id: 'search.and',
    promise: 'AND narrows a search',
    source: TERMS,
    needs: ['search.term', 'search.quoted'],
    run: narrows,
  },
];

/** A value of the field with the most distinct values on the page. */
async function tellingValue(probe: Probe, kind: Kind): Promise<Sought> {
  const { records } = await someRecords(probe, kind);
  const values = plainValues(records);
  const different = (field: string) =>
    new Set(values.filter((each) => each.field === field).map(({ value }) => value)).size;
  const spread = new Map(
    [...new Set(values.map(({ field }) => field))].map((field) => [field, different(field)]),
  );
  const best = values.toSorted((one, other) => (spread.get(other.field) ?? 0) - (spread.get(one.field) ?? 0));
  return firstOf(best, `no ${kind} have a plain value to search for`);
}

async function* findsItself(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const { record, field, value } = await tellingValue(probe, kind);
  const { records, total, at } = await find(probe, kind, term(field, value));
  if (total !== undefined && total > FIRST_PAGE && records.every((each) => holds(each, field, value))) return;
  if (!records.some(({ id }) => id === record.id)) {
    const received = `${records.length} others${total === undefined ? '' : ` of ${total}`}`;
    yield {
      expected: `${term(field, value)} finds ${KIND_WORDS[kind].recordType} ${record.id}`,
      received,
      at,
    };
  }
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
  const ranked = values
    .map((sought) => ({ sought, rank: alike(sought) }))
    .toSorted((one, other) => other.rank - one.rank);
  return firstOf(ranked, `no ${kind} have a value of several plain words`).sought;
}

async function* quoted(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const { field, value } = await phrase(probe, kind);
  const { records, at } = await find(probe, kind, term(field, value));
  const other = records.find((each) => !holds(each, field, value));
  if (other || records.length === 0)
    yield {
      expected: `${term(field, value)} finds only ${kind} with these words in ${field}`,
      received: other
        ? `${other.id} has "${valuesOf(other, field)
            .map((each) => each.value)
            .join('", "')}"`
        : 'nothing',
      at,
    };
}

async function* narrows(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const rare = await tellingValue(probe, kind);
  const common = plainValues([rare.record]).filter(({ field }) => field !== rare.field);
  const broad = await broadest(probe, kind, common);
  const narrow = await find(probe, kind, term(rare.field, rare.value));
  if (narrow.total === undefined || broad.total <= narrow.total)
    throw new NothingToTry('no two values were found of which one finds more than the other');
  const both = [broad.sought, rare].map(({ field, value }) => term(field, value)).join(' AND ');
  const { total, at } = await totalOf(probe, kind, [['query', both]]);
  if (total > narrow.total || total === 0) {
    const expected = `${both} finds from 1 to ${narrow.total} ${kind}, as ${term(rare.field, rare.value)} finds ${narrow.total}`;
    yield { expected, received: `${total}`, at };
  }
}

/** Of some values of a record the one that most others on the page share, with how many records it finds. */
async function broadest(probe: Probe, kind: Kind, values: readonly Sought[]) {
  const { records } = await someRecords(probe, kind);
  const shared = ({ field, value }: Sought) => records.filter((each) => holds(each, field, value)).length;
  const ranked = values.toSorted((one, other) => shared(other) - shared(one));
  const sought = firstOf(ranked, 'no record has two plain values');
  const { total } = await find(probe, kind, term(sought.field, sought.value));
  return { sought, total: total ?? 0 };
}

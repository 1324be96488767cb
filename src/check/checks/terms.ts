/** Checks searches: terms, phrases, AND, and the order of the results. */
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import { type CollectionRecord, getFieldValues, TITLE_FIELDS } from '../../service/records/record.js';
import { formatTerm } from '../../service/search/query.js';
import { withoutAccents } from '../../service/search/spelling.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';
import {
  DETAIL_VIEW,
  FIRST_PAGE_SIZE,
  findLargestKind,
  getRecordKey,
  hasText,
  listSearchableValues,
  requestNonEmptyPage,
  requestPage,
  requestTotal,
  type SearchableValue,
  searchRecords,
  takeFirst,
} from '../samples/samples.js';

const TERMS = 'opac help interface, "Object records": query takes field:value terms combined with AND';

export const TERM_CHECKS: readonly Check[] = [
  {
    id: 'search.term',
    promise: 'a search for a value of a record finds that record',
    source: TERMS,
    async *run(probe) {
      const kind = await findLargestKind(probe);
      const { record, field, value } = await findDistinctiveValue(probe, kind);
      const { records, total = 0, exchange } = await searchRecords(probe, kind, formatTerm(field, value));
      if (total > FIRST_PAGE_SIZE && records.every((each) => hasText(each, field, value))) return;
      if (records.some(({ id }) => id === record.id)) return;
      const expected = `${formatTerm(field, value)} finds ${KIND_KEYS[kind].recordType} ${record.id}`;
      yield deviation(expected, `${records.length} other records, total ${total}`, exchange);
    },
  },
  {
    id: 'search.quoted',
    promise: 'a quoted value finds only records with exactly these words',
    source:
      'opac help field-notes, "Requests"; opac help interface, "Deprecated methods": collections:"<id>"',
    needs: ['search.term'],
    async *run(probe) {
      const kind = await findLargestKind(probe);
      const { field, value } = await findPhrase(probe, kind);
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
    promise: 'AND returns no more records than either term alone',
    source: TERMS,
    needs: ['search.term', 'search.quoted'],
    async *run(probe) {
      const kind = await findLargestKind(probe);
      const rare = await findDistinctiveValue(probe, kind);
      const common = listSearchableValues([rare.record]).filter(({ field }) => field !== rare.field);
      const broad = await findBroadestTerm(probe, kind, common);
      const query = formatTerm(rare.field, rare.value);
      const narrow = await searchRecords(probe, kind, query);
      if (narrow.total === undefined || broad.total <= narrow.total)
        throw new CheckNotApplicable('no two values with different totals were found');
      const both = `${broad.query} AND ${query}`;
      const { total, exchange } = await requestTotal(probe, kind, [['query', both]]);
      const expected = `${both} finds 1 to ${narrow.total} ${kind}, because ${query} finds ${narrow.total}`;
      if (total > narrow.total || total === 0) yield deviation(expected, total, exchange);
    },
  },
];

export const ORDER_CHECKS: readonly Check[] = [
  {
    id: 'search.sort',
    promise: 'sort orders records by a field, and omits none',
    source: 'opac help interface, "Person records": sort; opac help field-notes, "Requests"',
    async *run(probe) {
      const { kind, field, first, total, ascending } = await requestSortedPages(probe);
      const sorted = ascending.total;
      if (total !== undefined && sorted !== undefined && total !== sorted)
        yield deviation(
          `sort=${field} returns all ${total} ${kind}`,
          `a total of ${sorted}`,
          ascending.exchange,
        );
      const values = ascending.records
        .map((each) => getFirstValue(each, field))
        .filter((value) => value !== '');
      const wrong = values.findIndex((value, n) => n > 0 && isSurelyBefore(value, values[n - 1] ?? ''));
      if (wrong < 0) return;
      const isUnsorted = joinIds(ascending) === first.join();
      const received = isUnsorted
        ? 'the same order as without sort'
        : `"${values[wrong - 1]}" before "${values[wrong]}"`;
      yield deviation(`sort=${field} orders ${kind} by ${field}`, received, ascending.exchange);
    },
  },
  {
    id: 'search.direction',
    promise: 'direction=desc reverses the order',
    source: 'opac help field-notes, "Requests": direction',
    needs: ['search.sort'],
    async *run(probe) {
      const { kind, field, ascending, descending } = await requestSortedPages(probe);
      const expected = `direction=desc begins with the last ${kind} by ${field}`;
      if (joinIds(ascending) === joinIds(descending))
        yield deviation(expected, 'the same order as with direction=asc', descending.exchange);
    },
  },
];

/** Returns a value of the field that has the most different values on the first page. */
async function findDistinctiveValue(probe: Probe, kind: Kind): Promise<SearchableValue> {
  const { records } = await requestNonEmptyPage(probe, kind);
  const values = listSearchableValues(records);
  const spread = ({ field }: SearchableValue) =>
    new Set(values.filter((each) => each.field === field).map(({ value }) => value)).size;
  return takeFirst(sortByRank(values, spread), `no ${kind} have a value without special characters`);
}

/**
 * Returns the phrase that shares words with the most other values. If a service ignores the quotes, a search for the phrase also
 * finds these other values.
 */
async function findPhrase(probe: Probe, kind: Kind): Promise<SearchableValue> {
  const { records } = await requestNonEmptyPage(probe, kind);
  const values = listSearchableValues(records).filter(
    ({ value }) => (value.match(/\p{L}{3,}/gu)?.length ?? 0) > 1,
  );
  const words = (value: string) => new Set(value.toLowerCase().split(' '));
  const countSimilar = ({ field, value }: SearchableValue) => {
    const own = words(value);
    const others = values.filter((each) => each.field === field && !each.value.includes(value));
    return others.filter((each) => [...words(each.value)].some((word) => own.has(word))).length;
  };
  return takeFirst(
    sortByRank(values, countSimilar),
    `no ${kind} have a value of several words without special characters`,
  );
}

async function findBroadestTerm(probe: Probe, kind: Kind, values: readonly SearchableValue[]) {
  const { records } = await requestNonEmptyPage(probe, kind);
  const shared = ({ field, value }: SearchableValue) =>
    records.filter((each) => hasText(each, field, value)).length;
  const { field, value } = takeFirst(
    sortByRank(values, shared),
    'the record has no second field with a value without special characters',
  );
  const query = formatTerm(field, value);
  const { total = 0 } = await searchRecords(probe, kind, query);
  return { query, total };
}

function sortByRank(values: readonly SearchableValue[], getRank: (value: SearchableValue) => number) {
  const ranks = new Map(values.map((value) => [value, getRank(value)]));
  return values.toSorted((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0));
}

async function requestSortedPages(probe: Probe) {
  const kind = await findLargestKind(probe);
  const { records, items, total } = await requestNonEmptyPage(probe, kind);
  const fields = [...new Set([...TITLE_FIELDS, ...records.flatMap((each) => [...each.fields.keys()])])];
  const keys = (field: string) =>
    new Set(records.map((each) => getSortKey(getFirstValue(each, field))).filter(Boolean));
  const varied = fields.filter((field) => keys(field).size > 2);
  const field = takeFirst(
    varied,
    `${kind} have no field with values that begin with three different letters or years`,
  );
  const by = (order: string) =>
    requestPage(probe, kind, {
      limit: FIRST_PAGE_SIZE,
      query: [['sort', field], ['direction', order], ...DETAIL_VIEW],
    });
  const first = items.map((item) => getRecordKey(item, kind));
  return { kind, field, first, total, ascending: await by('asc'), descending: await by('desc') };
}

const getFirstValue = (record: CollectionRecord, field: string) =>
  getFieldValues(record, field).find(({ value }) => value !== '')?.value ?? '';

const joinIds = ({ records }: { readonly records: readonly CollectionRecord[] }) =>
  records.map(({ id }) => id).join();

/**
 * Returns the first letter, or a year at the start. Returns undefined for other values and for values that begin with an article,
 * such as "the", because each service sorts them in a different way.
 */
function getSortKey(value: string): string | undefined {
  const plain = withoutAccents(value);
  if (/^(an?|the|l[ae]s?|un|une|der|die|das|el|il|te|nga)\b/.test(plain)) return undefined;
  return /^(?:[a-z]|\d{4}(?!\d))/.exec(plain)?.[0];
}

/** Returns true only if every usual sort order puts `value` before `other`. */
function isSurelyBefore(value: string, other: string): boolean {
  const [key, otherKey] = [getSortKey(value), getSortKey(other)];
  return key !== undefined && otherKey !== undefined && key.length === otherKey.length && key < otherKey;
}

import { type CollectionRecord, getFieldValues, TITLE_FIELDS } from '../../service/records/record.js';
import { withoutAccents } from '../../service/search/spelling.js';
import type { Check } from '../check.js';
import { deviation } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';
import {
  FIRST_PAGE_SIZE,
  getRecordKey,
  largestKind,
  requestNonEmptyPage,
  requestPage,
  takeFirst,
  WHOLE,
} from '../samples/samples.js';

export const ORDER_CHECKS: readonly Check[] = [
  {
    id: 'search.sort',
    promise: 'sort orders by a field',
    source: 'INTERFACE.md "Person records": sort; FIELD-NOTES.md "Requests"',
    async *run(probe) {
      const { kind, field, first, ascending } = await inOrder(probe);
      const values = ascending.records.map((each) => firstValue(each, field)).filter((value) => value !== '');
      const wrong = values.findIndex((value, n) => n > 0 && isSurelyBefore(value, values[n - 1] ?? ''));
      if (wrong < 0) return;
      const isUnsorted = idsOf(ascending) === first.join();
      const received = isUnsorted
        ? 'the order without sort'
        : `"${values[wrong - 1]}" before "${values[wrong]}"`;
      yield deviation(`sort=${field} orders ${kind} by ${field}`, received, ascending.exchange);
    },
  },
  {
    id: 'search.direction',
    promise: 'direction=desc turns the order round',
    source: 'FIELD-NOTES.md "Requests": direction',
    deviation: 'warn',
    needs: ['search.sort'],
    async *run(probe) {
      const { kind, field, ascending, descending } = await inOrder(probe);
      const expected = `direction=desc begins with the last ${kind} by ${field}`;
      if (idsOf(ascending) === idsOf(descending))
        yield deviation(expected, 'the order of direction=asc', descending.exchange);
    },
  },
];

/** The same records in three orders: as they come, and both ways by a field of which they have different values. */
async function inOrder(probe: Probe) {
  const kind = await largestKind(probe);
  const { records, items } = await requestNonEmptyPage(probe, kind);
  const fields = [...new Set([...TITLE_FIELDS, ...records.flatMap((each) => [...each.fields.keys()])])];
  const keys = (field: string) =>
    new Set(records.map((each) => sortKey(firstValue(each, field))).filter(Boolean));
  const varied = fields.filter((field) => keys(field).size > 2);
  const field = takeFirst(varied, `${kind} have no field with different values`);
  const by = (order: string) =>
    requestPage(probe, kind, {
      limit: FIRST_PAGE_SIZE,
      query: [['sort', field], ['direction', order], ...WHOLE],
    });
  const first = items.map((item) => getRecordKey(item, kind));
  return { kind, field, first, ascending: await by('asc'), descending: await by('desc') };
}

const firstValue = (record: CollectionRecord, field: string) =>
  getFieldValues(record, field).find(({ value }) => value !== '')?.value ?? '';

const idsOf = ({ records }: { readonly records: readonly CollectionRecord[] }) =>
  records.map(({ id }) => id).join();

/** The part of a value that every collation sorts alike: its first letter, or the year. Collations may skip articles, and differ in where they put signs. */
function sortKey(value: string): string | undefined {
  const plain = withoutAccents(value);
  if (/^(an?|the|l[ae]s?|un|une|der|die|das|el|il|te|nga)\b/.test(plain)) return undefined;
  return /^(?:[a-z]|\d{4}(?!\d))/.exec(plain)?.[0];
}

/** Whether a value stands before another in any order there is. */
function isSurelyBefore(value: string, other: string): boolean {
  const [key, otherKey] = [sortKey(value), sortKey(other)];
  return key !== undefined && otherKey !== undefined && key.length === otherKey.length && key < otherKey;
}

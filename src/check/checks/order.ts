import type { Kind } from '../../service/kinds.js';
import { type CollectionRecord, TITLE_FIELDS, valuesOf } from '../../service/records/record.js';
import { withoutAccents } from '../../service/search/spelling.js';
import type { Check } from '../check.js';
import { FIRST_PAGE, firstOf, identity, largestKind, page, someRecords, WHOLE } from '../material/samples.js';
import type { Deviation } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';

export const ORDER: readonly Check[] = [
  {
    id: 'search.sort',
    promise: 'sort orders by a field',
    source: 'INTERFACE.md "Person records": sort; FIELD-NOTES.md "Requests"',
    run: sort,
  },
  {
    id: 'search.direction',
    promise: 'direction=desc turns the order round',
    source: 'FIELD-NOTES.md "Requests": direction',
    deviation: 'warn',
    needs: ['search.sort'],
    run: direction,
  },
];

interface Ordered {
  readonly kind: Kind;
  readonly field: string;
  readonly first: readonly string[];
  readonly ascending: Awaited<ReturnType<typeof page>>;
  readonly descending: Awaited<ReturnType<typeof page>>;
}

/** The same records in three orders: as they come, and both ways by a field of which they have different values. */
async function inOrder(probe: Probe): Promise<Ordered> {
  const kind = await largestKind(probe);
  const { records, items } = await someRecords(probe, kind);
  const fields = [...new Set([...TITLE_FIELDS, ...records.flatMap((each) => [...each.fields.keys()])])];
  const keys = (field: string) =>
    new Set(records.map((each) => sortKey(firstValue(each, field))).filter(Boolean));
  const varied = fields.filter((field) => keys(field).size > 2);
  const field = firstOf(varied, `${kind} have no field with different values`);
  const by = (order: string) => {
    const query = [['sort', field], ['direction', order], ...WHOLE] as const;
    return page(probe, kind, { limit: FIRST_PAGE, query });
  };
  return {
    kind,
    field,
    first: items.map((item) => identity(item, kind)),
    ascending: await by('asc'),
    descending: await by('desc'),
  };
}

const firstValue = (record: CollectionRecord, field: string) =>
  valuesOf(record, field).find(({ value }) => value !== '')?.value ?? '';

const idsOf = ({ records }: { readonly records: readonly CollectionRecord[] }) =>
  records.map(({ id }) => id).join();

async function* sort(probe: Probe): AsyncGenerator<Deviation> {
  const { kind, field, first, ascending } = await inOrder(probe);
  const values = ascending.records.map((each) => firstValue(each, field)).filter((value) => value !== '');
  const wrong = values.findIndex(
    (value, index) => index > 0 && isSurelyBefore(value, values[index - 1] ?? ''),
  );
  if (wrong > 0)
    yield {
      expected: `sort=${field} orders ${kind} by ${field}`,
      received:
        idsOf(ascending) === first.join()
          ? 'the order without sort'
          : `"${values[wrong - 1]}" before "${values[wrong]}"`,
      at: ascending.at,
    };
}

async function* direction(probe: Probe): AsyncGenerator<Deviation> {
  const { kind, field, ascending, descending } = await inOrder(probe);
  if (idsOf(ascending) === idsOf(descending))
    yield {
      expected: `direction=desc begins with the last ${kind} by ${field}`,
      received: 'the order of direction=asc',
      at: descending.at,
    };
}

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

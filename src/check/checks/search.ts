/** Searching: terms, filters, order and views. */
import { asObject } from '../../service/json.js';
import { KIND_WORDS, type Kind } from '../../service/kinds.js';
import { type CollectionRecord, TITLE_FIELDS, valuesOf } from '../../service/records/record.js';
import { anyOf, term } from '../../service/search/query.js';
import type { Check } from '../check.js';
import type { Deviation } from '../deviation.js';
import {
  FIRST_PAGE,
  firstOf,
  holds,
  identity,
  itemIds,
  largestKind,
  page,
  plainValues,
  type Sought,
  someRecords,
  totalOf,
} from '../material.js';
import { NothingToTry } from '../nothing-to-try.js';
import type { Probe } from '../probe.js';

const TERMS = 'INTERFACE.md "Object records": query takes field:value terms combined with AND';

export const SEARCH: readonly Check[] = [
  {
    id: 'search.term',
    promise: 'a value taken from a record finds that record',
    source: TERMS,
    deviation: 'fail',
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
    deviation: 'fail',
    needs: ['search.term', 'search.quoted'],
    run: narrows,
  },
  {
    id: 'search.external-ids',
    promise: 'external_object_id finds the objects of a list of ids, and no others',
    source: 'INTERFACE.md "Object records": external_object_id',
    deviation: 'fail',
    run: externalIds,
  },
  {
    id: 'search.collections',
    promise: 'collections:"<id>" finds the objects of that collection',
    source: 'INTERFACE.md "Deprecated methods and their replacements"',
    deviation: 'fail',
    run: collections,
  },
  {
    id: 'search.highlight',
    promise: 'highlight:"<id>" finds the objects of that highlight, and not all of them',
    source: 'INTERFACE.md "Deprecated methods and their replacements"',
    deviation: 'fail',
    run: highlight,
  },
  {
    id: 'search.has-images',
    promise: 'hasImages=true finds only records with images',
    source: 'INTERFACE.md "Person records": hasImages',
    deviation: 'fail',
    run: hasImages,
  },
  {
    id: 'search.view',
    promise: 'a list in a view has only the fields of that view',
    source: 'FIELD-NOTES.md "Requests": view',
    deviation: 'warn',
    run: inView,
  },
  {
    id: 'search.deleted',
    promise: 'deleted records are left out unless they are asked for',
    source: 'FIELD-NOTES.md "Requests": deletedRecords=false',
    deviation: 'warn',
    run: deleted,
  },
  {
    id: 'search.sort',
    promise: 'sort orders by a field',
    source: 'INTERFACE.md "Person records": sort; FIELD-NOTES.md "Requests"',
    deviation: 'fail',
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

/** Records found by a query, whole. */
const find = (probe: Probe, kind: Kind, query: string) =>
  page(probe, kind, {
    limit: FIRST_PAGE,
    query: [
      ['query', query],
      ['view', 'detail'],
    ],
  });

/** The value that tells a record apart best: of the field with most different values on the page. */
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

/** A value of several words, in the field where most other values share one of them: there a search by single words shows. */
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

async function* externalIds(probe: Probe): AsyncGenerator<Deviation> {
  const { records } = await someRecords(probe, 'objects');
  const ids = [records[0], records.at(-1)].flatMap((each) => each?.id ?? []);
  const wanted = [...new Set(ids)];
  const query = anyOf('external_object_id', wanted);
  const found = await find(probe, 'objects', query);
  const got = found.records.map(({ id }) => id);
  if (got.toSorted().join() !== wanted.toSorted().join())
    yield {
      expected: `${query} finds these ${wanted.length}`,
      received: `${found.total ?? got.length}: ${got.slice(0, 5).join(', ')}`,
      at: found.at,
    };
}

async function* collections(probe: Probe): AsyncGenerator<Deviation> {
  const { records } = await someRecords(probe, 'objects');
  const { collection } = firstOf(
    records.filter((each) => each.collection?.id),
    'no object is in a collection',
  );
  const id = collection?.id ?? '';
  const found = await find(probe, 'objects', term('collections', id));
  const other = found.records.find((each) => each.collection?.id !== id);
  if (found.records.length === 0 || other)
    yield {
      expected: `${term('collections', id)} finds objects of collection ${id}`,
      received: other
        ? `object ${other.id}, which is in collection ${other.collection?.id || '(none)'}`
        : 'none',
      at: found.at,
    };
}

async function* highlight(probe: Probe): AsyncGenerator<Deviation> {
  const id = firstOf(await itemIds(probe, 'highlights.list'), 'there are no highlights');
  const found = await totalOf(probe, 'objects', [['query', term('highlight', id)]]);
  const all = await totalOf(probe, 'objects', [['facetedResults', 'true']]);
  if (found.total === 0 || (found.total === all.total && all.total > FIRST_PAGE))
    yield {
      expected: `${term('highlight', id)} finds some of the ${all.total} objects`,
      received: found.total === 0 ? 'none' : 'all of them',
      at: found.at,
    };
}

async function* hasImages(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const found = await page(probe, kind, {
    limit: FIRST_PAGE,
    query: [
      ['hasImages', 'true'],
      ['view', 'detail'],
    ],
  });
  const first = await someRecords(probe, kind);
  if (found.items.length === 0 && first.records.every(({ images }) => images.length === 0))
    throw new NothingToTry(`no ${kind} have images`);
  const other = found.records.find(({ images }) => images.length === 0);
  if (other || found.items.length === 0)
    yield {
      expected: `${kind} with images`,
      received: other ? `${other.id}, which has none` : 'none',
      at: found.at,
    };
}

async function* inView(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const { items } = await probe.list(`${kind}.views`);
  const { records } = await someRecords(probe, kind);
  const published = new Set(records.flatMap(({ fields }) => [...fields.keys()]));
  const views = items
    .map(asObject)
    .map((view) => ({ name: String(view.viewName ?? view.name ?? ''), fields: fieldNames(view.fields) }));
  const narrow = views.filter(
    ({ name, fields }) => name !== '' && fields.size > 0 && [...published].some((each) => !fields.has(each)),
  );
  const { name, fields } = firstOf(narrow, `no view of ${kind} has fewer fields than the records`);
  const shown = await page(probe, kind, { limit: 3, query: [['view', name]] });
  const surplus = shown.records.flatMap((each) => [...each.fields.keys()]).find((each) => !fields.has(each));
  if (surplus !== undefined)
    yield {
      expected: `view=${name} shows ${[...fields].slice(0, 5).join(', ')}`,
      received: `${surplus} as well`,
      at: shown.at,
    };
}

function fieldNames(fields: unknown): Set<string> {
  const list = Array.isArray(fields) ? fields : [];
  return new Set(
    list.map((field) => String(asObject(field).identifier ?? asObject(field).fieldName ?? field)),
  );
}

async function* deleted(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const usual = await totalOf(probe, kind, [['facetedResults', 'true']]);
  const without = await totalOf(probe, kind, [['deletedRecords', 'false']]);
  if (usual.total !== without.total)
    yield {
      expected: `${without.total} ${kind}, as with deletedRecords=false`,
      received: `${usual.total}, with deleted ones among them`,
      at: without.at,
    };
}

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
  const by = (order: string) =>
    page(probe, kind, {
      limit: FIRST_PAGE,
      query: [
        ['sort', field],
        ['direction', order],
        ['view', 'detail'],
      ],
    });
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

/** What every order agrees on: the letter a value begins with, or the year. Articles may be passed over, and signs stand anywhere. */
function sortKey(value: string): string | undefined {
  const plain = value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (/^(an?|the|l[ae]s?|un|une|der|die|das|el|il|te|nga)\b/.test(plain)) return undefined;
  return /^(?:[a-z]|\d{4}(?!\d))/.exec(plain)?.[0];
}

/** Whether a value stands before another in any order there is. */
function isSurelyBefore(value: string, other: string): boolean {
  const [key, otherKey] = [sortKey(value), sortKey(other)];
  return key !== undefined && otherKey !== undefined && key.length === otherKey.length && key < otherKey;
}

/** What narrows a search beside terms of fields: ids, collections, highlights, images, views, deletion. */
import { asObject } from '../../service/json.js';
import { anyOf, term } from '../../service/search/query.js';
import type { Check } from '../check.js';
import {
  FIRST_PAGE,
  find,
  firstOf,
  itemId,
  itemIds,
  largestKind,
  page,
  someRecords,
  totalOf,
  viewFields,
  WHOLE,
} from '../material/samples.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import type { Probe } from '../probe/probe.js';

export const FILTERS: readonly Check[] = [
  {
    id: 'search.external-ids',
    promise: 'external_object_id finds the objects of a list of ids, and no others',
    source: 'INTERFACE.md "Object records": external_object_id',
    run: externalIds,
  },
  {
    id: 'search.collections',
    promise: 'collections:"<id>" finds the objects of that collection',
    source: 'INTERFACE.md "Deprecated methods and their replacements"',
    run: collections,
  },
  {
    id: 'search.highlight',
    promise: 'highlight:"<id>" finds the objects of that highlight, and not all of them',
    source: 'INTERFACE.md "Deprecated methods and their replacements"',
    run: highlight,
  },
  {
    id: 'search.has-images',
    promise: 'hasImages=true finds only records with images',
    source: 'INTERFACE.md "Person records": hasImages',
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
];

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
  const all = await totalOf(probe, 'objects');
  if (found.total === 0 || (found.total === all.total && all.total > FIRST_PAGE))
    yield {
      expected: `${term('highlight', id)} finds some of the ${all.total} objects`,
      received: found.total === 0 ? 'none' : 'all of them',
      at: found.at,
    };
}

async function* hasImages(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const query = [['hasImages', 'true'], ...WHOLE] as const;
  const found = await page(probe, kind, { limit: FIRST_PAGE, query });
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
    .map((view) => ({ name: itemId(view, 'view'), fields: new Set(viewFields(view)) }));
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

async function* deleted(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const usual = await totalOf(probe, kind);
  const without = await totalOf(probe, kind, [['deletedRecords', 'false']]);
  if (usual.total !== without.total)
    yield {
      expected: `${without.total} ${kind}, as with deletedRecords=false`,
      received: `${usual.total}, with deleted ones among them`,
      at: without.at,
    };
}

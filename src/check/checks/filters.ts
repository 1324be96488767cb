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
import { deviation, NothingToTry } from '../probe/deviation.js';

export const FILTERS: readonly Check[] = [
  {
    id: 'search.external-ids',
    promise: 'external_object_id finds the objects of a list of ids, and no others',
    source: 'INTERFACE.md "Object records": external_object_id',
    async *run(probe) {
      const { records } = await someRecords(probe, 'objects');
      const wanted = new Set([records[0], records.at(-1)].flatMap((each) => each?.id ?? []));
      const query = anyOf('external_object_id', [...wanted]);
      const found = await find(probe, 'objects', query);
      const got = found.records.map(({ id }) => id);
      if (got.toSorted().join() === [...wanted].toSorted().join()) return;
      const received = `${found.total ?? got.length}: ${got.slice(0, 5).join(', ')}`;
      yield deviation(`${query} finds these ${wanted.size}`, received, found.at);
    },
  },
  {
    id: 'search.collections',
    promise: 'collections:"<id>" finds the objects of that collection',
    source: 'INTERFACE.md "Deprecated methods and their replacements"',
    async *run(probe) {
      const { records } = await someRecords(probe, 'objects');
      const ids = records.flatMap(({ collection }) => collection?.id || []);
      const id = firstOf(ids, 'no object is in a collection');
      const found = await find(probe, 'objects', term('collections', id));
      const other = found.records.find((each) => each.collection?.id !== id);
      if (found.records.length > 0 && !other) return;
      const place = other?.collection?.id || '(none)';
      const received = other ? `object ${other.id}, which is in collection ${place}` : 'none';
      yield deviation(`${term('collections', id)} finds objects of collection ${id}`, received, found.at);
    },
  },
  {
    id: 'search.highlight',
    promise: 'highlight:"<id>" finds the objects of that highlight, and not all of them',
    source: 'INTERFACE.md "Deprecated methods and their replacements"',
    async *run(probe) {
      const id = firstOf(await itemIds(probe, 'highlights.list'), 'there are no highlights');
      const { total, at } = await totalOf(probe, 'objects', [['query', term('highlight', id)]]);
      const all = await totalOf(probe, 'objects');
      const expected = `${term('highlight', id)} finds some of the ${all.total} objects`;
      if (total === 0) yield deviation(expected, 'none', at);
      else if (total === all.total && total > FIRST_PAGE) yield deviation(expected, 'all of them', at);
    },
  },
  {
    id: 'search.has-images',
    promise: 'hasImages=true finds only records with images',
    source: 'INTERFACE.md "Person records": hasImages',
    async *run(probe) {
      const kind = await largestKind(probe);
      const found = await page(probe, kind, { limit: FIRST_PAGE, query: [['hasImages', 'true'], ...WHOLE] });
      const first = await someRecords(probe, kind);
      const isEmpty = found.items.length === 0;
      if (isEmpty && first.records.every(({ images }) => images.length === 0))
        throw new NothingToTry(`no ${kind} have images`);
      const other = found.records.find(({ images }) => images.length === 0);
      if (other) yield deviation(`${kind} with images`, `${other.id}, which has none`, found.at);
      else if (isEmpty) yield deviation(`${kind} with images`, 'none', found.at);
    },
  },
  {
    id: 'search.view',
    promise: 'a list in a view has only the fields of that view',
    source: 'FIELD-NOTES.md "Requests": view',
    deviation: 'warn',
    async *run(probe) {
      const kind = await largestKind(probe);
      const { items } = await probe.list(`${kind}.views`);
      const { records } = await someRecords(probe, kind);
      const published = records.flatMap(({ fields }) => [...fields.keys()]);
      const views = items
        .map(asObject)
        .map((view) => ({ name: itemId(view, 'view'), fields: viewFields(view) }));
      const narrow = views.filter(
        ({ name, fields }) =>
          name !== '' && fields.length > 0 && published.some((each) => !fields.includes(each)),
      );
      const { name, fields } = firstOf(narrow, `no view of ${kind} has fewer fields than the records`);
      const shown = await page(probe, kind, { limit: 3, query: [['view', name]] });
      const seen = shown.records.flatMap((each) => [...each.fields.keys()]);
      const surplus = seen.find((each) => !fields.includes(each));
      const expected = `view=${name} shows ${fields.slice(0, 5).join(', ')}`;
      if (surplus !== undefined) yield deviation(expected, `${surplus} as well`, shown.at);
    },
  },
  {
    id: 'search.deleted',
    promise: 'deleted records are left out unless they are asked for',
    source: 'FIELD-NOTES.md "Requests": deletedRecords=false',
    deviation: 'warn',
    async *run(probe) {
      const kind = await largestKind(probe);
      const usual = await totalOf(probe, kind);
      const { total, at } = await totalOf(probe, kind, [['deletedRecords', 'false']]);
      const expected = `${total} ${kind}, as with deletedRecords=false`;
      if (usual.total !== total)
        yield deviation(expected, `${usual.total}, with deleted ones among them`, at);
    },
  },
];

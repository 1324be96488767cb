/** Checks the filters of a search: ids, collections, highlights, images, views and deleted records. */

import { formatCount } from '../../service/format-numbers.js';
import { asObject } from '../../service/json.js';
import { formatAlternatives, formatTerm } from '../../service/search/query.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import {
  DETAIL_VIEW,
  FIRST_PAGE_SIZE,
  findLargestKind,
  readItemId,
  readViewFields,
  requestItemIds,
  requestNonEmptyPage,
  requestPage,
  requestTotal,
  searchRecords,
  takeFirst,
} from '../samples/samples.js';

export const FILTER_CHECKS: readonly Check[] = [
  {
    id: 'search.external-ids',
    promise: 'external_object_id finds exactly the objects whose ids are listed',
    source: 'opac help interface, "Object records": external_object_id',
    async *run(probe) {
      const { records } = await requestNonEmptyPage(probe, 'objects');
      const wanted = new Set([records[0], records.at(-1)].flatMap((each) => each?.id ?? []));
      const query = formatAlternatives('external_object_id', [...wanted]);
      const found = await searchRecords(probe, 'objects', query);
      const got = found.records.map(({ id }) => id);
      if (got.toSorted().join() === [...wanted].toSorted().join()) return;
      const count = formatCount(found.total ?? got.length, 'object');
      const received = got.length === 0 ? count : `${count}: ${got.slice(0, 5).join(', ')}`;
      yield deviation(`${query} finds these ${wanted.size} objects`, received, found.exchange);
    },
  },
  {
    id: 'search.collections',
    promise: 'collections:"<id>" finds the objects of that collection',
    source: 'opac help interface, "Deprecated methods and their replacements"',
    async *run(probe) {
      const { records } = await requestNonEmptyPage(probe, 'objects');
      const ids = records.flatMap(({ collection }) => collection?.id || []);
      const id = takeFirst(ids, 'no object is in a collection');
      const found = await searchRecords(probe, 'objects', formatTerm('collections', id));
      const other = found.records.find((each) => each.collection?.id !== id);
      if (found.records.length > 0 && !other) return;
      const place = other?.collection?.id || '(none)';
      const received = other ? `object ${other.id}, which is in collection ${place}` : 'none';
      const expected = `${formatTerm('collections', id)} finds objects of collection ${id}`;
      yield deviation(expected, received, found.exchange);
    },
  },
  {
    id: 'search.highlight',
    promise: 'highlight:"<id>" finds only the objects of that highlight, not all objects',
    source: 'opac help interface, "Deprecated methods and their replacements"',
    async *run(probe) {
      const id = takeFirst(
        await requestItemIds(probe, 'highlights.list'),
        'the service returns no highlights',
      );
      const { total, exchange } = await requestTotal(probe, 'objects', [
        ['query', formatTerm('highlight', id)],
      ]);
      const all = await requestTotal(probe, 'objects');
      const expected = `${formatTerm('highlight', id)} finds some of the ${all.total} objects`;
      if (total === 0) yield deviation(expected, 'none', exchange);
      else if (total === all.total && total > FIRST_PAGE_SIZE)
        yield deviation(expected, 'all of them', exchange);
    },
  },
  {
    id: 'search.has-images',
    promise: 'hasImages=true finds only records with images',
    source: 'opac help interface, "Person records": hasImages',
    async *run(probe) {
      const kind = await findLargestKind(probe);
      const found = await requestPage(probe, kind, {
        limit: FIRST_PAGE_SIZE,
        query: [['hasImages', 'true'], ...DETAIL_VIEW],
      });
      const first = await requestNonEmptyPage(probe, kind);
      const isEmpty = found.items.length === 0;
      if (isEmpty && first.records.every(({ images }) => images.length === 0))
        throw new CheckNotApplicable(`no ${kind} have images`);
      const other = found.records.find(({ images }) => images.length === 0);
      if (other) yield deviation(`${kind} with images`, `${other.id}, which has no images`, found.exchange);
      else if (isEmpty) yield deviation(`${kind} with images`, 'none', found.exchange);
    },
  },
  {
    id: 'search.view',
    promise: 'a list that is requested with a view has only the fields of that view',
    source: 'opac help field-notes, "Requests": view',
    warning: 'the responses contain additional fields, but no field is missing',
    async *run(probe) {
      const kind = await findLargestKind(probe);
      const { items } = await probe.requestList(`${kind}.views`);
      const { records } = await requestNonEmptyPage(probe, kind);
      const published = records.flatMap(({ fields }) => [...fields.keys()]);
      const views = items
        .map(asObject)
        .map((view) => ({ name: readItemId(view, 'view'), fields: readViewFields(view) }));
      const narrow = views.filter(
        ({ name, fields }) =>
          name !== '' && fields.length > 0 && published.some((each) => !fields.includes(each)),
      );
      const { name, fields } = takeFirst(narrow, `no view of ${kind} has fewer fields than the records`);
      const shown = await requestPage(probe, kind, { limit: 3, query: [['view', name]] });
      const seen = shown.records.flatMap((each) => [...each.fields.keys()]);
      const surplus = seen.find((each) => !fields.includes(each));
      const expected = `view=${name} returns only the fields of that view`;
      if (surplus !== undefined) yield deviation(expected, `also ${surplus}`, shown.exchange);
    },
  },
  {
    id: 'search.deleted',
    promise: 'searches do not return deleted records unless requested',
    source: 'opac help field-notes, "Requests": deletedRecords=false',
    async *run(probe) {
      const kind = await findLargestKind(probe);
      const usual = await requestTotal(probe, kind);
      const { total, exchange } = await requestTotal(probe, kind, [['deletedRecords', 'false']]);
      const expected = `${total} ${kind}, as with deletedRecords=false`;
      const deleted = usual.total > total ? ', including deleted records' : '';
      if (usual.total !== total) yield deviation(expected, `${usual.total}${deleted}`, exchange);
    },
  },
];

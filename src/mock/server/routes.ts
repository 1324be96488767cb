/** What answers each row of the catalogue. */
import { CATALOGUE } from '../../service/catalogue.js';
import { KIND_WORDS, KINDS, type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import {
  distinctLabels,
  fieldValues,
  type RecordList,
  recordsIn,
  type StoredRecord,
  type Wire,
} from '../data/record-list.js';
import { CSS_COLORS } from '../images/css-colors.js';
import type { Settings } from '../options.js';
import { jsonResponse, jsonTextResponse, notFound, type RouteResponse } from '../response.js';
import { countFacet, facetsOf } from '../search/facets.js';
import { recordsOf } from '../search/select.js';
import { type View, viewsOf } from '../search/views.js';
import type { Store } from '../store.js';
import { integerParameter, type RouteRequest, type ServerState } from './request.js';
import { answerSearch } from './search-route.js';

export type Route = (visit: RouteRequest, house: ServerState) => RouteResponse;

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const SINGLE: Readonly<Record<string, Route>> = {
  'oauth.authorize': ({ query }, { oauth }) => oauth.authorize(query),
  'oauth.token': ({ contentType, body }, { oauth }) => oauth.token(contentType, body),

  'persons.authorities': (visit, { store, settings }) =>
    authorities(visit, store.records.persons, () => true, settings),
  'venues.authorities': (visit, { store, settings }) =>
    authorities(visit, store.records.venues, () => true, settings),
  'collections.authorities': (visit, { store, settings }) => {
    const chosen = store.collections[0]?.id;
    return authorities(
      visit,
      store.records.objects,
      ({ parsed: facts }) => facts.collection?.id === chosen,
      settings,
    );
  },

  'collections.list': (visit, { store, settings }) =>
    listed(
      visit,
      settings,
      'opacCollections',
      'totalCollections',
      store.collections.map(({ id, name, description, objects }) => ({
        opacCollectionId: id,
        collectionName: name,
        description,
        totalObjects: objects,
      })),
    ),
  'colors.list': () => jsonResponse({ cssColors: CSS_COLORS, totalCssColors: CSS_COLORS.length }),
  'comments.list': (visit, { store, settings }) =>
    listed(visit, settings, 'comments', 'totalComments', store.comments),
  'highlights.list': (visit, { store, settings }) =>
    listed(visit, settings, 'highlights', 'totalHighlights', store.highlights.map(highlight)),
  'highlights.get': ({ parameters: { highlightId = '' } }, { store }) => {
    const found = store.highlights.find((each) => each.highlightId === highlightId);
    if (!found) throw notFound('Highlight', highlightId);
    return jsonResponse(highlight(found));
  },
  'records.imagelabels': (visit, { store, settings }) =>
    listed(visit, settings, 'imageLabels', 'totalImageLabels', store.imageLabels),
  'objects.imagelabels': ({ parameters }, { store }) => {
    const imageLabels = distinctLabels(entry('objects', parameters, store));
    return jsonResponse({ imageLabels, totalImageLabels: imageLabels.length });
  },
  'objects.imagelabel': ({ parameters }, { store }) => {
    const { imageLabelId = '' } = parameters;
    const labels = distinctLabels(entry('objects', parameters, store));
    const found = labels.find((label) => String(label.imageLabelId) === imageLabelId);
    if (!found) throw notFound('Image label', imageLabelId);
    return jsonResponse(found);
  },
};

/** The routes that every kind has, all kinds together included. */
const OF_ANY_KIND: Readonly<Record<string, (kind: Kind) => Route>> = {
  search: (kind) => (visit, house) => answerSearch(kind, visit, house),
  facet:
    (kind) =>
    ({ parameters: { facetId = '' }, query }, { store, searcher }) => {
      const facet = facetsOf(kind, store.records[kind]).find((each) => each.facetId === facetId);
      if (!facet) throw notFound('Facet', facetId);
      return jsonResponse(countFacet(facet, recordsOf(searcher.select(kind, query))));
    },
};

/** The routes of each kind of record. */
const OF_RECORD_KIND: Readonly<Record<string, (kind: RecordKind) => Route>> = {
  get:
    (kind) =>
    ({ parameters }, { store }) =>
      jsonTextResponse(entry(kind, parameters, store).text),
  relationships:
    (kind) =>
    (_, { store }) => {
      const relationships = relationshipsOf(store.records[kind]);
      return jsonResponse({ relationships, totalRelationships: relationships.length });
    },
  relationship:
    (kind) =>
    ({ parameters }, { store }) => {
      const { relationshipId = '' } = parameters;
      const { relationships } = entry(kind, parameters, store).parsed;
      const found = relationships.find((each) => each.relationshipId === relationshipId);
      if (!found) throw notFound('Relationship', relationshipId);
      return jsonResponse(found);
    },
  views:
    (kind) =>
    (_, { store }) => {
      const views = viewsOf(store.records[kind]);
      return jsonResponse({ views, totalViews: views.length });
    },
  view:
    (kind) =>
    ({ parameters: { viewName = '' } }, { store }) =>
      jsonResponse(view(kind, viewName, store)),
  advancedsearch:
    (kind) =>
    (_, { store }) =>
      jsonResponse(view(kind, 'advancedsearch', store)),
};

/** The route of each row of the catalogue, by its id. */
export const ROUTES: ReadonlyMap<string, Route> = new Map([
  ...Object.entries(SINGLE),
  ...KINDS.flatMap((kind) => forKind(kind, OF_ANY_KIND)),
  ...RECORD_KINDS.flatMap((kind) => forKind(kind, OF_RECORD_KIND)),
]);

const unanswered = CATALOGUE.find(({ id }) => !ROUTES.has(id));
if (unanswered) throw new RangeError(`no route answers ${unanswered.id}`);

function forKind<K extends Kind>(
  kind: K,
  routes: Readonly<Record<string, (kind: K) => Route>>,
): (readonly [string, Route])[] {
  return Object.entries(routes).map(([part, make]) => [`${kind}.${part}`, make(kind)] as const);
}

function entry(
  kind: RecordKind,
  parameters: RouteRequest['parameters'],
  { records: shelves }: Store,
): StoredRecord {
  const { idKey, recordType } = KIND_WORDS[kind];
  const id = parameters[idKey] ?? '';
  const found = shelves[kind].byId(id);
  if (!found) throw notFound(capital(recordType), id);
  return found;
}

function view(kind: RecordKind, viewName: string, { records: shelves }: Store): View {
  const found = viewsOf(shelves[kind]).find((each) => each.viewName === viewName);
  if (!found) throw notFound('View', viewName);
  return found;
}

function highlight({ highlightId, title, recordIds, images }: Store['highlights'][number]): Wire {
  return {
    highlightId,
    title,
    totalObjects: recordIds.length,
    imagesCollection: { images, totalImages: images.length },
  };
}

/** The kinds of relationship that records of a shelf have. */
function relationshipsOf(shelf: RecordList): Wire[] {
  const known = new Map<unknown, Wire>();
  for (const { parsed: facts } of recordsIn(shelf)) {
    for (const { relationshipId, relatedRecordType } of facts.relationships) {
      known.set(relationshipId, { relationshipId, relatedRecordType });
    }
  }
  return [...known.values()];
}

/** The terms of a field with how many records have them. */
function authorities(
  visit: RouteRequest,
  shelf: RecordList,
  belongs: (entry: StoredRecord) => boolean,
  settings: Settings,
): RouteResponse {
  const { authorityFieldName = '' } = visit.parameters;
  if (!shelf.identifiers.includes(authorityFieldName)) throw notFound('Authority field', authorityFieldName);
  const counts = new Map<string, number>();
  for (const each of recordsIn(shelf)) {
    if (!belongs(each)) continue;
    for (const term of new Set(fieldValues(each, authorityFieldName)))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const terms = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([authorityTerm, count], index) => ({ authorityTermId: String(index + 1), authorityTerm, count }));
  return listed(visit, settings, 'authorityTerms', 'totalAuthorityTerms', terms);
}

/** A short list: all of it, unless the request pages. */
function listed(
  { query }: RouteRequest,
  { cap }: Settings,
  key: string,
  totalKey: string,
  items: readonly unknown[],
): RouteResponse {
  const offset = integerParameter(query, 'offset') ?? 0;
  const limit = integerParameter(query, 'limit');
  const page = items.slice(offset, limit === undefined ? undefined : offset + Math.min(limit, cap));
  return jsonResponse({ [key]: page, [totalKey]: items.length });
}

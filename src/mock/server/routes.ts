/** The route of each endpoint of the catalogue. */
import { CATALOGUE } from '../../service/endpoints/catalogue.js';
import { KIND_WORDS, KINDS, type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import {
  distinctLabels,
  fieldValues,
  type JsonRecord,
  type RecordList,
  recordsIn,
  type StoredRecord,
} from '../data/record-list.js';
import { CSS_COLORS } from '../images/css-colors.js';
import { jsonResponse, jsonTextResponse, notFound, type RouteResponse } from '../response.js';
import { countFacet, facetsOf } from '../search/facets.js';
import { findView, viewsOf } from '../search/views.js';
import type { Store } from '../store.js';
import { integerParameter, type RouteRequest, type ServerState } from './request.js';
import { searchResponse } from './search-route.js';

export type Route = (request: RouteRequest, state: ServerState) => RouteResponse;

const SINGLE_ROUTES: Readonly<Record<string, Route>> = {
  'oauth.authorize': ({ query }, { oauth }) => oauth.authorize(query),
  'oauth.token': ({ contentType, body }, { oauth }) => oauth.token(contentType, body),
  'persons.authorities': (request, state) => authorityTerms(request, state, 'persons', () => true),
  'venues.authorities': (request, state) => authorityTerms(request, state, 'venues', () => true),
  'collections.authorities': (request, state) => {
    const firstId = state.store.collections[0]?.id;
    return authorityTerms(request, state, 'objects', ({ collection }) => collection?.id === firstId);
  },
  'collections.list': (request, state) => {
    const collections = state.store.collections.map(({ id, name, description, objects }) => ({
      opacCollectionId: id,
      collectionName: name,
      description,
      totalObjects: objects,
    }));
    return listPage(request, state, 'opacCollections', collections);
  },
  'colors.list': () => list('cssColors', CSS_COLORS),
  'comments.list': (request, state) => listPage(request, state, 'comments', state.store.comments),
  'highlights.list': (request, state) =>
    listPage(request, state, 'highlights', state.store.highlights.map(highlight)),
  'highlights.get': ({ parameters: { highlightId = '' } }, { store }) =>
    jsonResponse(highlight(found(store.highlights, 'highlightId', highlightId, 'Highlight'))),
  'records.imagelabels': (request, state) => listPage(request, state, 'imageLabels', state.store.imageLabels),
  'objects.imagelabels': ({ parameters }, { store }) =>
    list('imageLabels', distinctLabels(findRecord('objects', parameters, store).parsed)),
  'objects.imagelabel': ({ parameters }, { store }) => {
    const labels = distinctLabels(findRecord('objects', parameters, store).parsed);
    return jsonResponse(found(labels, 'imageLabelId', parameters.imageLabelId, 'Image label'));
  },
};

/** The routes that every kind has, all kinds together included. */
const KIND_ROUTES: Readonly<Record<string, (kind: Kind) => Route>> = {
  search: (kind) => (request, state) => searchResponse(kind, request, state),
  facet: (kind) => (request, state) => {
    const facets = facetsOf(kind, state.store.records[kind]);
    const facet = found(facets, 'facetId', request.parameters.facetId, 'Facet');
    return jsonResponse(countFacet(facet, state.searcher.select(kind, request.query)));
  },
};

const RECORD_KIND_ROUTES: Readonly<Record<string, (kind: RecordKind) => Route>> = {
  get: (kind) => (request, state) => jsonTextResponse(findRecord(kind, request.parameters, state.store).text),
  relationships: (kind) => (_, state) => list('relationships', relationshipsIn(state.store.records[kind])),
  relationship: (kind) => (request, state) => {
    const { relationships } = findRecord(kind, request.parameters, state.store).parsed;
    const { relationshipId } = request.parameters;
    return jsonResponse(found(relationships, 'relationshipId', relationshipId, 'Relationship'));
  },
  views: (kind) => (_, state) => list('views', viewsOf(state.store.records[kind])),
  view: (kind) => (request, state) => viewResponse(state.store.records[kind], request.parameters.viewName),
  advancedsearch: (kind) => (_, state) => viewResponse(state.store.records[kind], 'advancedsearch'),
};

export const ROUTES: ReadonlyMap<string, Route> = new Map([
  ...Object.entries(SINGLE_ROUTES),
  ...KINDS.flatMap((kind) => routesOf(kind, KIND_ROUTES)),
  ...RECORD_KINDS.flatMap((kind) => routesOf(kind, RECORD_KIND_ROUTES)),
]);

const unserved = CATALOGUE.find(({ id }) => !ROUTES.has(id));
if (unserved) throw new RangeError(`no route for ${unserved.id}`);

function routesOf<K extends Kind>(
  kind: K,
  routes: Readonly<Record<string, (kind: K) => Route>>,
): (readonly [string, Route])[] {
  return Object.entries(routes).map(([name, make]) => [`${kind}.${name}`, make(kind)] as const);
}

function findRecord(kind: RecordKind, parameters: RouteRequest['parameters'], store: Store): StoredRecord {
  const { idKey, recordType } = KIND_WORDS[kind];
  const id = parameters[idKey] ?? '';
  const record = store.records[kind].byId(id);
  if (!record) throw notFound(capitalized(recordType), id);
  return record;
}

function found<Key extends string, Item extends { readonly [K in Key]?: unknown }>(
  items: readonly Item[],
  idKey: Key,
  id = '',
  what: string,
): Item {
  const item = items.find((each) => String(each[idKey]) === id);
  if (!item) throw notFound(what, id);
  return item;
}

function viewResponse(records: RecordList, viewName = ''): RouteResponse {
  const view = findView(records, viewName);
  if (!view) throw notFound('View', viewName);
  return jsonResponse(view);
}

function highlight({ highlightId, title, recordIds, images }: Store['highlights'][number]): JsonRecord {
  return {
    highlightId,
    title,
    totalObjects: recordIds.length,
    imagesCollection: { images, totalImages: images.length },
  };
}

function relationshipsIn(records: RecordList): JsonRecord[] {
  const known = new Map<unknown, JsonRecord>();
  for (const { searched } of recordsIn(records)) {
    for (const { relationshipId, relatedRecordType } of searched.relationships) {
      known.set(relationshipId, { relationshipId, relatedRecordType });
    }
  }
  return [...known.values()];
}

function authorityTerms(
  request: RouteRequest,
  state: ServerState,
  kind: RecordKind,
  isCounted: (record: StoredRecord['searched']) => boolean,
): RouteResponse {
  const records = state.store.records[kind];
  const { authorityFieldName = '' } = request.parameters;
  if (!records.identifiers.includes(authorityFieldName))
    throw notFound('Authority field', authorityFieldName);
  const counts = new Map<string, number>();
  for (const record of recordsIn(records)) {
    if (!isCounted(record.searched)) continue;
    for (const term of new Set(fieldValues(record, authorityFieldName)))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const terms = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([authorityTerm, count], index) => ({ authorityTermId: String(index + 1), authorityTerm, count }));
  return listPage(request, state, 'authorityTerms', terms);
}

/** A short list: all of it, unless the request pages. */
function listPage(
  { query }: RouteRequest,
  { settings }: ServerState,
  key: string,
  items: readonly unknown[],
): RouteResponse {
  const offset = integerParameter(query, 'offset') ?? 0;
  const limit = integerParameter(query, 'limit');
  const end = limit === undefined ? undefined : offset + Math.min(limit, settings.cap);
  return list(key, items.slice(offset, end), items.length);
}

/** A list and its total under the service's keys, such as `opacCollections` and `totalCollections`. */
function list(key: string, items: readonly unknown[], total = items.length): RouteResponse {
  return jsonResponse({ [key]: items, [`total${capitalized(key.replace(/^opac/, ''))}`]: total });
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The routes for the endpoints that read records, and a function that responds to requests without a server. */
import { findEndpoint } from '../service/endpoints/find-endpoint.js';
import { KIND_KEYS, KINDS, type Kind, RECORD_KINDS, type RecordKind } from '../service/kinds.js';
import { CSS_COLORS } from './colors/css-colors.js';
import {
  distinctLabels,
  fieldValues,
  type JsonRecord,
  type ParsedRecord,
  type StoredRecord,
} from './record.js';
import { iterateRecords, type RecordList } from './record-list.js';
import { type RecordsState, type RouteRequest, readIntegerParameter } from './request.js';
import {
  createNotFoundError,
  jsonResponse,
  jsonTextResponse,
  RouteError,
  type RouteResponse,
  routeError,
} from './response.js';
import { listFacets } from './search/facets.js';
import { Searcher } from './search/searcher.js';
import { findView, listViews } from './search/views.js';
import { searchResponse } from './search-route.js';
import type { Highlight, RecordStore } from './store.js';

export type Route = (request: RouteRequest, state: RecordsState) => RouteResponse | Promise<RouteResponse>;

const SINGLE_ROUTES: Readonly<Record<string, Route>> = {
  'persons.authorities': (request, state) => listAuthorityTerms(request, state, 'persons', () => true),
  'venues.authorities': (request, state) => listAuthorityTerms(request, state, 'venues', () => true),
  'collections.authorities': async (request, state) => {
    const firstId = (await state.store.index()).collections[0]?.id;
    return listAuthorityTerms(request, state, 'objects', ({ collection }) => collection?.id === firstId);
  },
  'collections.list': async (request, state) => {
    const collections = (await state.store.index()).collections.map(({ id, name, description, objects }) => ({
      opacCollectionId: id,
      collectionName: name,
      description,
      totalObjects: objects,
    }));
    return respondWithList(request, state, 'opacCollections', collections);
  },
  'colors.list': () => listResponse('cssColors', CSS_COLORS),
  'comments.list': (request, state) => respondWithList(request, state, 'comments', state.store.comments),
  'highlights.list': (request, state) =>
    respondWithList(request, state, 'highlights', state.store.highlights.map(formatHighlight)),
  'highlights.get': ({ parameters: { highlightId = '' } }, { store }) =>
    jsonResponse(formatHighlight(findItem(store.highlights, 'highlightId', highlightId, 'Highlight'))),
  'records.imagelabels': async (request, state) =>
    respondWithList(request, state, 'imageLabels', (await state.store.index()).imageLabels),
  'objects.imagelabels': async ({ parameters }, { store }) =>
    listResponse('imageLabels', distinctLabels((await findRecord('objects', parameters, store)).parsed)),
  'objects.imagelabel': async ({ parameters }, { store }) => {
    const labels = distinctLabels((await findRecord('objects', parameters, store)).parsed);
    return jsonResponse(findItem(labels, 'imageLabelId', parameters.imageLabelId, 'Image label'));
  },
};

const KIND_ROUTES: Readonly<Record<string, (kind: Kind) => Route>> = {
  search: (kind) => (request, state) => searchResponse(kind, request, state),
  facet:
    (kind) =>
    async ({ parameters: { facetId }, query }, { store, searcher }) => {
      findItem(listFacets(kind, await store.records[kind].identifiers()), 'facetId', facetId, 'Facet');
      const { facets } = await searcher.select(kind, query, true);
      return jsonResponse(findItem(facets, 'facetId', facetId, 'Facet'));
    },
};

const RECORD_KIND_ROUTES: Readonly<Record<string, (kind: RecordKind) => Route>> = {
  get: (kind) => async (request, state) =>
    jsonTextResponse((await findRecord(kind, request.parameters, state.store)).bytes),
  relationships: (kind) => async (_, state) =>
    listResponse('relationships', await listRelationships(state.store.records[kind])),
  relationship: (kind) => async (request, state) => {
    const { relationships } = (await findRecord(kind, request.parameters, state.store)).parsed;
    const { relationshipId } = request.parameters;
    return jsonResponse(findItem(relationships, 'relationshipId', relationshipId, 'Relationship'));
  },
  views: (kind) => async (_, state) =>
    listResponse('views', listViews(await state.store.records[kind].identifiers())),
  view: (kind) => (request, state) => respondWithView(state.store.records[kind], request.parameters.viewName),
  advancedsearch: (kind) => (_, state) => respondWithView(state.store.records[kind], 'advancedsearch'),
};

export const ROUTES: ReadonlyMap<string, Route> = new Map([
  ...Object.entries(SINGLE_ROUTES),
  ...KINDS.flatMap((kind) => createRoutes(kind, KIND_ROUTES)),
  ...RECORD_KINDS.flatMap((kind) => createRoutes(kind, RECORD_KIND_ROUTES)),
]);

/** Returns a function that responds to GET requests for paths below `/api/v3`. For a damaged record, it throws a UsageError. */
export function createResponder(
  store: RecordStore,
): (path: string, query: URLSearchParams) => Promise<RouteResponse> {
  const state: RecordsState = {
    store,
    searcher: new Searcher(store),
    cap: Number.MAX_SAFE_INTEGER,
    hasStubs: true,
  };
  return async (path, query) => {
    try {
      const found = findEndpoint(path);
      const route = found && ROUTES.get(found.row.id);
      if (!route) throw routeError(404, `No such path : ${path}`);
      return await route({ parameters: found.values, query }, state);
    } catch (error) {
      if (error instanceof RouteError) return error.response;
      throw error;
    }
  };
}

function createRoutes<K extends Kind>(
  kind: K,
  routes: Readonly<Record<string, (kind: K) => Route>>,
): (readonly [string, Route])[] {
  return Object.entries(routes).map(([name, make]) => [`${kind}.${name}`, make(kind)] as const);
}

async function findRecord(
  kind: RecordKind,
  parameters: RouteRequest['parameters'],
  store: RecordStore,
): Promise<StoredRecord> {
  const { idKey, recordType } = KIND_KEYS[kind];
  const id = parameters[idKey] ?? '';
  const record = await store.records[kind].byId(id);
  if (!record) throw createNotFoundError(capitalize(recordType), id);
  return record;
}

function findItem<Key extends string, Item extends { readonly [K in Key]?: unknown }>(
  items: readonly Item[],
  idKey: Key,
  id = '',
  itemType: string,
): Item {
  const item = items.find((each) => String(each[idKey]) === id);
  if (!item) throw createNotFoundError(itemType, id);
  return item;
}

async function respondWithView(records: RecordList, viewName = ''): Promise<RouteResponse> {
  const view = findView(await records.identifiers(), viewName);
  if (!view) throw createNotFoundError('View', viewName);
  return jsonResponse(view);
}

function formatHighlight({ highlightId, title, recordIds, images }: Highlight): JsonRecord {
  return {
    highlightId,
    title,
    totalObjects: recordIds.length,
    imagesCollection: { images, totalImages: images.length },
  };
}

async function listRelationships(records: RecordList): Promise<JsonRecord[]> {
  const known = new Map<unknown, JsonRecord>();
  for await (const { parsed } of iterateRecords(records)) {
    for (const { relationshipId, relatedRecordType } of parsed.relationships) {
      known.set(relationshipId, { relationshipId, relatedRecordType });
    }
  }
  return [...known.values()];
}

async function listAuthorityTerms(
  request: RouteRequest,
  state: RecordsState,
  kind: RecordKind,
  isCounted: (record: ParsedRecord) => boolean,
): Promise<RouteResponse> {
  const records = state.store.records[kind];
  const { authorityFieldName = '' } = request.parameters;
  if (!(await records.identifiers()).includes(authorityFieldName))
    throw createNotFoundError('Authority field', authorityFieldName);
  const counts = new Map<string, number>();
  for await (const record of iterateRecords(records)) {
    if (!isCounted(record.parsed)) continue;
    for (const term of new Set(fieldValues(record, authorityFieldName)))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const terms = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([authorityTerm, count], index) => ({ authorityTermId: String(index + 1), authorityTerm, count }));
  return respondWithList(request, state, 'authorityTerms', terms);
}

function respondWithList(
  { query }: RouteRequest,
  { cap }: RecordsState,
  key: string,
  items: readonly unknown[],
): RouteResponse {
  const offset = readIntegerParameter(query, 'offset') ?? 0;
  const limit = readIntegerParameter(query, 'limit');
  const end = limit === undefined ? undefined : offset + Math.min(limit, cap);
  return listResponse(key, items.slice(offset, end), items.length);
}

/** Names the total as the service does: the response for the key `opacCollections` has the total in `totalCollections`. */
export function listResponse(key: string, items: readonly unknown[], total = items.length): RouteResponse {
  return jsonResponse({ [key]: items, [`total${capitalize(key.replace(/^opac/, ''))}`]: total });
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

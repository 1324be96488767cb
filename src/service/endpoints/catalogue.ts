/** The endpoints of the service, one row each: the client, the commands, the museum's router and OpenAPI all read them. */
import { UsageError } from '../errors.js';
import type { Json, JsonObject } from '../json.js';
import { KIND_WORDS, type Kind, type RecordKind } from '../kinds.js';
import { percentEncoded } from '../percent-encoding.js';
import {
  flag,
  get,
  integer,
  type ListShape,
  list,
  type Origin,
  one,
  type Parameter,
  type ResponseShape,
  type Row,
  required,
  text,
} from './endpoint-row.js';

/** One endpoint of the service: method, path, parameters and what it responds with. */
export interface Endpoint extends Row<EndpointId, ResponseShape> {}

const paging = (origin: Origin): Parameter[] => [
  integer('limit', origin, 'records in a page; silently capped (100 is common); 0 gives the totals alone'),
  integer('offset', origin, 'records to pass over, counted in records'),
];

const QUERY = text('query', 'documented', 'field:value terms joined by AND');
const FACET = text('facet', 'observed', 'only records with these facet values: field:value[,field:value]');

const HAS_IMAGES = flag('hasImages', 'documented', 'only records with images');

const SEARCH: readonly Parameter[] = [
  QUERY,
  ...paging('observed'),
  text('sort', 'documented', 'identifier of the field to sort by'),
  { ...text('direction', 'observed', 'order of the sort'), values: ['asc', 'desc'] },
  HAS_IMAGES,
  text('view', 'observed', 'label, detail or the name of a view; without it a list may hold bare ids'),
  FACET,
  flag('facetedResults', 'observed', 'adds facetsCollection to the result'),
  flag('deletedRecords', 'observed', 'also records that were deleted'),
  flag('imageAttributes', 'observed', 'adds the attributes of the images'),
];

const FACET_SEARCH: readonly Parameter[] = [QUERY, FACET, HAS_IMAGES];

/** `GET /opacobjects` and its like. The shapes of objects and persons were observed, the rest follows by analogy. */
function search<const K extends Kind>(kind: K, summary: string) {
  const { segment, recordType } = KIND_WORDS[kind];
  const { listKey, totalKey }: Pick<(typeof KIND_WORDS)[K], 'listKey' | 'totalKey'> = KIND_WORDS[kind];
  const seen = kind === 'objects' || kind === 'persons';
  return get({
    id: `${kind}.search`,
    path: `/${segment}`,
    query: SEARCH,
    response: list(listKey, totalKey, recordType, seen ? 'observed' : 'likely'),
    summary,
  });
}

function record<const K extends RecordKind>(kind: K, summary: string, origin: Origin) {
  const { segment, idKey, recordType } = KIND_WORDS[kind];
  return get({
    id: `${kind}.get`,
    path: `/${segment}/{${idKey}}`,
    response: one(recordType, 'observed'),
    summary,
    origin,
  });
}

function facet<const K extends Kind>(kind: K, summary: string, origin: Origin) {
  return get({
    id: `${kind}.facet`,
    path: `/${KIND_WORDS[kind].segment}/facets/{facetId}`,
    query: FACET_SEARCH,
    response: one('facet'),
    summary,
    origin,
  });
}

function relationships<const K extends RecordKind>(kind: K, summary: string) {
  const { segment, idKey, recordType } = KIND_WORDS[kind];
  return [
    get({
      id: `${kind}.relationships`,
      path: `/${segment}/relationships`,
      response: list('relationships', 'totalRelationships', 'relationship'),
      summary,
    }),
    get({
      id: `${kind}.relationship`,
      path: `/${segment}/{${idKey}}/relationships/{relationshipId}`,
      response: one('relationship'),
      summary: `one relationship of a ${recordType} and its related set of records`,
    }),
  ];
}

function views<const K extends RecordKind>(
  kind: K,
  origins: { readonly named: Origin; readonly advanced: Origin },
) {
  const { segment, recordType } = KIND_WORDS[kind];
  const path = `/${segment}/views`;
  const all = list('views', 'totalViews', 'view');
  const view = { response: one('view'), summary: `one ${recordType} view`, origin: origins.named };
  const advanced = { summary: `the ${recordType} advanced search view`, origin: origins.advanced };
  return [
    get({ id: `${kind}.views`, path, response: all, summary: `all ${recordType} views` }),
    get({ id: `${kind}.view`, path: `${path}/{viewName}`, ...view }),
    get({ id: `${kind}.advancedsearch`, path: `${path}/advancedsearch`, ...view, ...advanced }),
  ];
}

function authorities<const Noun extends string>(noun: Noun, parent: string, whose: string) {
  return get({
    id: `${noun}.authorities`,
    path: `/${parent}/authorities/{authorityFieldName}`,
    query: paging('likely'),
    response: list('authorityTerms', 'totalAuthorityTerms', 'term'),
    summary: `the authority terms of ${whose}`,
  });
}

const ROWS = [
  get({
    id: 'oauth.authorize',
    path: '/oauth/authorize',
    query: [
      required('clientId', 'client identifier'),
      required('responseType', 'always code', ['code']),
      required('redirectURI', 'the registered redirect URI'),
      required('state', 'random alphanumeric value chosen by the client'),
      required('codeChallengeMethod', 'how the challenge was derived', ['S256', 'PLAIN']),
      required('codeChallenge', 'value derived from the code verifier'),
    ],
    response: { shape: 'redirect', origin: 'documented' },
    summary: 'ask for an authorization code; answers 302 to the redirect URI with state and code',
  }),
  get({
    id: 'oauth.token',
    method: 'POST',
    path: '/oauth/token',
    response: { shape: 'token', origin: 'documented' },
    summary: 'exchange an authorization code for an access token',
  }),

  authorities('persons', 'opacpersons', 'a field of the persons'),
  authorities('venues', 'opacvenues', 'a field of the exhibition venues'),
  authorities('collections', 'opaccollections/defaultcollection', 'a field of the default collection'),

  get({
    id: 'collections.list',
    path: '/opaccollections',
    query: paging('likely'),
    response: list('opacCollections', 'totalCollections', 'collection'),
    summary: 'all collections',
  }),
  get({
    id: 'colors.list',
    path: '/colors/css',
    response: list('cssColors', 'totalCssColors', 'color'),
    summary: 'the CSS colour palette',
  }),
  get({
    id: 'comments.list',
    path: '/opacobjects/comments',
    query: paging('likely'),
    response: list('comments', 'totalComments', 'comment'),
    summary: 'comments on records',
  }),

  search('venues', 'search the exhibition venues'),
  record('venues', 'one exhibition venue', 'documented'),
  facet('venues', 'facet information for exhibition venue results', 'documented'),
  ...relationships('venues', 'all exhibition venue relationships'),
  ...views('venues', { named: 'documented', advanced: 'documented' }),

  get({
    id: 'highlights.list',
    path: '/highlights',
    query: paging('likely'),
    response: list('highlights', 'totalHighlights', 'highlight'),
    summary: 'all highlights, with every derivative of their images',
  }),
  get({
    id: 'highlights.get',
    path: '/highlights/{highlightId}',
    response: one('highlight'),
    summary: 'one highlight, with every derivative of its images',
  }),

  get({
    id: 'records.imagelabels',
    path: '/opacrecords/imagelabels',
    query: paging('likely'),
    response: list('imageLabels', 'totalImageLabels', 'imagelabel'),
    summary: 'all image labels',
  }),
  get({
    id: 'objects.imagelabels',
    path: '/opacobjects/{opacObjectId}/imagelabels',
    response: list('imageLabels', 'totalImageLabels', 'imagelabel'),
    summary: 'the image labels of one object',
  }),
  get({
    id: 'objects.imagelabel',
    path: '/opacobjects/{opacObjectId}/imagelabels/{imageLabelId}',
    response: one('imagelabel'),
    summary: 'one image label of an object',
  }),

  search('objects', 'search the objects'),
  record('objects', 'one object', 'observed'),
  facet('objects', 'facet information for object searches', 'documented'),
  ...relationships('objects', 'all object relationships'),
  ...views('objects', { named: 'likely', advanced: 'likely' }),

  search('persons', 'search the persons'),
  record('persons', 'one person', 'observed'),
  facet('persons', 'facet information for person results', 'likely'),
  ...relationships('persons', 'all person relationships'),
  ...views('persons', { named: 'likely', advanced: 'documented' }),

  search('records', 'search records of every kind; each carries its recordType'),
  facet('records', 'facet information for searches over all records', 'documented'),
];

/** The id of an endpoint, as `objects.search`. */
export type EndpointId = (typeof ROWS)[number]['id'];

/** All endpoints. */
export const CATALOGUE: readonly Endpoint[] = ROWS;

type ShapeOf<Id extends EndpointId> = Extract<(typeof ROWS)[number], { readonly id: Id }>['response'];

/** The ids of endpoints that respond with lists. */
export type ListEndpointId = {
  [Id in EndpointId]: ShapeOf<Id> extends ListShape<string, string> ? Id : never;
}[EndpointId];

/** What an endpoint responds with: a list under its keys where the service keeps to them, one item otherwise. */
export type ResponseOf<Id extends EndpointId> =
  ShapeOf<Id> extends ListShape<infer Key, infer Total>
    ? JsonObject & { readonly [K in Key]?: readonly Json[] } & { readonly [T in Total]?: number }
    : JsonObject;

const BY_ID = new Map<string, Endpoint>(CATALOGUE.map((row) => [row.id, row]));

/** The row with that id. Throws a RangeError for an unknown id. */
export function endpoint(id: EndpointId): Endpoint {
  const row = BY_ID.get(id);
  if (!row) throw new RangeError(`no endpoint "${id}" in the catalogue`);
  return row;
}

export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/**
 * The path of an endpoint with its parameters filled in and percent-encoded (RFC 3986 section 2.1).
 * Throws a RangeError for a missing parameter, a UsageError for a value that a path cannot hold ("", "." or "..").
 */
export function fillPath(row: Endpoint, parameters: Readonly<Record<string, string>> = {}): string {
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new RangeError(`${row.id} needs ${name}`);
    // An empty segment is another endpoint, and a URL resolves dots away even when they are percent-encoded.
    if (/^\.{0,2}$/.test(value)) throw new UsageError(`invalid value "${value}" for ${name}`);
    return percentEncoded(value);
  });
}

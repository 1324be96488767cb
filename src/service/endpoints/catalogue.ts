/** The endpoints of the service, for the client, the commands, the mock museum and the OpenAPI document. */
import { UsageError } from '../errors.js';
import type { Json, JsonObject } from '../json.js';
import { KIND_KEYS, type Kind, type RecordKind } from '../kinds.js';
import { percentEncode } from '../percent-encoding.js';
import {
  defineBoolean,
  defineGet,
  defineInteger,
  defineRequiredText,
  defineText,
  type EndpointRow,
  itemResponse,
  type ListShape,
  listResponse,
  type Parameter,
  type Provenance,
  type ResponseShape,
} from './endpoint-row.js';

/** An endpoint of the service. */
export interface Endpoint extends EndpointRow<EndpointId, ResponseShape> {}

const definePaging = (origin: Provenance): Parameter[] => [
  defineInteger(
    'limit',
    origin,
    'records per page; 0 returns only the total. The service has a maximum, often 100',
  ),
  defineInteger('offset', origin, 'number of records to skip'),
];

const QUERY = defineText('query', 'documented', 'field:value terms joined by AND');
const FACET = defineText(
  'facet',
  'observed',
  'only records with these facet values: field:value[,field:value]',
);

const HAS_IMAGES = defineBoolean('hasImages', 'documented', 'only records with images');

const SEARCH: readonly Parameter[] = [
  QUERY,
  ...definePaging('observed'),
  defineText('sort', 'documented', 'identifier of the field to sort by'),
  { ...defineText('direction', 'observed', 'order of the sort'), values: ['asc', 'desc'] },
  HAS_IMAGES,
  defineText(
    'view',
    'observed',
    'name of a view, such as label or detail; without a view, lists may contain only ids',
  ),
  FACET,
  defineBoolean('facetedResults', 'observed', 'adds facetsCollection to the result'),
  defineBoolean('deletedRecords', 'observed', 'adds records that were deleted'),
  defineBoolean('imageAttributes', 'observed', 'adds the attributes of the images'),
];

const FACET_SEARCH: readonly Parameter[] = [QUERY, FACET, HAS_IMAGES];

/** The keys in responses about objects and persons are known from deployments. For other kinds, opac assumes similar keys. */
function defineSearch<const K extends Kind>(kind: K, summary: string) {
  const { segment, recordType } = KIND_KEYS[kind];
  const { listKey, totalKey }: Pick<(typeof KIND_KEYS)[K], 'listKey' | 'totalKey'> = KIND_KEYS[kind];
  const isObserved = kind === 'objects' || kind === 'persons';
  return defineGet({
    id: `${kind}.search`,
    path: `/${segment}`,
    query: SEARCH,
    response: listResponse(listKey, totalKey, recordType, isObserved ? 'observed' : 'likely'),
    summary,
  });
}

function defineRecord<const K extends RecordKind>(kind: K, summary: string, origin: Provenance) {
  const { segment, idKey, recordType } = KIND_KEYS[kind];
  return defineGet({
    id: `${kind}.get`,
    path: `/${segment}/{${idKey}}`,
    response: itemResponse(recordType, 'observed'),
    summary,
    origin,
  });
}

function defineFacet<const K extends Kind>(kind: K, summary: string, origin: Provenance) {
  return defineGet({
    id: `${kind}.facet`,
    path: `/${KIND_KEYS[kind].segment}/facets/{facetId}`,
    query: FACET_SEARCH,
    response: itemResponse('facet'),
    summary,
    origin,
  });
}

function defineRelationships<const K extends RecordKind>(kind: K, summary: string) {
  const { segment, idKey, recordType } = KIND_KEYS[kind];
  return [
    defineGet({
      id: `${kind}.relationships`,
      path: `/${segment}/relationships`,
      response: listResponse('relationships', 'totalRelationships', 'relationship'),
      summary,
    }),
    defineGet({
      id: `${kind}.relationship`,
      path: `/${segment}/{${idKey}}/relationships/{relationshipId}`,
      response: itemResponse('relationship'),
      summary: `one relationship of one ${recordType}, with the related records`,
    }),
  ];
}

function defineViews<const K extends RecordKind>(
  kind: K,
  origins: { readonly named: Provenance; readonly advanced: Provenance },
) {
  const { segment, recordType } = KIND_KEYS[kind];
  const path = `/${segment}/views`;
  const all = listResponse('views', 'totalViews', 'view');
  const view = { response: itemResponse('view'), summary: `one ${recordType} view`, origin: origins.named };
  const advanced = { summary: `the view for advanced searches of ${recordType}s`, origin: origins.advanced };
  return [
    defineGet({ id: `${kind}.views`, path, response: all, summary: `all ${recordType} views` }),
    defineGet({ id: `${kind}.view`, path: `${path}/{viewName}`, ...view }),
    defineGet({ id: `${kind}.advancedsearch`, path: `${path}/advancedsearch`, ...view, ...advanced }),
  ];
}

function defineAuthorities<const Noun extends string>(noun: Noun, parent: string, whose: string) {
  return defineGet({
    id: `${noun}.authorities`,
    path: `/${parent}/authorities/{authorityFieldName}`,
    query: definePaging('likely'),
    response: listResponse('authorityTerms', 'totalAuthorityTerms', 'term'),
    summary: `the authority terms of ${whose}`,
  });
}

const ROWS = [
  defineGet({
    id: 'oauth.authorize',
    path: '/oauth/authorize',
    query: [
      defineRequiredText('clientId', 'client identifier'),
      defineRequiredText('responseType', 'always code', ['code']),
      defineRequiredText('redirectURI', 'the registered redirect URI'),
      defineRequiredText('state', 'random alphanumeric value chosen by the client'),
      defineRequiredText('codeChallengeMethod', 'how the challenge was derived', ['S256', 'PLAIN']),
      defineRequiredText('codeChallenge', 'value derived from the code verifier'),
    ],
    response: { shape: 'redirect', origin: 'documented' },
    summary: 'request an authorization code; the response redirects to the redirect URI with state and code',
  }),
  defineGet({
    id: 'oauth.token',
    method: 'POST',
    path: '/oauth/token',
    response: { shape: 'token', origin: 'documented' },
    summary: 'exchange an authorization code for an access token',
  }),

  defineAuthorities('persons', 'opacpersons', 'a field of the persons'),
  defineAuthorities('venues', 'opacvenues', 'a field of the exhibition venues'),
  defineAuthorities('collections', 'opaccollections/defaultcollection', 'a field of the default collection'),

  defineGet({
    id: 'collections.list',
    path: '/opaccollections',
    query: definePaging('likely'),
    response: listResponse('opacCollections', 'totalCollections', 'collection'),
    summary: 'all collections',
  }),
  defineGet({
    id: 'colors.list',
    path: '/colors/css',
    response: listResponse('cssColors', 'totalCssColors', 'color'),
    summary: 'the CSS colour palette',
  }),
  defineGet({
    id: 'comments.list',
    path: '/opacobjects/comments',
    query: definePaging('likely'),
    response: listResponse('comments', 'totalComments', 'comment'),
    summary: 'comments on records',
  }),

  defineSearch('venues', 'search the exhibition venues'),
  defineRecord('venues', 'one exhibition venue', 'documented'),
  defineFacet('venues', 'facet information for exhibition venue searches', 'documented'),
  ...defineRelationships('venues', 'all exhibition venue relationships'),
  ...defineViews('venues', { named: 'documented', advanced: 'documented' }),

  defineGet({
    id: 'highlights.list',
    path: '/highlights',
    query: definePaging('likely'),
    response: listResponse('highlights', 'totalHighlights', 'highlight'),
    summary: 'all highlights, with every derivative of their images',
  }),
  defineGet({
    id: 'highlights.get',
    path: '/highlights/{highlightId}',
    response: itemResponse('highlight'),
    summary: 'one highlight, with every derivative of its images',
  }),

  defineGet({
    id: 'records.imagelabels',
    path: '/opacrecords/imagelabels',
    query: definePaging('likely'),
    response: listResponse('imageLabels', 'totalImageLabels', 'imagelabel'),
    summary: 'all image labels',
  }),
  defineGet({
    id: 'objects.imagelabels',
    path: '/opacobjects/{opacObjectId}/imagelabels',
    response: listResponse('imageLabels', 'totalImageLabels', 'imagelabel'),
    summary: 'the image labels of one object',
  }),
  defineGet({
    id: 'objects.imagelabel',
    path: '/opacobjects/{opacObjectId}/imagelabels/{imageLabelId}',
    response: itemResponse('imagelabel'),
    summary: 'one image label of an object',
  }),

  defineSearch('objects', 'search the objects'),
  defineRecord('objects', 'one object', 'observed'),
  defineFacet('objects', 'facet information for object searches', 'documented'),
  ...defineRelationships('objects', 'all object relationships'),
  ...defineViews('objects', { named: 'likely', advanced: 'likely' }),

  defineSearch('persons', 'search the persons'),
  defineRecord('persons', 'one person', 'observed'),
  defineFacet('persons', 'facet information for person searches', 'likely'),
  ...defineRelationships('persons', 'all person relationships'),
  ...defineViews('persons', { named: 'likely', advanced: 'documented' }),

  defineSearch('records', 'search records of every kind; each contains its recordType'),
  defineFacet('records', 'facet information for searches over all records', 'documented'),
];

/** The id of an endpoint: `objects.search`. */
export type EndpointId = (typeof ROWS)[number]['id'];

/** All endpoints of the service. */
export const CATALOGUE: readonly Endpoint[] = ROWS;

type ShapeOf<Id extends EndpointId> = Extract<(typeof ROWS)[number], { readonly id: Id }>['response'];

/** The ids of endpoints that return lists. */
export type ListEndpointId = {
  [Id in EndpointId]: ShapeOf<Id> extends ListShape<string, string> ? Id : never;
}[EndpointId];

/** The body of a response. A service may omit the list or the total. */
export type ResponseOf<Id extends EndpointId> =
  ShapeOf<Id> extends ListShape<infer Key, infer Total>
    ? JsonObject & { readonly [K in Key]?: readonly Json[] } & { readonly [T in Total]?: number }
    : JsonObject;

const BY_ID = new Map<string, Endpoint>(CATALOGUE.map((row) => [row.id, row]));

/** Throws a UsageError for an unknown id. */
export function getEndpoint(id: EndpointId): Endpoint {
  const row = BY_ID.get(id);
  if (!row) throw new UsageError(`no endpoint "${id}" in the catalogue`);
  return row;
}

export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** Percent-encodes the parameters. Throws a UsageError if a parameter is missing, or is "", "." or "..". */
export function fillPath(row: Endpoint, parameters: Readonly<Record<string, string>> = {}): string {
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new UsageError(`${row.id} needs ${name}`);
    // An empty segment leads to another endpoint. URL parsers resolve "." and ".." even if the dots are percent-encoded.
    if (/^\.{0,2}$/.test(value)) throw new UsageError(`invalid value "${value}" for ${name}`);
    return percentEncode(value);
  });
}

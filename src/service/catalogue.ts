/**
 * The catalogue: everything the tool knows about the service's interface, one row an endpoint. The client, the commands,
 * the built-in museum's router, the completions and the OpenAPI description are all read from it.
 */
import { UsageError } from './errors.js';
import type { ItemType } from './items.js';
import { KIND_WORDS, type Kind, type RecordKind } from './kinds.js';

/** Where a piece of knowledge comes from: INTERFACE.md, seen on deployments, or likely by analogy (both FIELD-NOTES.md). */
export type Origin = 'documented' | 'observed' | 'likely';

/** A query parameter of an endpoint. */
export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly origin: Origin;
  readonly summary: string;
  readonly required?: true;
  readonly values?: readonly string[];
}

/** What comes back. The document shows no payload shapes, so `origin` says how sure the keys are. */
export type AnswerShape =
  | {
      readonly shape: 'list';
      readonly key: string;
      readonly total: string;
      readonly item: ItemType;
      readonly origin: Origin;
    }
  | { readonly shape: 'one'; readonly item: ItemType; readonly origin: Origin }
  | { readonly shape: 'redirect'; readonly origin: Origin }
  | { readonly shape: 'token'; readonly origin: Origin };

export interface Endpoint {
  /** Noun and part: `objects.search`, `venues.relationship`. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Template below `{base_url}/api/v3`, parameters in braces. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly answer: AnswerShape;
  readonly summary: string;
  readonly origin: Origin;
}

const text = (name: string, origin: Origin, summary: string): Parameter => ({
  name,
  type: 'string',
  origin,
  summary,
});
const flag = (name: string, origin: Origin, summary: string): Parameter => ({
  name,
  type: 'boolean',
  origin,
  summary,
});
const needed = (name: string, summary: string, values?: readonly string[]): Parameter => ({
  ...text(name, 'documented', summary),
  required: true,
  ...(values && { values }),
});

function paging(origin: Origin): Parameter[] {
  return [
    {
      name: 'limit',
      type: 'integer',
      origin,
      summary: 'records in a page; silently capped (100 is common); 0 gives the totals alone',
    },
    { name: 'offset', type: 'integer', origin, summary: 'records to pass over, counted in records' },
  ];
}

const QUERY = text('query', 'documented', 'field:value terms joined by AND');
const FACET = text('facet', 'observed', 'only records with these facet values: field:value[,field:value]');

/** What every search of records takes. */
const SEARCH: readonly Parameter[] = [
  QUERY,
  ...paging('observed'),
  text('sort', 'documented', 'identifier of the field to sort by'),
  { ...text('direction', 'observed', 'order of the sort'), values: ['asc', 'desc'] },
  flag('hasImages', 'documented', 'only records with images'),
  text('view', 'observed', 'label, detail or the name of a view; without it a list may hold bare ids'),
  FACET,
  flag('facetedResults', 'observed', 'adds facetsCollection to the result'),
  flag('deletedRecords', 'observed', 'also records that were deleted'),
  flag('imageAttributes', 'observed', 'adds the attributes of the images'),
];

/** What a facet takes: the rules of the search it counts. */
const FACET_SEARCH: readonly Parameter[] = [
  QUERY,
  FACET,
  flag('hasImages', 'documented', 'only records with images'),
];

type Row = Omit<Endpoint, 'method' | 'query'> & Partial<Pick<Endpoint, 'method' | 'query'>>;

const get = (row: Row): Endpoint => ({ method: 'GET', query: [], ...row });

const list = (key: string, total: string, item: ItemType, origin: Origin = 'likely'): AnswerShape => ({
  shape: 'list',
  key,
  total,
  item,
  origin,
});
const one = (item: ItemType, origin: Origin = 'likely'): AnswerShape => ({ shape: 'one', item, origin });

/** `GET /opacobjects` and its like. The shapes of objects and persons were observed, the rest follows by analogy. */
function search(kind: Kind, summary: string): Endpoint {
  const { segment, listKey, totalKey, recordType } = KIND_WORDS[kind];
  const seen = kind === 'objects' || kind === 'persons';
  return get({
    id: `${kind}.search`,
    path: `/${segment}`,
    query: SEARCH,
    answer: list(listKey, totalKey, recordType, seen ? 'observed' : 'likely'),
    summary,
    origin: 'documented',
  });
}

function record(kind: RecordKind, summary: string, origin: Origin): Endpoint {
  const { segment, idKey, recordType } = KIND_WORDS[kind];
  return get({
    id: `${kind}.get`,
    path: `/${segment}/{${idKey}}`,
    answer: one(recordType, 'observed'),
    summary,
    origin,
  });
}

function facet(kind: Kind, summary: string, origin: Origin): Endpoint {
  return get({
    id: `${kind}.facet`,
    path: `/${KIND_WORDS[kind].segment}/facets/{facetId}`,
    query: FACET_SEARCH,
    answer: one('facet'),
    summary,
    origin,
  });
}

function relationships(kind: RecordKind, summary: string): Endpoint[] {
  const { segment, idKey, recordType } = KIND_WORDS[kind];
  return [
    get({
      id: `${kind}.relationships`,
      path: `/${segment}/relationships`,
      answer: list('relationships', 'totalRelationships', 'relationship'),
      summary,
      origin: 'documented',
    }),
    get({
      id: `${kind}.relationship`,
      path: `/${segment}/{${idKey}}/relationships/{relationshipId}`,
      answer: one('relationship'),
      summary: `one relationship of a ${recordType} and its related set of records`,
      origin: 'documented',
    }),
  ];
}

function views(kind: RecordKind, origins: { readonly named: Origin; readonly advanced: Origin }): Endpoint[] {
  const { segment, recordType } = KIND_WORDS[kind];
  return [
    get({
      id: `${kind}.views`,
      path: `/${segment}/views`,
      answer: list('views', 'totalViews', 'view'),
      summary: `all ${recordType} views`,
      origin: 'documented',
    }),
    get({
      id: `${kind}.view`,
      path: `/${segment}/views/{viewName}`,
      answer: one('view'),
      summary: `one ${recordType} view`,
      origin: origins.named,
    }),
    get({
      id: `${kind}.advancedsearch`,
      path: `/${segment}/views/advancedsearch`,
      answer: one('view'),
      summary: `the ${recordType} advanced search view`,
      origin: origins.advanced,
    }),
  ];
}

function authorities(noun: string, parent: string, whose: string): Endpoint {
  return get({
    id: `${noun}.authorities`,
    path: `/${parent}/authorities/{authorityFieldName}`,
    query: paging('likely'),
    answer: list('authorityTerms', 'totalAuthorityTerms', 'term'),
    summary: `the authority terms of ${whose}`,
    origin: 'documented',
  });
}

/** Every endpoint of the service, in the order of INTERFACE.md. */
export const CATALOGUE: readonly Endpoint[] = [
  get({
    id: 'oauth.authorize',
    path: '/oauth/authorize',
    query: [
      needed('clientId', 'client identifier'),
      needed('responseType', 'always code', ['code']),
      needed('redirectURI', 'the registered redirect URI'),
      needed('state', 'random alphanumeric value chosen by the client'),
      needed('codeChallengeMethod', 'how the challenge was derived', ['S256', 'PLAIN']),
      needed('codeChallenge', 'value derived from the code verifier'),
    ],
    answer: { shape: 'redirect', origin: 'documented' },
    summary: 'ask for an authorization code; answers 302 to the redirect URI with state and code',
    origin: 'documented',
  }),
  {
    id: 'oauth.token',
    method: 'POST',
    path: '/oauth/token',
    query: [],
    answer: { shape: 'token', origin: 'documented' },
    summary: 'exchange an authorization code for an access token',
    origin: 'documented',
  },

  authorities('persons', 'opacpersons', 'a field of the persons'),
  authorities('venues', 'opacvenues', 'a field of the exhibition venues'),
  authorities('collections', 'opaccollections/defaultcollection', 'a field of the default collection'),

  get({
    id: 'collections.list',
    path: '/opaccollections',
    query: paging('likely'),
    answer: list('opacCollections', 'totalCollections', 'collection'),
    summary: 'all collections',
    origin: 'documented',
  }),
  get({
    id: 'colors.list',
    path: '/colors/css',
    answer: list('cssColors', 'totalCssColors', 'color'),
    summary: 'the CSS colour palette',
    origin: 'documented',
  }),
  get({
    id: 'comments.list',
    path: '/opacobjects/comments',
    query: paging('likely'),
    answer: list('comments', 'totalComments', 'comment'),
    summary: 'comments on records',
    origin: 'documented',
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
    answer: list('highlights', 'totalHighlights', 'highlight'),
    summary: 'all highlights, with every derivative of their images',
    origin: 'documented',
  }),
  get({
    id: 'highlights.get',
    path: '/highlights/{highlightId}',
    answer: one('highlight'),
    summary: 'one highlight, with every derivative of its images',
    origin: 'documented',
  }),

  get({
    id: 'records.imagelabels',
    path: '/opacrecords/imagelabels',
    query: paging('likely'),
    answer: list('imageLabels', 'totalImageLabels', 'imagelabel'),
    summary: 'all image labels',
    origin: 'documented',
  }),
  get({
    id: 'objects.imagelabels',
    path: '/opacobjects/{opacObjectId}/imagelabels',
    answer: list('imageLabels', 'totalImageLabels', 'imagelabel'),
    summary: 'the image labels of one object',
    origin: 'documented',
  }),
  get({
    id: 'objects.imagelabel',
    path: '/opacobjects/{opacObjectId}/imagelabels/{imageLabelId}',
    answer: one('imagelabel'),
    summary: 'one image label of an object',
    origin: 'documented',
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

const BY_ID = new Map(CATALOGUE.map((row) => [row.id, row]));

/** The row of that id. Throws a RangeError for an id that is not in the catalogue: a fault of the program. */
export function endpoint(id: string): Endpoint {
  const row = BY_ID.get(id);
  if (!row) throw new RangeError(`no endpoint "${id}" in the catalogue`);
  return row;
}

/** The names in braces of a path template, in order. */
export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/**
 * The path of an endpoint with its parameters filled in and percent-encoded (RFC 3986 section 2.1).
 * Throws a RangeError when a parameter is missing, a UsageError when its value cannot stand in a path ("", "." and "..").
 */
export function fillPath(row: Endpoint, parameters: Readonly<Record<string, string>> = {}): string {
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new RangeError(`${row.id} needs ${name}`);
    // An empty segment is another endpoint, and a URL resolves dots away even when they are percent-encoded.
    if (/^\.{0,2}$/.test(value)) throw new UsageError(`"${value}" cannot be a value of ${name}`);
    return encodeURIComponent(value);
  });
}

/**
 * Retired paths and parameters (INTERFACE.md "Deprecated methods", "Removed methods", "Formerly" in its
 * tables).
 */

export interface RetiredPath {
  readonly path: string;
  readonly state: 'deprecated' | 'removed' | 'formerly';
  /** Path templates. If there are several, the user must choose one. If a parameter is not in `path`, the user must set it. */
  readonly replacements: readonly string[];
  /** The term of the parameter `query` that replaces a part of the path. */
  readonly queryTerm?: string;
  /** True if each parameter that is not a search parameter names a field, and becomes a term of `query`. */
  readonly fieldsBecomeTerms?: true;
}

const OF_COLLECTION = ['/opaccollections/{opacCollectionId}', 'collections:"{opacCollectionId}"'] as const;
const OF_HIGHLIGHT = ['/highlights/{highlightId}', 'highlight:"{highlightId}"'] as const;

/** In version 3, a term of the query replaces the collection or the highlight at the beginning of a path. */
function defineScoped([parent, queryTerm]: readonly [string, string], path: string): RetiredPath {
  return { path: `${parent}${path}`, state: 'deprecated', replacements: [path], queryTerm };
}

function defineAdvanced(row: RetiredPath): RetiredPath {
  return { ...row, path: `${row.path}/search/advanced`, fieldsBecomeTerms: true };
}

function defineRetired(state: RetiredPath['state'], path: string, ...replacements: string[]): RetiredPath {
  return { path, state, replacements };
}

const RECORD_ROLES = [
  ['/opacpersons/{opacPersonId}', 'objectroles'],
  ['/opacobjects/{opacObjectId}', 'personroles'],
] as const;

export const RETIRED_PATHS: readonly RetiredPath[] = [
  defineScoped(OF_COLLECTION, '/opacobjects'),
  defineScoped(OF_COLLECTION, '/opacobjects/facets/{facetId}'),
  defineScoped(OF_HIGHLIGHT, '/opacobjects'),
  defineScoped(OF_HIGHLIGHT, '/opacobjects/facets/{facetId}'),
  defineAdvanced(defineScoped(OF_COLLECTION, '/opacobjects')),
  defineAdvanced(defineScoped(OF_COLLECTION, '/opacobjects/facets/{facetId}')),
  defineRetired('removed', '/directory/opaccollections', '/opaccollections'),
  defineRetired(
    'removed',
    '/roles',
    ...['objects', 'persons', 'venues'].map((kind) => `/opac${kind}/relationships`),
  ),
  ...RECORD_ROLES.map(([record, roles]) =>
    defineRetired('removed', `${record}/${roles}/{roleId}`, `${record}/relationships/{relationshipId}`),
  ),
  defineRetired(
    'formerly',
    '/authorities/{authorityFieldName}',
    '/opaccollections/defaultcollection/authorities/{authorityFieldName}',
  ),
  defineRetired('formerly', '/comments', '/opacobjects/comments'),
  defineRetired('formerly', '/views/opacobjects', '/opacobjects/views'),
  defineRetired('formerly', '/views/opacpersons', '/opacpersons/views'),
];

export interface RetiredParameter {
  readonly name: string;
  readonly paths: readonly string[];
  readonly queryField?: string;
  readonly reason: string;
}

export const RETIRED_PARAMETERS: readonly RetiredParameter[] = [
  {
    name: 'opacObjectIds',
    paths: ['/opacobjects', '/opacobjects/facets/{facetId}'],
    queryField: 'external_object_id',
    reason: 'deprecated; replaced by external_object_id in the query',
  },
  {
    name: 'derivative',
    paths: ['/highlights', '/highlights/{highlightId}'],
    reason: 'no longer exists; the service returns all image derivatives',
  },
];

/** Retired paths and parameters (INTERFACE.md "Deprecated methods", "Removed methods", "Formerly" in its tables). */

export interface RetiredPath {
  readonly path: string;
  readonly state: 'deprecated' | 'removed' | 'formerly';
  /** Templates with the same parameter names; a person chooses from several. */
  readonly replacements: readonly string[];
  /** A term for `query`, with the same parameter names. */
  readonly queryTerm?: string;
  /** The other query parameters are `field=value` pairs and become terms too. */
  readonly fieldsBecomeTerms?: true;
}

const OF_COLLECTION = ['/opaccollections/{opacCollectionId}', 'collections:"{opacCollectionId}"'] as const;
const OF_HIGHLIGHT = ['/highlights/{highlightId}', 'highlight:"{highlightId}"'] as const;

/** A path below a collection or a highlight, which is a term of the query now. */
function scoped([parent, queryTerm]: readonly [string, string], path: string): RetiredPath {
  return { path: `${parent}${path}`, state: 'deprecated', replacements: [path], queryTerm };
}

function advanced(row: RetiredPath): RetiredPath {
  return { ...row, path: `${row.path}/search/advanced`, fieldsBecomeTerms: true };
}

function retired(state: RetiredPath['state'], path: string, ...replacements: string[]): RetiredPath {
  return { path, state, replacements };
}

const RECORD_ROLES = [
  ['/opacpersons/{opacPersonId}', 'objectroles'],
  ['/opacobjects/{opacObjectId}', 'personroles'],
] as const;

export const RETIRED_PATHS: readonly RetiredPath[] = [
  scoped(OF_COLLECTION, '/opacobjects'),
  scoped(OF_COLLECTION, '/opacobjects/facets/{facetId}'),
  scoped(OF_HIGHLIGHT, '/opacobjects'),
  scoped(OF_HIGHLIGHT, '/opacobjects/facets/{facetId}'),
  advanced(scoped(OF_COLLECTION, '/opacobjects')),
  advanced(scoped(OF_COLLECTION, '/opacobjects/facets/{facetId}')),
  retired('removed', '/directory/opaccollections', '/opaccollections'),
  retired(
    'removed',
    '/roles',
    ...['objects', 'persons', 'venues'].map((kind) => `/opac${kind}/relationships`),
  ),
  ...RECORD_ROLES.map(([record, roles]) =>
    retired('removed', `${record}/${roles}/{roleId}`, `${record}/relationships/{relationshipId}`),
  ),
  retired(
    'formerly',
    '/authorities/{authorityFieldName}',
    '/opaccollections/defaultcollection/authorities/{authorityFieldName}',
  ),
  retired('formerly', '/comments', '/opacobjects/comments'),
  retired('formerly', '/views/opacobjects', '/opacobjects/views'),
  retired('formerly', '/views/opacpersons', '/opacpersons/views'),
];

export interface RetiredParameter {
  readonly name: string;
  readonly paths: readonly string[];
  /** The query field that takes its comma-separated values; undefined when it has no replacement. */
  readonly queryField?: string;
  readonly reason: string;
}

export const RETIRED_PARAMETERS: readonly RetiredParameter[] = [
  {
    name: 'opacObjectIds',
    paths: ['/opacobjects', '/opacobjects/facets/{facetId}'],
    queryField: 'external_object_id',
    reason: 'deprecated in favour of external_object_id inside query',
  },
  {
    name: 'derivative',
    paths: ['/highlights', '/highlights/{highlightId}'],
    reason: 'no longer exists: all image derivatives are returned',
  },
];

/**
 * The retired paths and parameters with their replacements: INTERFACE.md "Deprecated methods", "Removed methods" and the
 * "Formerly" notes of its endpoint tables. `opac migrate` and `opac api` walk these tables.
 */

export interface RetiredPath {
  /** Template below `/api/v2` or `/api/v3`, parameters in braces. */
  readonly path: string;
  /** `removed` answers no more, `deprecated` may still, `formerly` moved. */
  readonly state: 'deprecated' | 'removed' | 'formerly';
  /** Templates of what to use instead, with the same parameter names; several when it depends on what is wanted. */
  readonly replacements: readonly string[];
  /** A term that joins the `query`, with the same parameter names: `collections:"{opacCollectionId}"`. */
  readonly queryTerm?: string;
  /** The remaining query parameters were `field=value` pairs and become terms of the query. */
  readonly fieldsBecomeTerms?: true;
}

const COLLECTION_TERM = 'collections:"{opacCollectionId}"';
const HIGHLIGHT_TERM = 'highlight:"{highlightId}"';

export const RETIRED_PATHS: readonly RetiredPath[] = [
  {
    path: '/opaccollections/{opacCollectionId}/opacobjects',
    state: 'deprecated',
    replacements: ['/opacobjects'],
    queryTerm: COLLECTION_TERM,
  },
  {
    path: '/opaccollections/{opacCollectionId}/opacobjects/facets/{facetId}',
    state: 'deprecated',
    replacements: ['/opacobjects/facets/{facetId}'],
    queryTerm: COLLECTION_TERM,
  },
  {
    path: '/highlights/{highlightId}/opacobjects',
    state: 'deprecated',
    replacements: ['/opacobjects'],
    queryTerm: HIGHLIGHT_TERM,
  },
  {
    path: '/highlights/{highlightId}/opacobjects/facets/{facetId}',
    state: 'deprecated',
    replacements: ['/opacobjects/facets/{facetId}'],
    queryTerm: HIGHLIGHT_TERM,
  },
  {
    path: '/opaccollections/{opacCollectionId}/opacobjects/search/advanced',
    state: 'deprecated',
    replacements: ['/opacobjects'],
    queryTerm: COLLECTION_TERM,
    fieldsBecomeTerms: true,
  },
  {
    path: '/opaccollections/{opacCollectionId}/opacobjects/facets/{facetId}/search/advanced',
    state: 'deprecated',
    replacements: ['/opacobjects/facets/{facetId}'],
    queryTerm: COLLECTION_TERM,
    fieldsBecomeTerms: true,
  },
  { path: '/directory/opaccollections', state: 'removed', replacements: ['/opaccollections'] },
  {
    path: '/roles',
    state: 'removed',
    replacements: ['/opacobjects/relationships', '/opacpersons/relationships', '/opacvenues/relationships'],
  },
  {
    path: '/opacpersons/{opacPersonId}/objectroles/{roleId}',
    state: 'removed',
    replacements: ['/opacpersons/{opacPersonId}/relationships/{relationshipId}'],
  },
  {
    path: '/opacobjects/{opacObjectId}/personroles/{roleId}',
    state: 'removed',
    replacements: ['/opacobjects/{opacObjectId}/relationships/{relationshipId}'],
  },
  {
    path: '/authorities/{authorityFieldName}',
    state: 'formerly',
    replacements: ['/opaccollections/defaultcollection/authorities/{authorityFieldName}'],
  },
  { path: '/comments', state: 'formerly', replacements: ['/opacobjects/comments'] },
  { path: '/views/opacobjects', state: 'formerly', replacements: ['/opacobjects/views'] },
  { path: '/views/opacpersons', state: 'formerly', replacements: ['/opacpersons/views'] },
];

export interface RetiredParameter {
  readonly name: string;
  /** Path templates of the current interface it stood on. */
  readonly on: readonly string[];
  /** The query field its comma-separated values move to, or undefined when it is simply gone. */
  readonly queryField?: string;
  readonly reason: string;
}

export const RETIRED_PARAMETERS: readonly RetiredParameter[] = [
  {
    name: 'opacObjectIds',
    on: ['/opacobjects', '/opacobjects/facets/{facetId}'],
    queryField: 'external_object_id',
    reason: 'deprecated in favour of external_object_id inside query',
  },
  {
    name: 'derivative',
    on: ['/highlights', '/highlights/{highlightId}'],
    reason: 'no longer exists: all image derivatives are returned',
  },
];

/**
 * The service's items that are not records: what identifies each and what people look for first. The document shows no
 * payload shapes, so these are names by analogy with what was observed; any other key an item has is shown as well.
 */

export interface ItemWords {
  /** Keys that may hold the id, the likelier first. */
  readonly idKeys: readonly string[];
  /** Keys that people look for, in order. */
  readonly familiar: readonly string[];
}

/** By the `item` of a catalogue answer. */
export const ITEM_WORDS = {
  collection: {
    idKeys: ['opacCollectionId'],
    familiar: ['opacCollectionId', 'collectionName', 'title', 'description', 'totalObjects'],
  },
  highlight: {
    idKeys: ['highlightId'],
    familiar: ['highlightId', 'title', 'name', 'description', 'totalObjects'],
  },
  comment: {
    idKeys: ['commentId'],
    familiar: [
      'commentId',
      'recordType',
      'opacRecordId',
      'name',
      'author',
      'date',
      'createdDate',
      'comment',
      'text',
    ],
  },
  imagelabel: {
    idKeys: ['imageLabelId'],
    familiar: ['imageLabelId', 'imageLabel', 'status', 'count', 'score'],
  },
  color: { idKeys: ['colorName', 'hex'], familiar: ['formattedColorName', 'colorName', 'hex', 'colorGroup'] },
  view: { idKeys: ['viewName', 'name', 'identifier'], familiar: ['viewName', 'name', 'label', 'fields'] },
  term: {
    idKeys: ['term', 'authorityTerm', 'value', 'label'],
    familiar: ['term', 'authorityTerm', 'value', 'label', 'count'],
  },
  relationship: {
    idKeys: ['relationshipId'],
    familiar: ['relationshipId', 'relatedRecordType', 'label', 'name', 'recordType'],
  },
  related: { idKeys: ['relatedRecordId'], familiar: ['relatedRecordId', 'title', 'slug'] },
  fieldUse: {
    idKeys: ['column'],
    familiar: ['column', 'label', 'filled', 'percent', 'most', 'example', 'attributes', 'views'],
  },
  field: { idKeys: ['identifier', 'fieldName'], familiar: ['identifier', 'fieldName', 'label'] },
  facet: { idKeys: ['facetId', 'facet'], familiar: ['facetId', 'facet', 'facetType', 'totalLabelValues'] },
  migration: { idKeys: ['text'], familiar: ['before', 'text', 'status'] },
  profile: { idKeys: ['name'], familiar: ['current', 'name', 'scheme', 'baseUrl'] },
  /** An answer of which nothing is known. */
  answer: { idKeys: ['id'], familiar: [] },
  count: { idKeys: ['label'], familiar: ['label', 'value'] },
} as const satisfies Readonly<Record<string, ItemWords>>;

export type ItemName = keyof typeof ITEM_WORDS;

/** The items, other than records, that responses contain. INTERFACE.md does not describe the keys of these items. */
import type { RecordType } from '../kinds.js';

export interface ItemKeys {
  /** Keys that may contain the id, the likeliest first. */
  readonly idKeys: readonly string[];
  readonly defaultColumns: readonly string[];
}

interface ServiceItem extends ItemKeys {
  /** The key whose value identifies an item in a list. Undefined if a list may contain the same item twice. */
  readonly uniqueKey: string | undefined;
}

export const SERVICE_ITEMS = {
  collection: {
    idKeys: ['opacCollectionId'],
    defaultColumns: ['opacCollectionId', 'collectionName', 'title', 'description', 'totalObjects'],
    uniqueKey: 'opacCollectionId',
  },
  highlight: {
    idKeys: ['highlightId'],
    defaultColumns: ['highlightId', 'title', 'name', 'description', 'totalObjects'],
    uniqueKey: 'highlightId',
  },
  comment: {
    idKeys: ['commentId'],
    defaultColumns: [
      'commentId',
      'recordType',
      'opacRecordId',
      'name',
      'author',
      'date',
      'createdDate',
      'dateCreated',
      'comment',
      'text',
    ],
    uniqueKey: 'commentId',
  },
  imagelabel: {
    idKeys: ['imageLabelId'],
    defaultColumns: ['imageLabelId', 'imageLabel', 'status', 'count', 'score'],
    uniqueKey: 'imageLabelId',
  },
  color: {
    idKeys: ['colorName', 'hex'],
    defaultColumns: ['formattedColorName', 'colorName', 'hex', 'colorGroup'],
    uniqueKey: undefined,
  },
  view: {
    idKeys: ['viewName', 'name', 'identifier'],
    defaultColumns: ['viewName', 'name', 'label', 'fields'],
    uniqueKey: undefined,
  },
  term: {
    idKeys: ['term', 'authorityTerm', 'value', 'label'],
    defaultColumns: ['term', 'authorityTerm', 'value', 'label', 'count'],
    uniqueKey: undefined,
  },
  relationship: {
    idKeys: ['relationshipId'],
    defaultColumns: [
      'relationshipId',
      'relatedRecordType',
      'totalRelatedRecords',
      'label',
      'name',
      'recordType',
    ],
    uniqueKey: undefined,
  },
  facet: {
    idKeys: ['facetId', 'facet'],
    defaultColumns: ['facetId', 'facet', 'facetType', 'totalLabelValues'],
    uniqueKey: undefined,
  },
} as const satisfies Readonly<Record<string, ServiceItem>>;

export type ItemType = keyof typeof SERVICE_ITEMS | RecordType;

export function isServiceItem(name: string): name is keyof typeof SERVICE_ITEMS {
  return Object.hasOwn(SERVICE_ITEMS, name);
}

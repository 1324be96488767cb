/** Creates records in the format of the service (FIELD-NOTES.md "Answers"). */
import type { Field } from '../../local/record.js';
import { KIND_KEYS, type RecordKind } from '../../service/kinds.js';

export interface RelatedRecord {
  readonly relatedRecordId: string;
  readonly title: string;
  readonly slug: string;
  /** How the record describes the related record (INTERFACE.md "Fields stated", resource "Record relating data"). */
  readonly key?: 'internal_related_detail' | 'internal_related_summary';
  readonly image?: object;
  readonly relatedRecordAttributes?: readonly object[];
}
export interface Relationship {
  readonly relationshipId: string;
  readonly relatedRecordType: string;
  readonly relatedRecords: readonly RelatedRecord[];
}
export interface Image {
  readonly imageId: string;
  readonly [key: string]: unknown;
}

/** An image that is not drawn yet. Drawing takes most of the time for a record, so the museum draws only when needed. */
export interface ImageDraft {
  readonly recordId: string;
  readonly imageId: number;
  readonly caption: string;
  readonly labels: readonly string[];
}

export interface RecordDraft {
  readonly kind: RecordKind;
  readonly id: string;
  readonly title: string;
  readonly collection?: { readonly opacCollectionId: string; readonly collectionName: string };
  readonly fields: Readonly<Record<string, readonly Field[]>>;
  readonly relationships: readonly Relationship[];
  readonly images: readonly ImageDraft[];
}

export type UnlinkedDraft = Omit<RecordDraft, 'relationships'>;

export function createRecordJson(
  draft: Omit<RecordDraft, 'images'>,
  images: readonly Image[],
): Record<string, unknown> {
  const keys = KIND_KEYS[draft.kind];
  return {
    [keys.idKey]: draft.id,
    [keys.scoreKey]: 1,
    ...(draft.collection && { opacCollection: draft.collection }),
    [keys.fieldSetsKey]: Object.entries(draft.fields).map(([identifier, fields]) => ({
      identifier,
      [keys.fieldsKey]: fields.map(({ value, attributes }) => ({
        value,
        ...(attributes && { [keys.fieldAttributesKey]: attributes }),
      })),
    })),
    relationshipsCollection: {
      relationships: draft.relationships.map((relationship) => ({
        ...relationship,
        totalRelatedRecords: relationship.relatedRecords.length,
      })),
      totalRelationships: draft.relationships.length,
    },
    imagesCollection: { images, totalImages: images.length },
    slug: createSlug(draft.title),
  };
}

/** Records with the same title have the same slug, as in the service. */
export function createSlug(title: string): string {
  return title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

export const createField = (text: string): Field[] => [{ value: text }];

const attribute = (key: string, text: string) => ({ key, value: text });

/** Each value has an attribute `search` with the query that finds the value, as in test/fixtures. */
export const createSearchableField = (identifier: string, ...texts: readonly string[]): Field[] =>
  texts.map((text) => {
    const query = `${identifier}:"${text.replace(/[\\"]/g, '\\$&')}"`;
    return { value: text, attributes: [attribute('search', query)] };
  });

export const createDateField = (text: string, from: number | string, to: number | string): Field => ({
  value: text,
  attributes: [attribute('earliest_date', `${from}-01-01Z`), attribute('latest_date', `${to}-12-31Z`)],
});

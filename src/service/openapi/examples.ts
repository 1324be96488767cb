/** An example of each response, for mock servers made from the OpenAPI document. */
import type { ItemType } from '../endpoints/items.js';
import type { Json, JsonObject } from '../json.js';
import { KIND_WORDS, type RecordKind } from '../kinds.js';

const COLOR: JsonObject = {
  hex: '4682b4',
  hue: 207,
  saturation: 44,
  lightness: 49,
  colorName: 'steelblue',
  formattedColorName: 'steel blue',
  colorGroup: 'blue',
  rank: 1,
  presence: 92.21,
};

const LABEL = {
  imageLabelId: '611',
  imageLabel: 'Glass',
  status: 'auto_verified',
  count: 1327,
  score: 98.89,
};

const IMAGES: JsonObject = {
  images: [
    {
      imageId: '181361',
      caption: 'The jar from above',
      imageDerivatives: [derivative('LARGE', '545', '800'), derivative('TINY', '51', '75')],
      cssColors: [COLOR],
      rawColors: [{ hex: '4b83b0', hue: 207, saturation: 40, lightness: 49, rank: 1, presence: 92.21 }],
      imageLabels: [LABEL],
    },
  ],
  totalImages: 1,
};

function derivative(identifier: string, width: string, height: string): JsonObject {
  const url = `https://museum.example/images/${identifier.toLowerCase()}/181361.jpg`;
  return { identifier, url, width, height };
}

interface Sample {
  readonly id: string;
  readonly title: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly relationship: JsonObject;
}

function relationship(
  relationshipId: string,
  relatedRecordType: string,
  id: string,
  title: string,
): JsonObject {
  return {
    relationshipId,
    relatedRecordType,
    relatedRecords: [{ relatedRecordId: id, title, slug: slug(title), key: 'internal_related_summary' }],
    totalRelatedRecords: 1,
  };
}

const SAMPLES: Readonly<Record<RecordKind, Sample>> = {
  objects: {
    id: '192938',
    title: 'Blue glass jar',
    fields: { name: 'Blue glass jar', accession_no: '1999.12', maker_name: 'Ada Glover' },
    relationship: relationship('object_prod_pri_person', 'person', '56640', 'Ada Glover'),
  },
  persons: {
    id: '56640',
    title: 'Ada Glover',
    fields: { name: 'Ada Glover', life_dates: '1841-1903' },
    relationship: relationship('person_prod_pri_object', 'object', '192938', 'Blue glass jar'),
  },
  venues: {
    id: '31',
    title: 'East Gallery',
    fields: { name: 'East Gallery', place: 'Ground floor' },
    relationship: relationship('venue_object', 'object', '192938', 'Blue glass jar'),
  },
};

function record(kind: RecordKind): JsonObject {
  const words = KIND_WORDS[kind];
  const { id, title, fields, relationship: related } = SAMPLES[kind];
  return {
    [words.idKey]: id,
    [words.scoreKey]: 12.28,
    opacCollection: { opacCollectionId: '7', collectionName: 'Glass' },
    slug: slug(title),
    [words.fieldSetsKey]: Object.entries(fields).map(([identifier, value]) => ({
      identifier,
      [words.fieldsKey]: [
        { value, [words.fieldAttributesKey]: [{ key: 'search', value: `${identifier}:"${value}"` }] },
      ],
    })),
    relationshipsCollection: { relationships: [related], totalRelationships: 1 },
    imagesCollection: IMAGES,
  };
}

function slug(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

export const ITEM_EXAMPLES: Readonly<Record<ItemType, Json>> = {
  object: record('objects'),
  person: record('persons'),
  venue: record('venues'),
  record: { recordType: 'object', ...record('objects') },
  collection: { opacCollectionId: '7', collectionName: 'Glass' },
  color: COLOR,
  comment: {
    commentId: '5',
    opacRecordId: '192938',
    recordType: 'object',
    comment: 'My aunt had one of these.',
  },
  facet: {
    facetId: 'medium',
    facet: 'Material',
    facetType: 'text',
    facetLabelValues: [
      { label: 'glass', value: 214 },
      { label: 'wood', value: 96 },
    ],
    totalLabelValues: 2,
  },
  highlight: { highlightId: '3', title: 'Made of glass', imagesCollection: IMAGES },
  imagelabel: LABEL,
  relationship: SAMPLES.objects.relationship,
  term: { label: 'Glass', value: 214 },
  view: { viewName: 'detail', label: 'Detail', fields: [{ identifier: 'name', label: 'Name' }] },
};

export const TOKEN_EXAMPLE: Json = { accessToken: 'an-access-token', tokenType: 'bearer', expires: 3600 };

export const TOKEN_REQUEST_EXAMPLE: Json = {
  code: 'an-authorization-code',
  grantType: 'code',
  redirectURI: 'http://127.0.0.1:8765/callback',
  clientId: 'a-client',
  clientSecret: 'its-secret',
  codeVerifier: 'f9752bd2-4346-439c-b14b-0c870b48ca82',
};

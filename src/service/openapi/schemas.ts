/** JSON Schemas of the payloads (FIELD-NOTES.md "Answers", INTERFACE.md "Fields stated"). */
import type { Origin } from '../endpoints/endpoint-row.js';
import type { ItemType } from '../endpoints/items.js';
import { asObject, type JsonObject } from '../json.js';
import { KIND_WORDS, RECORD_KINDS, type RecordKind } from '../kinds.js';

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const array = (items: JsonObject): JsonObject => ({ type: 'array', items });
const listOf = (name: string): JsonObject => array(ref(name));
const described =
  (type: string) =>
  (description?: string): JsonObject => ({
    type,
    ...(description && { description }),
  });
const text = described('string');
const integer = described('integer');
const choice = (...values: string[]): JsonObject => ({ type: 'string', enum: values });
const documented = (schema: JsonObject): JsonObject => ({ ...schema, 'x-origin': 'documented' });

function object(origin: Origin, description: string, properties: JsonObject): JsonObject {
  return { type: 'object', description, properties, additionalProperties: true, 'x-origin': origin };
}

/** Items under a key named after them, with their number. */
function collection(description: string, item: 'Relationship' | 'Image' | 'Facet'): JsonObject {
  const items = { [`${item.toLowerCase()}s`]: listOf(item), [`total${item}s`]: integer() };
  return object('observed', description, items);
}

function withAllRequired(schema: JsonObject): JsonObject {
  return { ...schema, required: Object.keys(asObject(schema.properties)) };
}

const VALUES: JsonObject = {
  Identifier: {
    type: ['string', 'integer'],
    description: 'an identifier; some deployments write it as a string, some as a number',
    'x-origin': 'observed',
  },
  Measure: {
    type: ['number', 'string'],
    description: 'a number; some deployments write it as a string',
    'x-origin': 'observed',
  },
};

const COLOR: JsonObject = {
  hex: text('six hexadecimal digits'),
  hue: ref('Measure'),
  saturation: ref('Measure'),
  lightness: ref('Measure'),
  rank: ref('Measure'),
  presence: { ...ref('Measure'), description: 'percentage of the image' },
};

const COLLECTION: JsonObject = { opacCollectionId: ref('Identifier'), collectionName: text() };

const LABELLED_COUNT: JsonObject = { label: text(), value: integer('number of records') };

const PARTS: JsonObject = {
  Attribute: object('observed', 'an attribute of a value or of an image', {
    key: documented(text()),
    value: text(),
  }),
  RelationshipsCollection: collection('the relationships of a record', 'Relationship'),
  Relationship: object('observed', 'a relationship and its related set of records', {
    relationshipId: ref('Identifier'),
    relatedRecordType: text('kind of the related records'),
    relatedRecords: listOf('RelatedRecord'),
    totalRelatedRecords: integer(),
  }),
  RelatedRecord: object('observed', 'a record at the other end of a relationship', {
    relatedRecordId: ref('Identifier'),
    title: text(),
    slug: text(),
    key: documented(text('internal_related_detail, or internal_related_summary, which carries no image')),
    image: ref('Image'),
    relatedRecordAttributes: array(
      object('observed', 'a field of the related record', {
        identifier: text(),
        label: text(),
        values: array(text()),
      }),
    ),
  }),
  ImagesCollection: collection('the images of a record', 'Image'),
  Image: object('observed', 'an image in all its sizes', {
    imageId: ref('Identifier'),
    caption: text(),
    imageAttributes: listOf('Attribute'),
    imageDerivatives: listOf('ImageDerivative'),
    cssColors: documented(listOf('CssColor')),
    rawColors: documented(listOf('RawColor')),
    imageLabels: documented(listOf('ImageLabel')),
  }),
  ImageDerivative: object('observed', 'an image in one size; the order of derivatives is not by size', {
    identifier: text('NANO, TINY, SMALL, MEDIUM, LARGE, XLARGE, DISPLAY or THUMBNAIL'),
    url: text(),
    width: ref('Measure'),
    height: ref('Measure'),
  }),
  CssColor: object('observed', 'a colour of the CSS palette', {
    ...COLOR,
    colorName: text(),
    formattedColorName: text(),
    colorGroup: text(),
  }),
  RawColor: object('observed', 'a colour as it is in the image', COLOR),
  ImageLabel: object('observed', 'what an image-recognition service saw in an image', {
    imageLabelId: ref('Identifier'),
    imageLabel: text(),
    status: text(),
    count: integer('number of images with this label'),
    score: { ...ref('Measure'), description: 'confidence, a percentage' },
  }),
  CollectionOfRecord: object('observed', 'the collection a record belongs to', COLLECTION),
  FacetsCollection: collection('the facets of a search', 'Facet'),
};

const BESIDE_RECORDS: JsonObject = {
  Collection: object('likely', 'a collection', COLLECTION),
  Comment: object('likely', 'a comment on a record', {
    commentId: ref('Identifier'),
    opacRecordId: documented({ ...ref('Identifier'), description: 'identifier of the record commented on' }),
    recordType: documented(text('kind of the record, for example object, person, venue')),
    comment: text(),
  }),
  Highlight: object('likely', 'a highlight, with every derivative of its images', {
    highlightId: ref('Identifier'),
    title: text(),
    imagesCollection: ref('ImagesCollection'),
  }),
  Facet: object('observed', 'a facet and how many records have each of its values', {
    facetId: ref('Identifier'),
    facet: text(),
    facetType: documented(choice('text', 'range', 'color')),
    facetLabelValues: array(object('observed', 'a value of a facet', LABELLED_COUNT)),
    totalLabelValues: integer(),
  }),
  View: object('likely', 'the fields that a list of records shows', {
    viewName: text(),
    label: text(),
    fields: array(object('likely', 'a field of a view', { identifier: text(), label: text() })),
  }),
  Term: object('likely', 'a term of an authority', LABELLED_COUNT),
};

const EXCHANGE: JsonObject = {
  TokenRequest: withAllRequired(
    object('documented', 'what is exchanged for an access token', {
      code: text('authorization code; very short-lived'),
      grantType: choice('code'),
      redirectURI: text('the registered redirect URI'),
      clientId: text(),
      clientSecret: text(),
      codeVerifier: text('the verifier that the code challenge was derived from'),
    }),
  ),
  Token: withAllRequired(
    object('documented', 'an access token', {
      accessToken: text(),
      tokenType: choice('bearer'),
      expires: integer('lifetime in seconds'),
    }),
  ),
  Error: object('observed', 'what went wrong', { message: text() }),
};

function recordSchema(kind: RecordKind): JsonObject {
  const words = KIND_WORDS[kind];
  const origin: Origin = kind === 'venues' ? 'likely' : 'observed';
  const value = object(origin, 'one value of a field', {
    value: { type: ['string', 'number', 'null'], description: 'an empty string is no value' },
    [words.fieldAttributesKey]: listOf('Attribute'),
  });
  const fieldSet = object(origin, 'the values of one field; each deployment publishes its own fields', {
    identifier: text(),
    [words.fieldsKey]: array(value),
  });
  return object(origin, `a ${words.recordType}`, {
    [words.idKey]: ref('Identifier'),
    recordType: documented(text(`in lists of all kinds: ${words.recordType}`)),
    [words.scoreKey]: ref('Measure'),
    opacCollection: ref('CollectionOfRecord'),
    slug: text('not unique'),
    [words.fieldSetsKey]: array(fieldSet),
    relationshipsCollection:
      kind === 'venues' ? ref('RelationshipsCollection') : documented(ref('RelationshipsCollection')),
    imagesCollection: ref('ImagesCollection'),
  });
}

/** Where the name of an item is not that of its schema. */
const OTHER_NAMES: Partial<Record<ItemType, string>> = { color: 'CssColor', imagelabel: 'ImageLabel' };

export function schemaName(item: ItemType): string {
  return OTHER_NAMES[item] ?? `${item.charAt(0).toUpperCase()}${item.slice(1)}`;
}

export const SCHEMAS: JsonObject = {
  ...Object.fromEntries(
    RECORD_KINDS.map((kind) => [schemaName(KIND_WORDS[kind].recordType), recordSchema(kind)]),
  ),
  Record: {
    description: 'a record of any kind; recordType names it',
    type: 'object',
    required: ['recordType'],
    properties: { recordType: text('for example object, person, venue') },
    anyOf: [
      ...RECORD_KINDS.map((kind) => ref(schemaName(KIND_WORDS[kind].recordType))),
      { type: 'object', additionalProperties: true },
    ],
    'x-origin': 'documented',
  },
  ...PARTS,
  ...BESIDE_RECORDS,
  ...VALUES,
  ...EXCHANGE,
};

/** The JSON Schemas of request and response bodies (FIELD-NOTES.md "Answers", INTERFACE.md "Fields stated"). */
import type { Provenance } from '../endpoints/endpoint-row.js';
import { type ItemType, SERVICE_ITEMS } from '../endpoints/items.js';
import { asObject, type JsonObject } from '../json.js';
import { KIND_KEYS, RECORD_KINDS, type RecordKind } from '../kinds.js';

const OTHER_NAMES: Partial<Record<ItemType, string>> = { color: 'CssColor', imagelabel: 'ImageLabel' };

export function getSchemaName(item: ItemType): string {
  return OTHER_NAMES[item] ?? `${item.charAt(0).toUpperCase()}${item.slice(1)}`;
}

export function createReference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

const ref = createReference;
const array = (items: JsonObject): JsonObject => ({ type: 'array', items });
const createArray = (name: string): JsonObject => array(ref(name));
const text = (description?: string): JsonObject => ({ type: 'string', ...(description && { description }) });
const integer = (description?: string): JsonObject => ({
  type: 'integer',
  ...(description && { description }),
});
const choice = (...values: string[]): JsonObject => ({ type: 'string', enum: values });
const documented = (schema: JsonObject): JsonObject => ({ ...schema, 'x-origin': 'documented' });

function object(origin: Provenance, description: string, properties: JsonObject): JsonObject {
  return { type: 'object', description, properties, additionalProperties: true, 'x-origin': origin };
}

function collection(description: string, item: 'Relationship' | 'Image' | 'Facet'): JsonObject {
  const items = { [`${item.toLowerCase()}s`]: createArray(item), [`total${item}s`]: integer() };
  return object('observed', description, items);
}

function withAllRequired(schema: JsonObject): JsonObject {
  return { ...schema, required: Object.keys(asObject(schema.properties)) };
}

const VALUES: JsonObject = {
  Identifier: {
    type: ['string', 'integer'],
    description: 'an identifier; a string in some deployments, a number in others',
    'x-origin': 'observed',
  },
  Value: { description: 'a value of unknown type', 'x-origin': 'likely' },
  Measure: {
    type: ['number', 'string'],
    description: 'a number; a string in some deployments',
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

const PARTS: JsonObject = {
  Attribute: object('observed', 'an attribute of a value or of an image', {
    key: documented(text()),
    value: text(),
  }),
  RelationshipsCollection: collection('the relationships of a record', 'Relationship'),
  Relationship: object('observed', 'a relationship and its related records', {
    relationshipId: ref('Identifier'),
    relatedRecordType: text('kind of the related records'),
    relatedRecords: createArray('RelatedRecord'),
    totalRelatedRecords: integer(),
  }),
  RelatedRecord: object('observed', 'a record at the other end of a relationship', {
    relatedRecordId: ref('Identifier'),
    title: text(),
    slug: text(),
    key: documented(text('internal_related_detail; or internal_related_summary, which has no image')),
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
    imageAttributes: createArray('Attribute'),
    imageDerivatives: createArray('ImageDerivative'),
    cssColors: documented(createArray('CssColor')),
    rawColors: documented(createArray('RawColor')),
    imageLabels: documented(createArray('ImageLabel')),
  }),
  ImageDerivative: object('observed', 'an image in one size; derivatives are not sorted by size', {
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
  RawColor: object('observed', 'a colour of the image', COLOR),
  ImageLabel: object('observed', 'a label that image recognition gave to an image', {
    imageLabelId: ref('Identifier'),
    imageLabel: text(),
    status: text(),
    count: integer('number of images with this label'),
    score: { ...ref('Measure'), description: 'confidence, a percentage' },
  }),
  CollectionOfRecord: object('observed', 'the collection that a record belongs to', {
    opacCollectionId: ref('Identifier'),
    collectionName: text(),
  }),
  Facet: object('observed', 'a facet with its values and the number of records for each value', {
    facetId: ref('Identifier'),
    facet: text(),
    facetType: documented(choice('text', 'range', 'color')),
    facetLabelValues: array(
      object('observed', 'a value of a facet', { label: text(), value: integer('number of records') }),
    ),
    totalLabelValues: integer(),
  }),
  FacetsCollection: collection('the facets of a search', 'Facet'),
};

/** Schemas of items that are not records. A schema in PARTS replaces the schema with the same name. */
const ITEMS: JsonObject = Object.fromEntries(
  Object.entries(SERVICE_ITEMS).map(([name, { defaultColumns }]) => [
    getSchemaName(name as ItemType),
    object('likely', `one ${name}`, Object.fromEntries(defaultColumns.map((key) => [key, ref('Value')]))),
  ]),
);

const EXCHANGE: JsonObject = {
  TokenRequest: withAllRequired(
    object('documented', 'the request for an access token', {
      code: text('authorization code, valid for a short time'),
      grantType: choice('code'),
      redirectURI: text('the registered redirect URI'),
      clientId: text(),
      clientSecret: text(),
      codeVerifier: text('the verifier from which the client derived the code challenge'),
    }),
  ),
  Token: withAllRequired(
    object('documented', 'an access token', {
      accessToken: text(),
      tokenType: choice('bearer'),
      expires: integer('lifetime in seconds'),
    }),
  ),
  Error: object('observed', 'an error', { message: text() }),
};

function recordSchema(kind: RecordKind): JsonObject {
  const keys = KIND_KEYS[kind];
  const origin: Provenance = kind === 'venues' ? 'likely' : 'observed';
  const value = object(origin, 'one value of a field', {
    value: { type: ['string', 'number', 'null'], description: 'an empty string means no value' },
    [keys.fieldAttributesKey]: createArray('Attribute'),
  });
  const fieldSet = object(origin, 'the values of one field; each deployment publishes its own fields', {
    identifier: text(),
    [keys.fieldsKey]: array(value),
  });
  return object(origin, `one ${keys.recordType}`, {
    [keys.idKey]: ref('Identifier'),
    recordType: documented(text(`always ${keys.recordType}; present in lists of all kinds`)),
    [keys.scoreKey]: ref('Measure'),
    opacCollection: ref('CollectionOfRecord'),
    slug: text('not unique'),
    [keys.fieldSetsKey]: array(fieldSet),
    relationshipsCollection:
      kind === 'venues' ? ref('RelationshipsCollection') : documented(ref('RelationshipsCollection')),
    imagesCollection: ref('ImagesCollection'),
  });
}

export const SCHEMAS: JsonObject = {
  ...Object.fromEntries(
    RECORD_KINDS.map((kind) => [getSchemaName(KIND_KEYS[kind].recordType), recordSchema(kind)]),
  ),
  Record: {
    description: 'a record of any kind; recordType names the kind',
    type: 'object',
    required: ['recordType'],
    properties: { recordType: text('for example object, person, venue') },
    anyOf: [
      ...RECORD_KINDS.map((kind) => ref(getSchemaName(KIND_KEYS[kind].recordType))),
      { type: 'object', additionalProperties: true },
    ],
    'x-origin': 'documented',
  },
  ...ITEMS,
  ...PARTS,
  ...VALUES,
  ...EXCHANGE,
};

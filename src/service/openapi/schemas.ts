/** JSON Schemas of the payloads (FIELD-NOTES.md "Answers", INTERFACE.md "Fields stated"). */
import type { Provenance } from '../endpoints/endpoint-row.js';
import { type ItemType, SERVICE_ITEMS } from '../endpoints/items.js';
import { asObject, type JsonObject } from '../json.js';
import { KIND_KEYS, RECORD_KINDS, type RecordKind } from '../kinds.js';

/** Where the name of an item is not that of its schema. */
const OTHER_NAMES: Partial<Record<ItemType, string>> = { color: 'CssColor', imagelabel: 'ImageLabel' };

export function schemaName(item: ItemType): string {
  return OTHER_NAMES[item] ?? `${item.charAt(0).toUpperCase()}${item.slice(1)}`;
}

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

function object(origin: Provenance, description: string, properties: JsonObject): JsonObject {
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
  Value: { description: 'of a type that was not seen', 'x-origin': 'likely' },
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
  CollectionOfRecord: object('observed', 'the collection a record belongs to', {
    opacCollectionId: ref('Identifier'),
    collectionName: text(),
  }),
  Facet: object('observed', 'a facet and how many records have each of its values', {
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

/** Items whose shape was not seen: the keys that are familiar. */
const ITEMS: JsonObject = Object.fromEntries(
  Object.entries(SERVICE_ITEMS).map(([name, { defaultColumns }]) => [
    schemaName(name as ItemType),
    object(
      'likely',
      `keys of a ${name}`,
      Object.fromEntries(defaultColumns.map((key) => [key, ref('Value')])),
    ),
  ]),
);

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
  const words = KIND_KEYS[kind];
  const origin: Provenance = kind === 'venues' ? 'likely' : 'observed';
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

export const SCHEMAS: JsonObject = {
  ...Object.fromEntries(
    RECORD_KINDS.map((kind) => [schemaName(KIND_KEYS[kind].recordType), recordSchema(kind)]),
  ),
  Record: {
    description: 'a record of any kind; recordType names it',
    type: 'object',
    required: ['recordType'],
    properties: { recordType: text('for example object, person, venue') },
    anyOf: [
      ...RECORD_KINDS.map((kind) => ref(schemaName(KIND_KEYS[kind].recordType))),
      { type: 'object', additionalProperties: true },
    ],
    'x-origin': 'documented',
  },
  ...ITEMS,
  ...PARTS,
  ...VALUES,
  ...EXCHANGE,
};

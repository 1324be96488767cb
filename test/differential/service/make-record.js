/** Creates random records in the shapes of FIELD-NOTES.md "Answers". */
import { Digits, printJson, toTree } from '../reference/json.js';
import { shuffleKeys } from './spelling.js';

/** The names that depend on the kind. */
export const KINDS = {
  objects: { segment: 'opacobjects', name: 'Object', type: 'object' },
  persons: { segment: 'opacpersons', name: 'Person', type: 'person' },
  venues: { segment: 'opacvenues', name: 'Venue', type: 'venue' },
};

const DERIVATIVES = ['NANO', 'TINY', 'SMALL', 'MEDIUM', 'LARGE', 'XLARGE'];
const ID_STYLES = {
  text: (n) => String(10_000 + n),
  number: (n) => new Digits(String(10_000 + n)),
  // As doubles, neighbouring ids would be the same number.
  long: (n) => new Digits(String(90_071_992_547_409_931n + BigInt(n))),
  zeros: (n) => String(n).padStart(7, '0'),
  letters: (n) => `ob-${n.toString(36)}`,
};

/** Creates the notation of a deployment, which is the same for all its records. */
export function createRecordStyle(random, chosen = {}) {
  return {
    ids: random.pick(Object.keys(ID_STYLES)),
    sizesAreText: random.chance(0.5),
    hasNumbers: random.chance(0.2),
    shufflesKeys: random.chance(0.3),
    /** The maximum number of characters in each record that are hard to compress. */
    noise: 0,
    /** Values of the field `modified`. */
    days: ['2026-01-05'],
    /** Returns the day of a record by its number. Default: one of `days`. */
    dayOf: undefined,
    hasImages: true,
    collections: [['1', 'Natural History']],
    ...chosen,
  };
}

/** Creates `{ id, kind, tree, text }`. The service sends `text`. `number` determines the id. */
export function makeRecord(random, kind, number, style) {
  const { name } = KINDS[kind];
  const id = ID_STYLES[style.ids](number);
  const fields = makeFields(random, number, style);
  const [collectionId, collectionName] = random.pick(style.collections);
  const tree = toTree({
    [`opac${name}Id`]: id,
    [`${name.toLowerCase()}SearchScore`]: new Digits(random.pick(['1', '12.284488', '0.5'])),
    opacCollection: {
      opacCollectionId: collectionId,
      collectionName: random.chance(0.7) ? collectionName : undefined,
    },
    [`opac${name}FieldSets`]: fields.map(([identifier, values]) => ({
      identifier,
      [`opac${name}Fields`]: values.map(({ value, attributes }) => ({
        value,
        [`opac${name}FieldAttributes`]: attributes?.map(([key, text]) => ({ key, value: text })),
      })),
    })),
    relationshipsCollection: makeRelationships(random),
    imagesCollection: style.hasImages ? makeImages(random, number, style) : undefined,
    slug: random.chance(0.8) ? random.words(2).replaceAll(' ', '-') : undefined,
  });
  return createRecordFromTree(kind, style.shufflesKeys ? shuffleKeys(random, tree) : tree);
}

/** Creates a record from its tree. */
export function createRecordFromTree(kind, tree) {
  const id = tree.get(`opac${KINDS[kind].name}Id`);
  return { id: id instanceof Digits ? id.text : id, kind, tree, text: printJson(tree) };
}

function makeFields(random, number, style) {
  const value = () => ({ value: random.text() });
  const title = random.text();
  const makers = Array.from({ length: random.integer(0, 3) }, value);
  const year = 1800 + random.integer(0, 199);
  const fields = [
    ['accession_no', [{ value: `A.${number}` }]],
    ['name', [{ value: title, attributes: random.chance(0.5) ? [['title', title]] : undefined }]],
    [
      'brief_desc',
      [{ value: style.noise > 0 ? random.noise(random.integer(0, Math.floor(style.noise))) : random.text() }],
    ],
    ['production_date', [{ value: `c. ${year}`, attributes: createDates(year) }]],
    ['maker_name', makers],
    ['production_role', makers.map(() => ({ value: random.pick(['Maker', 'Artist', 'a|b']) }))],
    ['measurements', makeMeasurements(random)],
    ['modified', [{ value: style.dayOf?.(number) ?? random.pick(style.days) }]],
    ['inscription', random.pick([[], [{ value: '' }], [value()], [value(), { value: '' }, value()]])],
  ];
  if (random.chance(0.3)) fields.push(['collection', [value()]]);
  if (random.chance(0.1)) fields.push([`user_sym_${random.integer(1, 5)}`, [value()]]);
  if (style.hasNumbers)
    fields.push(['count', [{ value: new Digits(String(9_007_199_254_740_993n + BigInt(number))) }]]);
  return random.chance(0.1) ? random.shuffle(fields) : fields;
}

function createDates(year) {
  return [
    ['earliest_date', `${year}-01-01Z`],
    ['latest_date', `${year}-12-31Z`],
  ];
}

function makeMeasurements(random) {
  return Array.from({ length: random.integer(0, 3) }, () => ({
    value: `${random.integer(1, 900)} x ${random.integer(1, 900)} mm`,
    attributes: random.chance(0.5) ? [['unit', random.pick(['cm', 'mm'])]] : undefined,
  }));
}

function makeRelationships(random) {
  const relationships = Array.from({ length: random.integer(0, 2) }, (_, n) => {
    const related = Array.from({ length: random.integer(1, 3) }, (_, m) => ({
      relatedRecordId: String(500 + 10 * n + m),
      title: random.text(),
      slug: random.words(1),
      relatedRecordAttributes: random.chance(0.3)
        ? [{ identifier: 'role', label: 'Role', values: [random.words(1), random.words(1)] }]
        : undefined,
    }));
    return {
      relationshipId: `object_prod_${n}`,
      relatedRecordType: random.pick(['person', 'venue']),
      relatedRecords: related,
      totalRelatedRecords: related.length,
    };
  });
  return { relationships, totalRelationships: relationships.length };
}

function makeImages(random, number, { sizesAreText }) {
  const size = (pixels) => (sizesAreText ? String(pixels) : pixels);
  const images = Array.from({ length: random.pick([0, 0, 1, 2, 3]) }, (_, n) => ({
    imageId: `${number}${n}`,
    caption: random.chance(0.5) ? random.text() : undefined,
    imageAttributes: random.chance(0.5) ? [{ key: 'copyright', value: random.words(2) }] : undefined,
    imageDerivatives: random.some(DERIVATIVES, random.integer(1, 4)).map((identifier) => {
      const pixels = 2 ** DERIVATIVES.indexOf(identifier);
      const url = `https://images.example/${number}/${n}/${identifier.toLowerCase()}.jpg`;
      return { identifier, url, width: size(25 * pixels), height: size(20 * pixels) };
    }),
    cssColors: random.chance(0.3) ? [makeColor(random)] : [],
    rawColors: [],
    imageLabels: random.chance(0.3)
      ? [
          {
            imageLabelId: random.integer(1, 900),
            imageLabel: random.words(1),
            status: 'auto_verified',
            count: random.integer(1, 2000),
            score: new Digits('98.89'),
          },
        ]
      : undefined,
  }));
  return { images, totalImages: images.length };
}

function makeColor(random) {
  return {
    hex: random.pick(['b0c4de', '000000', '4682b4']),
    hue: random.integer(0, 359),
    saturation: 41,
    lightness: 78,
    colorName: 'lightsteelblue',
    formattedColorName: 'light steel blue',
    colorGroup: 'blue',
    rank: 1,
    presence: new Digits('3.61'),
  };
}

// Creates objects of about 3 kB in the format of the service. They are the same in every run.

const WORDS =
  'blue glass model of a jellyfish mounted on green wire rod whāriki pūtōrino kākahu carved by hand in oak'.split(
    ' ',
  );
const NAMES = [
  'Leopold Blaschka',
  'Rudolf Blaschka',
  'Hēnare Tāmihana',
  'Agnès Lefèvre',
  'Józef Wójcik',
  'Ann Fereday',
];
const PLACES = [
  'Dresden/Germany/Western Europe/Europe',
  'Lyttelton/Canterbury/Aotearoa New Zealand',
  'Kyōto/Japan/Asia',
];
const FACETED = [
  'production_place',
  'collection_units',
  'maker_name',
  'classification',
  'subject_category',
  'credit_line',
];

/** Returns the object with the id 1,000,000 + `n`. `late`: adds a field that other objects do not have. */
export function recordOf(n, { late = false } = {}) {
  const pick = (list, salt) => list[(n * 31 + salt * 17) % list.length];
  const words = (count, salt) => Array.from({ length: count }, (_, i) => pick(WORDS, salt + i * 7)).join(' ');
  const title = `${words(3, 1)} no. ${n}`;
  const makers = n % 3 === 0 ? [pick(NAMES, 1), pick(NAMES, 2)] : [pick(NAMES, 3)];
  const fields = {
    accession_no: [`${1900 + (n % 120)}.${String(n % 1000).padStart(4, '0')}`],
    name: [title],
    brief_desc: [`${words(16, 3)}. "${words(5, 4)}",  ${words(9, 5)}`],
    production_date: [`c. ${1800 + (n % 150)}–${10 + (n % 80)}`],
    production_place: [pick(PLACES, 4)],
    maker_name: makers,
    production_role: makers.map(() => 'Model maker/Maker'),
    medium_desc: [words(4, 6)],
    measurements: [`whole: ${n % 900} x ${n % 70}mm`, `frame: ${n % 901} x ${n % 71}mm`].slice(n % 2),
    classification: [words(2, 7)],
    subject_category: [words(1, 8), words(1, 9)],
    collection_units: ['Glass', 'European Decorative Arts'],
    credit_line: [`Gift of ${pick(NAMES, 5)}, ${1950 + (n % 70)}`],
    inscription: [''],
    ...(late && { found_late: [words(2, 10)] }),
  };
  return {
    opacObjectId: String(1_000_000 + n),
    objectSearchScore: 12.284488,
    opacCollection: { opacCollectionId: String(n % 7), collectionName: words(2, 11) },
    opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
      identifier,
      opacObjectFields: values.map((value) => ({
        value,
        ...(identifier === 'name' && { opacObjectFieldAttributes: [{ key: 'title', value }] }),
        ...(FACETED.includes(identifier) && {
          opacObjectFieldAttributes: [{ key: 'search', value: `${identifier}:"${value}"` }],
        }),
      })),
    })),
    slug: title.replaceAll(' ', '-'),
    relationshipsCollection: {
      relationships: [
        {
          relationshipId: 'object_prod_pri_person',
          relatedRecordType: 'person',
          relatedRecords: makers.map((maker, i) => ({
            relatedRecordId: String(n + i),
            title: maker,
            slug: 'maker',
          })),
          totalRelatedRecords: makers.length,
        },
      ],
      totalRelationships: 1,
    },
    imagesCollection: {
      images: [
        {
          imageId: String(n),
          imageDerivatives: ['TINY', 'MEDIUM', 'LARGE'].map((identifier, size) => ({
            identifier,
            url: `https://images.example.org/records/images/${identifier.toLowerCase()}/${n}/a-picture.jpg`,
            width: String(100 * 4 ** size),
            height: String(75 * 4 ** size),
          })),
          cssColors: [],
          rawColors: [],
          imageLabels: [],
        },
      ],
      totalImages: 1,
    },
  };
}

/** Records as deployments send them, and as they might: every variant of FIELD-NOTES.md "Answers", with any text in it. */
import fc from 'fast-check';

/** Text of every sort that spoils files: quotes, separators, formulas, line breaks, macrons, emoji, lone surrogates, NUL. */
export const anyText = fc.oneof(
  fc.constantFrom(
    '',
    '',
    'Blake',
    '0012',
    'a|b',
    'a\\|',
    '\\',
    '"',
    ',',
    ';',
    "'=x",
    '=1+1',
    '-',
    '@x',
    '+64 21',
  ),
  fc.constantFrom(
    '\t',
    '\n',
    '\r\n',
    ' \u00a0',
    'Māori',
    '🦑',
    '\ud83e',
    '\u0000',
    '[1]',
    '[',
    '\ufeff',
    '1975.10',
    '8-27',
  ),
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', '\t', '|', '\\', ';', ' ', "'", '=', 'ā', '\ud83e'),
  }),
);

const IDENTIFIERS = [
  'accession_no',
  'name',
  'title',
  'maker_name',
  'production_role',
  'tītle',
  'slug',
  '__proto__',
  'x y',
  '',
];
const identifier = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...IDENTIFIERS) }, fc.nat(3));
const scalar = fc.oneof(
  { weight: 12, arbitrary: anyText },
  fc.constantFrom(null, true, 1e21, 0.1, 12345678901234567890n, -0),
  fc.integer(),
);
const odd = fc.oneof(scalar, fc.constant([]), fc.constant({ a: 'ā' }));

function list<T>(of: fc.Arbitrary<T>, maxLength = 4) {
  return fc.oneof({ weight: 20, arbitrary: fc.array(of, { maxLength }) }, odd);
}

const attribute = fc.record({ key: fc.constantFrom('title', 'search', 'earliest_date'), value: odd });

const sizes = fc.oneof(fc.nat(4000), fc.nat(4000).map(String), odd);
const image = fc.record(
  {
    imageId: scalar,
    imageDerivatives: list(
      fc.record(
        { identifier: fc.constantFrom('TINY', 'LARGE'), url: scalar, width: sizes, height: sizes },
        { requiredKeys: [] },
      ),
    ),
    imageLabels: list(fc.record({ imageLabel: scalar }, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);
const relationship = fc.record(
  {
    relationshipId: fc.oneof(fc.constantFrom('object_prod_pri_person', 'mätching', ''), scalar),
    relatedRecords: list(fc.record({ relatedRecordId: scalar, title: scalar }, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);

function recordOf(Name: 'Object' | 'Person' | 'Record') {
  const name = `opac${Name}`;
  const value = fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .record(
          {
            value: odd,
            [`${name}FieldAttributes`]: list(attribute, 2),
            opacXFieldAttributes: list(attribute, 2),
          },
          { requiredKeys: ['value'] },
        )
        .map((each) => seldom(each, 'opacXFieldAttributes')),
    },
    odd,
  );
  const set = fc
    .record(
      { identifier, [`${name}Fields`]: list(value), opacXFields: list(value) },
      { requiredKeys: ['identifier'] },
    )
    .map((each) => seldom(each, 'opacXFields'));
  return fc
    .record(
      {
        [`${name}Id`]: scalar,
        recordType: fc.constantFrom('object', 'PERSON', '', 'story', 1),
        slug: odd,
        title: scalar,
        opacCollection: fc.oneof(
          fc.record({ opacCollectionId: scalar, collectionName: scalar }, { requiredKeys: [] }),
          odd,
        ),
        [`${name}FieldSets`]: list(set, 6),
        opacXFieldSets: list(set),
        relationshipsCollection: fc.oneof(fc.record({ relationships: list(relationship) }), odd),
        imagesCollection: fc.oneof(fc.record({ images: list(image, 3) }), odd),
      },
      { requiredKeys: [] },
    )
    .map((each) => seldom(each, 'opacXFieldSets'));
}

/** Keeps the oddest keys out of most records, so that ordinary ones are tried too. */
function seldom(record: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  const { [key]: value, ...rest } = record;
  return Array.isArray(value) && value.length === 1 ? { ...record } : rest;
}

export const anyRecord = fc.oneof(
  recordOf('Object'),
  recordOf('Object'),
  recordOf('Person'),
  recordOf('Record'),
);

/** JSON with integers of any length, in one of the spellings of other languages. */
export function printJson(value: unknown, how: 'plain' | 'ascii' = 'plain'): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `\u0000${each}\u0000` : each));
  const long = text.replace(/"\\u0000(\d+)\\u0000"/g, '$1');
  if (how === 'plain') return long;
  return long.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

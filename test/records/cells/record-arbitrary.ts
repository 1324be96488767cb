/** Creates records as deployments send or may send them: every variant in FIELD-NOTES.md "Answers", with any text. */
import fc from 'fast-check';
import { nastyText } from '../../nasty-text.js';

/** All sorts of text that may break files: quotes, separators, formulas, line breaks, macrons, emoji, lone surrogates, NUL. */
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
  nastyText,
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
const text = fc.oneof({ weight: 12, arbitrary: anyText }, fc.constantFrom(null, true, 0, 1863));
const scalar = fc.oneof(
  { weight: 12, arbitrary: text },
  fc.constantFrom(1e21, 0.1, 12345678901234567890n, -0),
  fc.integer(),
);
const odd = fc.oneof({ weight: 4, arbitrary: scalar }, fc.constant([]), fc.constant({ a: 'ā' }));

/**
 * Creates records of a kind. Without `isOdd`, they have only the keys of their kind, lists where lists are expected, and text,
 * null, true or small numbers where text is expected.
 */
function recordOf(Name: 'Object' | 'Person' | 'Record', isOdd: boolean) {
  const name = `opac${Name}`;
  const some = (ordinary: fc.Arbitrary<unknown>) =>
    isOdd ? fc.oneof({ weight: 8, arbitrary: ordinary }, odd) : ordinary;
  const list = (of: fc.Arbitrary<unknown>, maxLength = 4) => some(fc.array(of, { maxLength }));
  const members = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
    fc.record({ ...model }, { requiredKeys: [] });

  const attribute = members({ key: fc.constantFrom('title', 'search', 'earliest_date'), value: some(text) });
  const value = members({
    value: some(text),
    [`${name}FieldAttributes`]: list(attribute, 2),
    ...(isOdd && { opacXFieldAttributes: list(attribute, 2) }),
  });
  const set = members({
    // Not any text, because `@` in the name of a column introduces an attribute.
    identifier: fc.constantFrom(...IDENTIFIERS, ...(isOdd ? [3, null, 'a"b', 'a\\b'] : [])),
    [`${name}Fields`]: list(fc.oneof({ weight: 5, arbitrary: value }, some(text)), 3),
    ...(isOdd && { opacXFields: list(value) }),
  });
  const size = some(fc.oneof(fc.nat(4000), fc.nat(4000).map(String), fc.constantFrom('', null)));
  const derivative = members({
    identifier: fc.constantFrom('TINY', 'LARGE'),
    url: some(text),
    width: size,
    height: size,
  });
  const image = members({
    imageId: some(text),
    imageDerivatives: list(derivative),
    imageLabels: list(members({ imageLabel: some(text) })),
  });
  const related = members({ relatedRecordId: some(text), title: some(text) });
  const relationship = members({
    relationshipId: some(fc.constantFrom('object_prod_pri_person', 'object_rel_object', 'mätching', '')),
    relatedRecords: list(related),
  });
  const id = some(fc.oneof(fc.nat(9999), fc.uuid(), fc.constantFrom('', null)));
  return members({
    [`${name}Id`]: id,
    id,
    recordType: fc.constantFrom('object', 'PERSON', '', 'story', null, 1),
    slug: some(text),
    title: some(text),
    opacCollection: some(members({ opacCollectionId: some(text), collectionName: some(text) })),
    [`${name}FieldSets`]: isOdd
      ? list(set, 6)
      : fc.uniqueArray(set, { maxLength: 6, selector: ({ identifier }) => identifier }),
    ...(isOdd && { opacXFieldSets: list(set) }),
    relationshipsCollection: some(members({ relationships: list(relationship, 2) })),
    imagesCollection: some(members({ images: list(image, 3) })),
  });
}

export const anyRecord = fc.oneof(
  ...(['Object', 'Person', 'Record'] as const).flatMap((Name) => [
    { weight: 3, arbitrary: recordOf(Name, false) },
    { weight: 1, arbitrary: recordOf(Name, true) },
  ]),
);

/** Returns JSON with integers of any length. `ascii`: other characters are escaped, as in JSON from some other languages. */
export function printJson(value: unknown, how: 'plain' | 'ascii' = 'plain'): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `integer:${each}` : each));
  const long = text.replace(/"integer:(-?(?:0|[1-9]\d*))"/g, '$1');
  if (how === 'plain') return long;
  return long.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Returns valid but unusual JSON: spaces between parts, escapes in keys and texts, and duplicate keys, of which the last counts.
 * The seed determines where.
 */
export function printUnusualJson(value: unknown, seed: number): string {
  let state = seed;
  const chance = (of: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % of === 0;
  };
  const space = () => (chance(4) ? ' \n\t\r'.slice(state % 4) : '');
  const text = (each: string, escapes: number) => {
    const plain = JSON.stringify(each);
    if (chance(escapes)) return plain.replace(/[a-z]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
    return chance(10) ? plain.replaceAll('/', '\\/') : plain;
  };
  const print = (each: unknown): string => {
    if (typeof each === 'string') return text(each, 30);
    if (typeof each === 'number' && Number.isSafeInteger(each) && chance(10)) return `${each}.0`;
    if (typeof each === 'bigint') return String(each);
    if (Array.isArray(each)) return `[${space()}${each.map(print).join(`${space()},${space()}`)}${space()}]`;
    if (typeof each !== 'object' || each === null) return JSON.stringify(each);
    const members = Object.entries(each).flatMap(([key, own]) => {
      const values = chance(30) ? [decoyOf(own), own] : [own];
      return values.map((one) => `${text(key, 400)}${space()}:${space()}${print(one)}`);
    });
    return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
  };
  return print(value);
}

/** Returns a value of the same type for a duplicate key. A reader must ignore it. */
function decoyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [DECOY];
  return typeof value === 'object' ? DECOY : 'decoy';
}

const DECOY = {
  identifier: 'decoy',
  value: 'decoy',
  key: 'title',
  title: 'decoy',
  relationships: [{ relationshipId: 'decoy', relatedRecords: [{ title: 'decoy' }] }],
  images: [
    {
      imageLabels: [{ imageLabel: 'decoy' }],
      imageDerivatives: [{ url: 'decoy', width: 9999, height: 9999 }],
    },
  ],
};

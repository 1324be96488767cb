/** Edits of one leaf of a record, each of which a comparison must report, and changes that say nothing. */
import { Digits } from '../reference/json.js';
import { structuredTree } from './collection.js';
import { recordOf } from './make-record.js';
import { shuffledKeys } from './spelling.js';

/** Changes one value anywhere in the record but its id. Gives the record and what was edited, for a report. */
export function editLeaf(random, record) {
  const tree = structuredTree(record.tree);
  const leaf = random.pick(leavesOf(tree));
  leaf.container instanceof Map
    ? leaf.container.set(leaf.key, edited(leaf))
    : leaf.container.splice(leaf.key, 1, edited(leaf));
  return { record: recordOf(record.kind, tree), what: leaf.path };
}

function edited({ value, path }) {
  if (value instanceof Digits)
    return new Digits(value.text.includes('.') ? `${value.text}7` : `${BigInt(value.text) + 1n}`);
  // Parameters of an address may pass, its path does not.
  return path.endsWith('.url') ? `${value}.png` : `${value}7`;
}

/** What is documented to change by itself is left out (docs/copies.md). */
function leavesOf(value, path = '') {
  const members = value instanceof Map ? [...value] : value.map((each, n) => [n, each]);
  return members.flatMap(([key, member]) => {
    const at = `${path}.${key}`;
    if (/^\.opac\w+Id$|SearchScore$|imageLabels\.\d+\.(score|count)$/.test(at)) return [];
    if (member instanceof Map || Array.isArray(member)) return leavesOf(member, at);
    return [{ container: value, key, value: member, path: at }];
  });
}

/** Edits that need more than one leaf, or a record of an odd shape: `[name, shape of the older one, edit]`. */
export const ODD_EDITS = [
  [
    'an attribute moves to another value',
    (tree) => setAttributes(tree, [[['unit', 'cm']], []]),
    (tree) => setAttributes(tree, [[], [['unit', 'cm']]]),
  ],
  [
    'the first of two attributes with one key',
    (tree) =>
      setAttributes(tree, [
        [
          ['unit', 'cm'],
          ['unit', 'in'],
        ],
        [],
      ]),
    (tree) =>
      setAttributes(tree, [
        [
          ['unit', 'mm'],
          ['unit', 'in'],
        ],
        [],
      ]),
  ],
  [
    'the first of two derivatives with one name',
    (tree) => setDerivatives(tree, ['https://images.example/a.jpg', 'https://images.example/b.jpg']),
    (tree) => setDerivatives(tree, ['https://images.example/c.jpg', 'https://images.example/b.jpg']),
  ],
  [
    'the first of two attributes of a related record with one identifier',
    (tree) => setRelated(tree, ['one', 'same']),
    (tree) => setRelated(tree, ['two', 'same']),
  ],
  [
    'a collection as text',
    (tree) => tree.set('opacCollection', 'Natural History'),
    (tree) => tree.set('opacCollection', 'Decorative Arts'),
  ],
];

export function applyOdd(record, change) {
  const tree = structuredTree(record.tree);
  change(tree);
  return recordOf(record.kind, tree);
}

/** Two values of a field with these attributes. */
function setAttributes(tree, attributes) {
  const set = tree.get('opacObjectFieldSets').find((each) => each.get('identifier') === 'measurements');
  const values = ['10', '20'].map((text, n) => {
    const pairs = attributes[n].map(
      ([key, value]) =>
        new Map([
          ['key', key],
          ['value', value],
        ]),
    );
    return new Map([
      ['value', text],
      ['opacObjectFieldAttributes', pairs],
    ]);
  });
  set.set('opacObjectFields', values);
}

function setDerivatives(tree, urls) {
  const derivatives = urls.map(
    (url) =>
      new Map([
        ['identifier', 'LARGE'],
        ['url', url],
        ['width', '10'],
        ['height', '10'],
      ]),
  );
  const image = new Map([
    ['imageId', '1'],
    ['imageDerivatives', derivatives],
  ]);
  tree.set(
    'imagesCollection',
    new Map([
      ['images', [image]],
      ['totalImages', new Digits('1')],
    ]),
  );
}

function setRelated(tree, values) {
  const attributes = values.map(
    (value) =>
      new Map([
        ['identifier', 'role'],
        ['label', 'Role'],
        ['values', [value]],
      ]),
  );
  const related = new Map([
    ['relatedRecordId', '7'],
    ['title', 'x'],
    ['relatedRecordAttributes', attributes],
  ]);
  const relationship = new Map([
    ['relationshipId', 'object_prod_0'],
    ['relatedRecordType', 'person'],
    ['relatedRecords', [related]],
    ['totalRelatedRecords', new Digits('1')],
  ]);
  tree.set(
    'relationshipsCollection',
    new Map([
      ['relationships', [relationship]],
      ['totalRelationships', new Digits('1')],
    ]),
  );
}

/** The same record with another score, its keys in another order, sizes as text or numbers. */
export function respell(random, record) {
  const tree = shuffledKeys(random, structuredTree(record.tree));
  for (const key of tree.keys()) if (/SearchScore$/.test(key)) tree.set(key, new Digits('3.5'));
  for (const image of tree.get('imagesCollection')?.get('images') ?? []) {
    image.set('imageDerivatives', random.shuffle(image.get('imageDerivatives')));
    for (const derivative of image.get('imageDerivatives'))
      for (const key of ['width', 'height'])
        if (derivative.get(key) instanceof Digits) derivative.set(key, derivative.get(key).text);
  }
  return recordOf(record.kind, tree);
}

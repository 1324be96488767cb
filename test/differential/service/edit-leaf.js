/** Edits of a record that a comparison must report, and changes of notation that it must ignore. */
import { Digits } from '../reference/json.js';
import { copyTree } from './collection.js';
import { createRecordFromTree } from './make-record.js';
import { shuffleKeys } from './spelling.js';

/** Changes one value of a record, but not its id. Returns the record, and the path of the value for a report. */
export function editLeaf(random, record) {
  const tree = copyTree(record.tree);
  const leaf = random.pick(findLeaves(tree));
  leaf.container instanceof Map
    ? leaf.container.set(leaf.key, changeValue(leaf))
    : leaf.container.splice(leaf.key, 1, changeValue(leaf));
  return { record: createRecordFromTree(record.kind, tree), what: leaf.path };
}

function changeValue({ value, path }) {
  if (value instanceof Digits)
    return new Digits(value.text.includes('.') ? `${value.text}7` : `${BigInt(value.text) + 1n}`);
  // A comparison may ignore the parameters of a URL, but not its path.
  return path.endsWith('.url') ? `${value}.png` : `${value}7`;
}

/** Returns all values, except those that change by themselves (docs/copies.md). */
function findLeaves(value, path = '') {
  const members = value instanceof Map ? [...value] : value.map((each, n) => [n, each]);
  return members.flatMap(([key, member]) => {
    const at = `${path}.${key}`;
    if (/^\.opac\w+Id$|SearchScore$|imageLabels\.\d+\.(score|count)$/.test(at)) return [];
    if (member instanceof Map || Array.isArray(member)) return findLeaves(member, at);
    return [{ container: value, key, value: member, path: at }];
  });
}

/** Edits of several values, or of records with an unusual shape: `[name, shape of the older record, edit]`. */
export const UNUSUAL_EDITS = [
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

export function applyEdit(record, change) {
  const tree = copyTree(record.tree);
  change(tree);
  return createRecordFromTree(record.kind, tree);
}

/** Replaces the values of a field with two values that have these attributes. */
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

/** Returns the same record with another score, another order of keys and derivatives, and sizes as text. */
export function changeNotation(random, record) {
  const tree = shuffleKeys(random, copyTree(record.tree));
  for (const key of tree.keys()) if (/SearchScore$/.test(key)) tree.set(key, new Digits('3.5'));
  for (const image of tree.get('imagesCollection')?.get('images') ?? []) {
    image.set('imageDerivatives', random.shuffle(image.get('imageDerivatives')));
    for (const derivative of image.get('imageDerivatives'))
      for (const key of ['width', 'height'])
        if (derivative.get(key) instanceof Digits) derivative.set(key, derivative.get(key).text);
  }
  return createRecordFromTree(record.kind, tree);
}

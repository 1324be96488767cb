/** What a record says, read from its tree as FIELD-NOTES.md "Answers" describes it. */
import { textOf } from './json.js';

const listUnder = (tree, pattern) =>
  [...tree].find(([key, value]) => pattern.test(key) && Array.isArray(value))?.[1] ?? [];

/** By the identifier of the field: `{ text, attributes }` for each value. */
export function fieldsOf(tree) {
  const fields = new Map();
  for (const set of listUnder(tree, /^opac\w+FieldSets$/)) {
    const values = listUnder(set, /^opac\w+Fields$/).map((entry) => ({
      text: textOf(entry.get('value')),
      attributes: listUnder(entry, /^opac\w+FieldAttributes$/).map((each) => [
        textOf(each.get('key')),
        textOf(each.get('value')),
      ]),
    }));
    const name = set.get('identifier');
    fields.set(name, [...(fields.get(name) ?? []), ...values]);
  }
  return fields;
}

export function imagesOf(tree) {
  return tree.get('imagesCollection')?.get('images') ?? [];
}

/** The URL of the derivative with the most pixels. */
export function largestUrl(image) {
  const pixels = (each) => Number(textOf(each.get('width'))) * Number(textOf(each.get('height')));
  const derivatives = image.get('imageDerivatives') ?? [];
  return derivatives.reduce((best, each) => (pixels(each) > pixels(best) ? each : best)).get('url');
}

/** Columns of a table that are not fields (`opac help columns`). */
const OWN = ['id', 'title', 'recordType', 'slug', 'collection', 'label', 'image.count', 'image.url'];

/** By the name of a column, the values of a record; columns without a value are left out. */
export function columnsOf({ id, kind, tree }) {
  const images = imagesOf(tree);
  const collection = tree.get('opacCollection');
  const isNamed = collection instanceof Map;
  const labels = images.flatMap((image) => image.get('imageLabels') ?? []);
  const columns = new Map([
    ['id', [id]],
    [
      'title',
      [
        fieldsOf(tree)
          .get('name')
          ?.find(({ text }) => text !== '')?.text ?? textOf(tree.get('slug')),
      ],
    ],
    ['recordType', [kind.slice(0, -1)]],
    ['slug', [textOf(tree.get('slug'))]],
    [
      'collection',
      isNamed ? [textOf(collection.get('collectionName')) || textOf(collection.get('opacCollectionId'))] : [],
    ],
    ['label', [...new Set(labels.map((label) => textOf(label.get('imageLabel'))))]],
    ['image.count', [String(images.length)]],
    ['image.url', images.map(largestUrl)],
  ]);
  for (const [name, values] of fieldsOf(tree))
    columns.set(
      OWN.includes(name) ? `field.${name}` : name,
      values.map(({ text }) => text),
    );
  for (const relationship of tree.get('relationshipsCollection')?.get('relationships') ?? [])
    columns.set(
      `relationship.${relationship.get('relationshipId')}`,
      relationship.get('relatedRecords').map((each) => textOf(each.get('title'))),
    );
  for (const [name, values] of columns) if (values.every((value) => value === '')) columns.delete(name);
  return columns;
}

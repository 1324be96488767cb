/** Reads the values of a record from its tree, as FIELD-NOTES.md "Answers" describes it. */
import { formatScalar } from './json.js';

const findList = (tree, pattern) =>
  [...tree].find(([key, value]) => pattern.test(key) && Array.isArray(value))?.[1] ?? [];

/** Returns a list of `{ text, attributes }` by the identifier of the field. */
export function readFields(tree) {
  const fields = new Map();
  for (const set of findList(tree, /^opac\w+FieldSets$/)) {
    const values = findList(set, /^opac\w+Fields$/).map((entry) => ({
      text: formatScalar(entry.get('value')),
      attributes: findList(entry, /^opac\w+FieldAttributes$/).map((each) => [
        formatScalar(each.get('key')),
        formatScalar(each.get('value')),
      ]),
    }));
    const name = set.get('identifier');
    fields.set(name, [...(fields.get(name) ?? []), ...values]);
  }
  return fields;
}

export function readImages(tree) {
  return tree.get('imagesCollection')?.get('images') ?? [];
}

/** Returns the URL of the derivative with the most pixels. */
export function findLargestUrl(image) {
  const pixels = (each) => Number(formatScalar(each.get('width'))) * Number(formatScalar(each.get('height')));
  const derivatives = image.get('imageDerivatives') ?? [];
  return derivatives.reduce((best, each) => (pixels(each) > pixels(best) ? each : best)).get('url');
}

/** Columns of a table that are not fields (`opac help columns`). */
const OWN = ['id', 'title', 'recordType', 'slug', 'collection', 'label', 'image.count', 'image.url'];

/** Returns the values of a record by column, except columns without a value. */
export function readColumns({ id, kind, tree }) {
  const images = readImages(tree);
  const collection = tree.get('opacCollection');
  const isNamed = collection instanceof Map;
  const labels = images.flatMap((image) => image.get('imageLabels') ?? []);
  const columns = new Map([
    ['id', [id]],
    [
      'title',
      [
        readFields(tree)
          .get('name')
          ?.find(({ text }) => text !== '')?.text ?? formatScalar(tree.get('slug')),
      ],
    ],
    ['recordType', [kind.slice(0, -1)]],
    ['slug', [formatScalar(tree.get('slug'))]],
    [
      'collection',
      isNamed
        ? [formatScalar(collection.get('collectionName')) || formatScalar(collection.get('opacCollectionId'))]
        : [],
    ],
    ['label', [...new Set(labels.map((label) => formatScalar(label.get('imageLabel'))))]],
    ['image.count', [String(images.length)]],
    ['image.url', images.map(findLargestUrl)],
  ]);
  for (const [name, values] of readFields(tree))
    columns.set(
      OWN.includes(name) ? `field.${name}` : name,
      values.map(({ text }) => text),
    );
  for (const relationship of tree.get('relationshipsCollection')?.get('relationships') ?? [])
    columns.set(
      `relationship.${relationship.get('relationshipId')}`,
      relationship.get('relatedRecords').map((each) => formatScalar(each.get('title'))),
    );
  for (const [name, values] of columns) if (values.every((value) => value === '')) columns.delete(name);
  return columns;
}

/** Writes the normal form as plain JSON, for `--flat`. */
import type { CollectionRecord, Image } from './record.js';

/**
 * Fields become lists of text by identifier, attributes lists of the same length, derivatives objects by name. The order of
 * fields does not change. Object.fromEntries defines own properties, also for a key such as `__proto__`.
 */
export function toFlatJson(record: CollectionRecord) {
  const attributes = [...record.fields].filter(([, values]) =>
    values.some((value) => value.attributes.size > 0),
  );
  return {
    id: record.id,
    recordType: record.recordType,
    title: record.title,
    slug: record.slug,
    collection: record.collection ?? null,
    fields: Object.fromEntries(
      [...record.fields].map(([identifier, values]) => [identifier, values.map(({ value }) => value)]),
    ),
    attributes: Object.fromEntries(
      attributes.map(([identifier, values]) => [
        identifier,
        values.map((value) => Object.fromEntries([...value.attributes])),
      ]),
    ),
    images: record.images.map(flattenImage),
    relationships: Object.fromEntries(
      record.relationships.map(({ id, recordType, records, total }) => [
        id,
        {
          recordType,
          total,
          records: records.map((related) => ({ id: related.id, title: related.title, slug: related.slug })),
        },
      ]),
    ),
  };
}

function flattenImage(image: Image) {
  return {
    id: image.id,
    caption: image.caption,
    derivatives: Object.fromEntries(
      image.derivatives.map(({ identifier, url, width, height }) => [identifier, { url, width, height }]),
    ),
    colors: image.cssColors.map(({ name, hex, presence }) => ({ name, hex, presence })),
    labels: image.labels.map(({ label, score }) => ({ label, score })),
  };
}

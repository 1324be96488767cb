/** Converts records to the JSON of `--flat`, which has the same structure for all kinds and deployments. */
import type { CollectionRecord, Image } from './record.js';

/** Each field becomes a list of texts, and its attributes become a list of the same length. */
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
    // Object.fromEntries is safe even for the key `__proto__`.
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

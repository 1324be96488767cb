/** One image with its record: the unit of the list, the download and the contact sheet. */
import type { CollectionRecord, Color, Derivative, Image } from '../service/records/record.js';

export interface ImageRow {
  readonly record: CollectionRecord;
  readonly image: Image;
  /** Counted from 1 within the record. */
  readonly position: number;
}

export function imageRows(record: CollectionRecord): readonly ImageRow[] {
  return record.images.map((image, index) => ({ record, image, position: index + 1 }));
}

/** The images of records, from the offset up to the limit. */
export async function* rowsWithin(
  pages: AsyncIterable<readonly CollectionRecord[]>,
  offset: number,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<ImageRow> {
  let number = 0;
  for await (const page of pages) {
    for (const row of page.flatMap(imageRows)) {
      if (number >= offset && number < offset + limit) yield row;
      if (++number >= offset + limit) return;
    }
  }
}

/** The named colours, most present first; unnamed ones where a deployment gives no others. */
export function mainColors({ cssColors, rawColors }: Image): readonly Color[] {
  const colors = cssColors.length > 0 ? cssColors : rawColors;
  return colors.toSorted(
    (one, other) =>
      (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY) ||
      (other.presence ?? 0) - (one.presence ?? 0),
  );
}

/** `1000 x 750`; `''` without a size. */
export function sizeText({ width, height }: Pick<Derivative, 'width' | 'height'>): string {
  return width === undefined || height === undefined ? '' : `${width} x ${height}`;
}

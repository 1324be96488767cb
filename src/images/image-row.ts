/** One image with its record, for the list, the download and the contact sheet. */
import {
  type CollectionRecord,
  type Color,
  type Derivative,
  findLargestDerivative,
  type Image,
} from '../service/records/record.js';

export interface ImageRow {
  readonly record: CollectionRecord;
  readonly image: Image;
  /** Counted from 1 within the record. */
  readonly position: number;
}

export type IsWanted = (row: ImageRow) => boolean;

export function listImageRows(record: CollectionRecord, isWanted: IsWanted): readonly ImageRow[] {
  return record.images.map((image, index) => ({ record, image, position: index + 1 })).filter(isWanted);
}

export async function* selectImageRows(
  pages: AsyncIterable<readonly CollectionRecord[]>,
  isWanted: IsWanted,
  offset: number,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<ImageRow> {
  let number = 0;
  for await (const page of pages) {
    for (const row of page.flatMap((record) => listImageRows(record, isWanted))) {
      if (number >= offset && number < offset + limit) yield row;
      if (++number >= offset + limit) return;
    }
  }
}

/** Returns the named colours; without named colours, the raw colours. Sorts them by rank, then by their share of the image. */
export function getMainColors({ cssColors, rawColors }: Image): readonly Color[] {
  const colors = cssColors.length > 0 ? cssColors : rawColors;
  return colors.toSorted(
    (one, other) =>
      (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY) ||
      (other.presence ?? 0) - (one.presence ?? 0),
  );
}

/** Returns, for example, `1000 x 750`; `''` for an unknown size. */
export function formatSize({ width, height }: Pick<Derivative, 'width' | 'height'>): string {
  return width === undefined || height === undefined ? '' : `${width} x ${height}`;
}

/** Returns the first of the named derivatives that exists, otherwise the largest; undefined if the image has no URL. */
export function pickDerivative(image: Image, names: readonly string[]): Derivative | undefined {
  const usable = listUsableDerivatives(image);
  const named = names.flatMap((name) => usable.filter(({ identifier }) => identifier === name));
  return named[0] ?? findLargestDerivative({ ...image, derivatives: usable });
}

/** Returns the smallest derivative whose longer side has at least `pixels` pixels, otherwise the largest derivative. */
export function findSmallestDerivative(image: Image, pixels: number): Derivative | undefined {
  const usable = listUsableDerivatives(image).toSorted(
    (one, other) => getLongerSide(one) - getLongerSide(other),
  );
  return usable.find((each) => getLongerSide(each) >= pixels) ?? usable.at(-1);
}

function getLongerSide({ width = 0, height = 0 }: Derivative): number {
  return Math.max(width, height);
}

function listUsableDerivatives({ derivatives }: Image): readonly Derivative[] {
  return derivatives.filter(({ url }) => url.trim() !== '');
}

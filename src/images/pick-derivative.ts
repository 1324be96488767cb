/** Which of its derivatives an image is had by. */
import { type Derivative, type Image, largestDerivative } from '../service/records/record.js';

/**
 * The first of these derivatives that the image has; where it has none of them, and without names, the largest by pixels.
 * Undefined for an image without any address.
 */
export function pickDerivative(image: Image, names: readonly string[]): Derivative | undefined {
  const usable = withAddress(image);
  const named = names.flatMap((name) => usable.filter(({ identifier }) => identifier === name));
  return named[0] ?? largestDerivative({ ...image, derivatives: usable });
}

/** The smallest derivative whose longer side has so many pixels, or the largest of smaller ones. */
export function smallestDerivative(image: Image, pixels: number): Derivative | undefined {
  const usable = withAddress(image).toSorted((one, other) => longest(one) - longest(other));
  return usable.find((each) => longest(each) >= pixels) ?? usable.at(-1);
}

function longest({ width = 0, height = 0 }: Derivative): number {
  return Math.max(width, height);
}

function withAddress({ derivatives }: Image): readonly Derivative[] {
  return derivatives.filter(({ url }) => url.trim() !== '');
}

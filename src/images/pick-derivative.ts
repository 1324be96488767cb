/** Chooses the derivative by which an image is fetched. */
import { type Derivative, type Image, largestDerivative } from '../service/records/record.js';

/** The first of these names that the image has, else the largest. Undefined without any address. */
export function pickDerivative(image: Image, names: readonly string[]): Derivative | undefined {
  const usable = withAddress(image);
  const named = names.flatMap((name) => usable.filter(({ identifier }) => identifier === name));
  return named[0] ?? largestDerivative({ ...image, derivatives: usable });
}

/** The smallest whose longer side has at least so many pixels, else the largest. */
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

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

function withAddress({ derivatives }: Image): readonly Derivative[] {
  return derivatives.filter(({ url }) => url.trim() !== '');
}

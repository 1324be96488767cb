/** Sorts images by main colour: around the colour wheel, then greys from dark to light, then those without a colour. */
import type { Color } from '../../service/records/record.js';

/** Above all others: a wheel has 360 degrees, and greys follow from 1000 on. */
const WITHOUT_COLOR = 2000;

/** Saturation below which the eye sees grey. */
const GREY = 0.12;

export function colorOrder(color: Pick<Color, 'hex'> | undefined): number {
  const channels = /^([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color?.hex ?? '');
  if (!channels) return WITHOUT_COLOR;
  const [red = 0, green = 0, blue = 0] = channels.slice(1).map((digits) => Number.parseInt(digits, 16) / 255);
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  const lightness = most - chroma / 2;
  const saturation = chroma === 0 ? 0 : chroma / (1 - Math.abs(2 * lightness - 1));
  if (saturation < GREY) return 1000 + lightness;
  const sector =
    most === red
      ? (green - blue) / chroma
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  return (sector * 60 + 360) % 360;
}

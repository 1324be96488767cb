/** Hue, saturation and lightness as the service states them: whole degrees and percents. */
export interface Hsl {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

/** From six hexadecimal digits (CSS Color Module Level 4, "Converting sRGB Colors to HSL"). */
export function hsl(hex: string): Hsl {
  const channel = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16) / 255;
  const [red, green, blue] = [channel(0), channel(2), channel(4)];
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const spread = most - least;
  const lightness = (most + least) / 2;
  let hue = 0;
  if (spread > 0) {
    if (most === red) hue = (green - blue) / spread + (green < blue ? 6 : 0);
    else if (most === green) hue = (blue - red) / spread + 2;
    else hue = (red - green) / spread + 4;
  }
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1));
  return {
    hue: Math.round(hue * 60) % 360,
    saturation: Math.round(saturation * 100),
    lightness: Math.round(lightness * 100),
  };
}

/** The 148 named colours of CSS (CSS Color Module Level 4), with the groups and spellings of the service. */

/** Integers, as in the service: hue in degrees, saturation and lightness in percent. */
export interface Hsl {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

/** Converts as in CSS Color Module Level 4, "Converting sRGB Colors to HSL". `hex`: six hexadecimal digits. */
export function hexToHsl(hex: string): Hsl {
  const channel = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16) / 255;
  const [red, green, blue] = [channel(0), channel(2), channel(4)];
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  const spread = max - min;
  const lightness = (max + min) / 2;
  let hue = 0;
  if (spread > 0) {
    if (max === red) hue = (green - blue) / spread + (green < blue ? 6 : 0);
    else if (max === green) hue = (blue - red) / spread + 2;
    else hue = (red - green) / spread + 4;
  }
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1));
  return {
    hue: Math.round(hue * 60) % 360,
    saturation: Math.round(saturation * 100),
    lightness: Math.round(lightness * 100),
  };
}

export interface CssColor extends Hsl {
  readonly hex: string;
  readonly colorName: string;
  readonly formattedColorName: string;
  readonly colorGroup: string;
}

/** Black is in the group `gray`, as in test/fixtures. */
const GROUPS: Readonly<Record<string, string>> = {
  pink: `pink ffc0cb, light pink ffb6c1, hot pink ff69b4, deep pink ff1493, pale violet red db7093,
    medium violet red c71585`,
  red: `light salmon ffa07a, salmon fa8072, dark salmon e9967a, light coral f08080, indian red cd5c5c,
    crimson dc143c, fire brick b22222, dark red 8b0000, red ff0000`,
  orange: 'orange red ff4500, tomato ff6347, coral ff7f50, dark orange ff8c00, orange ffa500',
  yellow: `yellow ffff00, light yellow ffffe0, lemon chiffon fffacd, light goldenrod yellow fafad2,
    papaya whip ffefd5, moccasin ffe4b5, peach puff ffdab9, pale goldenrod eee8aa, khaki f0e68c,
    dark khaki bdb76b, gold ffd700`,
  brown: `cornsilk fff8dc, blanched almond ffebcd, bisque ffe4c4, navajo white ffdead, wheat f5deb3,
    burly wood deb887, tan d2b48c, rosy brown bc8f8f, sandy brown f4a460, goldenrod daa520,
    dark goldenrod b8860b, peru cd853f, chocolate d2691e, saddle brown 8b4513, sienna a0522d, brown a52a2a,
    maroon 800000`,
  green: `dark olive green 556b2f, olive 808000, olive drab 6b8e23, yellow green 9acd32, lime green 32cd32,
    lime 00ff00, lawn green 7cfc00, chartreuse 7fff00, green yellow adff2f, spring green 00ff7f,
    medium spring green 00fa9a, light green 90ee90, pale green 98fb98, dark sea green 8fbc8f,
    medium aquamarine 66cdaa, medium sea green 3cb371, sea green 2e8b57, forest green 228b22, green 008000,
    dark green 006400`,
  cyan: `aqua 00ffff, cyan 00ffff, light cyan e0ffff, pale turquoise afeeee, aquamarine 7fffd4,
    turquoise 40e0d0, medium turquoise 48d1cc, dark turquoise 00ced1, light sea green 20b2aa,
    cadet blue 5f9ea0, dark cyan 008b8b, teal 008080`,
  blue: `light steel blue b0c4de, powder blue b0e0e6, light blue add8e6, sky blue 87ceeb,
    light sky blue 87cefa, deep sky blue 00bfff, dodger blue 1e90ff, cornflower blue 6495ed,
    steel blue 4682b4, royal blue 4169e1, blue 0000ff, medium blue 0000cd, dark blue 00008b, navy 000080,
    midnight blue 191970`,
  purple: `lavender e6e6fa, thistle d8bfd8, plum dda0dd, violet ee82ee, orchid da70d6, fuchsia ff00ff,
    magenta ff00ff, medium orchid ba55d3, medium purple 9370db, blue violet 8a2be2, dark violet 9400d3,
    dark orchid 9932cc, dark magenta 8b008b, purple 800080, indigo 4b0082, dark slate blue 483d8b,
    slate blue 6a5acd, medium slate blue 7b68ee, rebecca purple 663399`,
  white: `white ffffff, snow fffafa, honeydew f0fff0, mint cream f5fffa, azure f0ffff, alice blue f0f8ff,
    ghost white f8f8ff, white smoke f5f5f5, seashell fff5ee, beige f5f5dc, old lace fdf5e6,
    floral white fffaf0, ivory fffff0, antique white faebd7, linen faf0e6, lavender blush fff0f5,
    misty rose ffe4e1`,
  gray: `gainsboro dcdcdc, light gray d3d3d3, light grey d3d3d3, silver c0c0c0, dark gray a9a9a9,
    dark grey a9a9a9, gray 808080, grey 808080, dim gray 696969, dim grey 696969, light slate gray 778899,
    light slate grey 778899, slate gray 708090, slate grey 708090, dark slate gray 2f4f4f,
    dark slate grey 2f4f4f, black 000000`,
};

export const CSS_COLORS: readonly CssColor[] = Object.entries(GROUPS)
  .flatMap(([colorGroup, members]) =>
    members.split(/,\s*/).map((member): CssColor => {
      const words = member.split(' ');
      const hex = words.pop() ?? '';
      return {
        hex,
        ...hexToHsl(hex),
        colorName: words.join(''),
        formattedColorName: words.join(' '),
        colorGroup,
      };
    }),
  )
  .sort((one, other) => (one.colorName < other.colorName ? -1 : 1));

const CHANNELS = CSS_COLORS.map(({ hex }) => parseRgb(hex));
const NEAREST = new Map<string, CssColor>();

/** Uses the squared distance in RGB. If a colour has two names, returns the first name in alphabetical order. */
export function findNearestCssColor(hex: string): CssColor {
  const known = NEAREST.get(hex);
  if (known) return known;
  const [red, green, blue] = parseRgb(hex);
  const distances = CHANNELS.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
  const nearest = CSS_COLORS[distances.indexOf(Math.min(...distances))] as CssColor;
  NEAREST.set(hex, nearest);
  return nearest;
}

function parseRgb(hex: string): readonly [red: number, green: number, blue: number] {
  const rgb = Number.parseInt(hex, 16);
  return [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];
}

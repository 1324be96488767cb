/** Masks the placeholders of an address (`{id}`, `${id}`, `:id`, `%s`), so that nothing decodes, encodes or splits them. */

/** Each spelling with where it is used. Lengths are bounded so that no text makes the search slow. */
const SPELLINGS: readonly string[] = [
  /** Mustache, Jinja, Postman. */
  String.raw`\{\{[^{}\r\n]{0,200}\}\}`,
  /** JavaScript and shell; Ruby. */
  String.raw`[$#]\{[^{}\r\n]{0,200}\}`,
  /** The document itself, URI templates, Python, C#, Rust. */
  String.raw`\{[^{}\s"'${'`'}]{0,100}\}`,
  /** Prose, where a value can stand, as HTML looks the same. */
  String.raw`(?<=[/=:,"]|%22)<[A-Za-z][\w .-]{0,100}>`,
  /** printf and its like. `%d0` is a percent-encoded byte. */
  String.raw`%\(\w{1,100}\)[sd]|%s|%d(?![0-9A-Fa-f])`,
  /** Routes of web frameworks. */
  String.raw`(?<=[/=]):[A-Za-z_]\w*`,
  /** Shell, PHP, Perl. */
  String.raw`\$[A-Za-z_]\w*|\$\d`,
];

export const PLACEHOLDER = SPELLINGS.join('|');

/** Masks are characters of the private use area; such characters of the text itself are masked too. */
const FIRST_MASK = 0xe000;
const LAST_MASK = 0xf8ff;
export const MASK = '\\uE000-\\uF8FF';

const TO_MASK = new RegExp(String.raw`${PLACEHOLDER}|[\p{Co}\p{Cs}]`, 'gu');
const MASKS = new RegExp(`[${MASK}]`, 'g');

interface MaskedText {
  readonly text: string;
  readonly placeholders: readonly string[];
  unmask(text: string): string;
}

/** Replaces each placeholder by one character, up to 6,400 of them; `unmask` puts them back into any text made from it. */
export function maskPlaceholders(text: string): MaskedText {
  const placeholders: string[] = [];
  const masked = text.replace(TO_MASK, (placeholder) => {
    const code = FIRST_MASK + placeholders.length;
    if (code > LAST_MASK) return placeholder;
    placeholders.push(placeholder);
    return String.fromCharCode(code);
  });
  return {
    text: masked,
    placeholders,
    unmask: (from) =>
      from.replace(MASKS, (character) => placeholders[character.charCodeAt(0) - FIRST_MASK] ?? character),
  };
}

export function isPlaceholder(masked: string): boolean {
  return new RegExp(`^[${MASK}]+$`).test(masked);
}

/**
 * Addresses in documents and programs hold placeholders (`{id}`, `${id}`, `:id`, `<id>`, `%s`). They are put away
 * before an address is read, so that nothing decodes, encodes or splits them, and put back at the end.
 */

/** The spellings, each with where it is used. Lengths are bounded so that no text makes the search slow. */
const SPELLINGS: readonly string[] = [
  /** Mustache, Jinja, Postman. */
  String.raw`\{\{[^{}\r\n]{0,200}\}\}`,
  /** JavaScript and shell; Ruby. */
  String.raw`[$#]\{[^{}\r\n]{0,200}\}`,
  /** The document itself, URI templates, Python, C#, Rust. */
  String.raw`\{[^{}\s"'${'`'}]{0,100}\}`,
  /** Prose. Only where a value can stand, or HTML would be taken for it. */
  String.raw`(?<=[/=:,"]|%22)<[A-Za-z][\w .-]{0,100}>`,
  /** printf and its like. `%d0` is a percent-encoded byte. */
  String.raw`%\(\w{1,100}\)[sd]|%s|%d(?![0-9A-Fa-f])`,
  /** Routes of web frameworks. */
  String.raw`(?<=[/=]):[A-Za-z_]\w*`,
  /** Shell, PHP, Perl. */
  String.raw`\$[A-Za-z_]\w*|\$\d`,
];

/** Source of a regular expression that finds one placeholder. */
export const PLACEHOLDER = SPELLINGS.join('|');

/** Stand-ins are characters of the private use area; such characters of the text itself are put away too. */
const FIRST = 0xe000;
const LAST = 0xf8ff;
export const STAND_IN = '\\uE000-\\uF8FF';

const PUT_AWAY = new RegExp(String.raw`${PLACEHOLDER}|[\p{Co}\p{Cs}]`, 'gu');
const STAND_INS = new RegExp(`[${STAND_IN}]`, 'g');

export interface Shielded {
  /** The text with one character in place of each placeholder. */
  readonly text: string;
  /** The placeholders, in the order of their stand-ins. */
  readonly placeholders: readonly string[];
  /** Puts the placeholders back into any text made from `text`. */
  reveal(text: string): string;
}

/** Puts away the placeholders of an address. An address has room for 6,400; what is beyond stays as it is. */
export function shield(text: string): Shielded {
  const placeholders: string[] = [];
  const shielded = text.replace(PUT_AWAY, (placeholder) => {
    const code = FIRST + placeholders.length;
    if (code > LAST) return placeholder;
    placeholders.push(placeholder);
    return String.fromCharCode(code);
  });
  return {
    text: shielded,
    placeholders,
    reveal: (from) =>
      from.replace(STAND_INS, (character) => placeholders[character.charCodeAt(0) - FIRST] ?? character),
  };
}

/** Whether a shielded text is placeholders and nothing else. */
export function isPlaceholder(shielded: string): boolean {
  return new RegExp(`^[${STAND_IN}]+$`).test(shielded);
}

/** Percent-encoding of query parameters, tolerant of what people write and careful with placeholders put away. */
import { STAND_IN } from './placeholders.js';

const NOT_STAND_INS = new RegExp(`[^${STAND_IN}]+`, 'g');

/**
 * The text a query parameter stands for: `+` is a space (WHATWG URL, application/x-www-form-urlencoded), and escapes that
 * are not UTF-8 stay as they are spelled.
 */
export function decodeParameter(raw: string): string {
  return decodeEscapes(raw.replaceAll('+', ' '));
}

/** The text a path segment stands for; a `+` is a plus. */
export function decodeEscapes(raw: string): string {
  return raw.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/**
 * A value as it stands in a query: everything but unreserved characters is escaped (RFC 3986 section 2.3), brackets and
 * apostrophes too, so that the address stays whole inside quotes, Markdown links and shells.
 */
export function encodeParameter(value: string): string {
  return value.replace(NOT_STAND_INS, (part) =>
    encodeURIComponent(part).replace(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
}

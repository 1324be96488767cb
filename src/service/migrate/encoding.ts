/** Percent-encodes and decodes query parameters. */

/** `+` is a space (WHATWG URL, application/x-www-form-urlencoded). */
export function decodeParameter(raw: string): string {
  return decodeEscapes(raw.replaceAll('+', ' '));
}

export function decodeEscapes(raw: string): string {
  return raw.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Escapes all but unreserved characters (RFC 3986 section 2.3), so that quotes, Markdown and shells keep the address whole. */
export function encodeParameter(value: string): string {
  // A lone surrogate cannot be encoded: the Buffer puts U+FFFD in its place.
  return encodeURIComponent(Buffer.from(value).toString()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Percent-encoding of any text (RFC 3986 section 2.1). */

/** A lone surrogate, which UTF-8 cannot encode, becomes U+FFFD, as in URLSearchParams. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

/** Does not change a sequence of escapes that is not valid UTF-8, or a `%` without two hexadecimal digits. */
export function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

export function getEncodedLength(text: string): number {
  return percentEncode(text).length;
}

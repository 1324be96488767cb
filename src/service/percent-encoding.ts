/** Text from elsewhere in addresses. */

/** Percent-encoded (RFC 3986 section 2.1). A lone surrogate, which has no UTF-8, becomes U+FFFD, as in URLSearchParams. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

/** Escapes that are not UTF-8 stay as they are, as does a `%` that begins none. */
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

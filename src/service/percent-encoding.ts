/** Text from elsewhere in addresses. */

/** Percent-encoded (RFC 3986 section 2.1). A lone surrogate, which has no UTF-8, becomes U+FFFD, as in URLSearchParams. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

export function encodedLength(text: string): number {
  return percentEncoded(text).length;
}

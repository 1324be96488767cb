/** Responses in another encoding than UTF-8 (RFC 9110 section 8.3.2), turned into UTF-8 before anything reads them. */
import type { HttpResponse } from '../exchange.js';

/** Unchanged for a charset that nobody knows. */
export function inUtf8(response: HttpResponse): HttpResponse {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(response.headers['content-type'] ?? '') ?? [];
  if (/^utf-?8$/i.test(charset)) return response;
  try {
    const text = new TextDecoder(charset).decode(response.bytes);
    return { ...response, bytes: Buffer.from(text) };
  } catch {
    return response;
  }
}

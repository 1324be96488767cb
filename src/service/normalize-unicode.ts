/**
 * Returns the text in a Unicode normalization form (UAX 15). Drops combining characters after the 30th in a row: no script uses
 * more (UAX 15, "Stream-Safe Text Format"), and `String.normalize` takes quadratic time for a long row.
 */
export function normalizeUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize(form);
}

/** Keeps at most 30 combining characters in a row (UAX 15, "Stream-Safe Text Format"). Longer rows take quadratic time. */
export function normalizeUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize(form);
}

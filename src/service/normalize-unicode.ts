/** Keeps at most 30 consecutive combining characters (UAX 15, "Stream-Safe Text Format"). More would take quadratic time. */
export function normalizeUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize(form);
}

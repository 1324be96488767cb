/** Takes credentials out of text before it is shown or logged: by the name beside them, and by the values known to be secret. */

/** Names whose values nobody but the two ends may see (INTERFACE.md "Authentication"; OAuth's own spelling too). */
const SECRET_NAMES = [
  'accessToken',
  'access_token',
  'clientSecret',
  'client_secret',
  'code',
  'codeVerifier',
  'code_verifier',
  'codeChallenge',
  'code_challenge',
  'state',
  'basicKey',
  'basic_key',
].join('|');

const HIDDEN = '[hidden]';

/** `"accessToken": "…"` in JSON, also when that JSON stands inside a string. */
const IN_JSON = new RegExp(`(\\\\?"(?:${SECRET_NAMES})\\\\?"\\s*:\\s*\\\\?")[^"\\\\]*`, 'gi');
/** `code=…` in a query or a form. */
const IN_QUERY = new RegExp(`((?:^|[?&;\\s])(?:${SECRET_NAMES})=)[^&\\s"'<>]*`, 'gi');
/** `Authorization: Bearer …`, in every way a header is printed, and the scheme with its value alone. */
const IN_HEADER = /((?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?)(?:(\w+) +)?[^\s"'\\,]+/gi;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]{4,}/gi;
/** `https://user:password@host`. */
const IN_ADDRESS = /(\w:\/\/)[^/\s@]+@/g;

/**
 * The text without credentials. `secrets` are values to take out wherever they stand, also percent-encoded; those
 * shorter than four characters are left alone, for they would be found in innocent words.
 */
export function redact(text: string, secrets: Iterable<string> = []): string {
  let clean = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret.length < 4) continue;
    clean = clean.replaceAll(secret, HIDDEN).replaceAll(encodeURIComponent(secret), HIDDEN);
  }
  return clean
    .replace(IN_HEADER, (_, name: string, scheme?: string) => `${name}${scheme ? `${scheme} ` : ''}${HIDDEN}`)
    .replace(SCHEME, `$1 ${HIDDEN}`)
    .replace(IN_JSON, `$1${HIDDEN}`)
    .replace(IN_QUERY, `$1${HIDDEN}`)
    .replace(IN_ADDRESS, `$1${HIDDEN}@`);
}

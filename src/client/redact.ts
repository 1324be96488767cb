/** Removes credentials from text before it is shown or logged: by their names, and by known values. */

/** INTERFACE.md "Authentication", and OAuth's own spelling. */
const SECRET_NAMES = 'access_?token|client_?secret|code|code_?verifier|code_?challenge|state|basic_?key';

const HIDDEN = '[hidden]';

const IN_JSON = new RegExp(`(\\\\?"(?:${SECRET_NAMES})\\\\?"\\s*:\\s*\\\\?")[^"\\\\]*`, 'gi');
const IN_QUERY = new RegExp(`((?:^|[?&;\\s])(?:${SECRET_NAMES})=)[^&\\s"'<>]*`, 'gi');
/** `Authorization: Bearer …`, however a header is printed, and the scheme with its value alone. */
const IN_HEADER = /((?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?)(?:(\w+) +)?[^\s"'\\,]+/gi;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]{4,}/gi;
const IN_ADDRESS = /(\w:\/\/)[^/\s@]+@/g;

/** The text without credentials and without `secrets`, also percent-encoded; those below four characters match too much. */
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

/** Removes credentials from text before opac prints or saves it. Finds them by their names and by their known values. */
import { createTextPattern, findCovered, type TextPattern } from './text-pattern.js';

/** The names of secrets in INTERFACE.md "Authentication" and in OAuth. */
const SECRET_NAMES = 'access_?token|client_?secret|code_?verifier|code_?challenge|basic_?key';
/** These names mean secrets in a login, but ordinary values in records. */
const LOGIN_NAMES = 'code|state';
/** Matches text that occurs only in a login. */
const LOGIN_TEXT =
  /\/oauth\/|\b(?:access_?token|token_?type|client_?id|client_?secret|redirect_?uri|grant_?type|response_?type|code_?verifier|code_?challenge)\b/i;
/** A redirect at the end of a login has a code and a state (RFC 6749 section 4.1.2). */
const HAS_CODE = /(?:^|[?&;\s])code=/i;
const HAS_STATE = /(?:^|[?&;\s])state=/i;

const HIDDEN = '[hidden]';

const matchJson = (names: string) => new RegExp(`(\\\\?"(?:${names})\\\\?"\\s*:\\s*\\\\?")[^"\\\\]*`, 'gi');
const matchQuery = (names: string) => new RegExp(`((?:^|[?&;\\s])(?:${names})=)[^&\\s"'<>]*`, 'gi');
const IN_JSON = matchJson(SECRET_NAMES);
const IN_QUERY = matchQuery(SECRET_NAMES);
const LOGIN_IN_JSON = matchJson(LOGIN_NAMES);
const LOGIN_IN_QUERY = matchQuery(LOGIN_NAMES);
/** `Authorization: Bearer …` in any notation of a header, and `Bearer …` without a header. */
const IN_HEADER = /((?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?)(?:(\w+) +)?[^\s"'\\,]+/gi;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]{4,}/gi;
const IN_ADDRESS = /(\w:\/\/)[^/\s@]+@/g;

/** Shorter values occur in ordinary text. */
const MIN_SECRET_LENGTH = 6;
/** With more secrets, opac forgets the least recently registered secret, so that long runs stay fast. */
const MAX_SECRETS = 200;

const formsBySecret = new Map<string, readonly TextPattern[]>();

/** Call this function for each new secret. Ignores a value with fewer than MIN_SECRET_LENGTH characters. */
export function registerSecret(value: string | undefined): void {
  const secret = value?.trim() ?? '';
  if (secret.length < MIN_SECRET_LENGTH) return;
  const forms = formsBySecret.get(secret) ?? encodeVariants(secret).map(createTextPattern);
  formsBySecret.delete(secret);
  formsBySecret.set(secret, forms);
  const [oldest] = formsBySecret.keys();
  if (formsBySecret.size > MAX_SECRETS && oldest !== undefined) formsBySecret.delete(oldest);
}

/** A run must not know the secrets of an earlier run in the same process. */
export function clearSecrets(): void {
  formsBySecret.clear();
}

/** Hides registered secrets. Ignores case. If the text contains an escaped secret, also resolves all other escapes. */
export function redactKnownSecrets(text: string): string {
  if (formsBySecret.size === 0) return text;
  const forms = [...formsBySecret.values()].flat();
  let redacted = hideForms(text, forms);
  for (let depth = 0, current = redacted; depth < MAX_ESCAPE_DEPTH; depth++) {
    const decoded = current.replace(ESCAPES, resolveEscape);
    if (decoded === current) break;
    current = hideForms(decoded, forms);
    if (current !== decoded) redacted = current;
  }
  return redacted;
}

/** Hides registered secrets, credentials in headers and URLs, and values after the name of a secret, as in `access_token=…`. */
export function redactText(text: string): string {
  const isLoginText = LOGIN_TEXT.test(text);
  const clean = redactKnownSecrets(text)
    .replace(IN_HEADER, (_, name: string, scheme?: string) => `${name}${scheme ? `${scheme} ` : ''}${HIDDEN}`)
    .replace(SCHEME, `$1 ${HIDDEN}`)
    .replace(IN_JSON, `$1${HIDDEN}`)
    .replace(IN_QUERY, `$1${HIDDEN}`)
    .replace(IN_ADDRESS, `$1${HIDDEN}@`);
  const isRedirect = HAS_CODE.test(text) && HAS_STATE.test(text);
  const query = isLoginText || isRedirect ? clean.replace(LOGIN_IN_QUERY, `$1${HIDDEN}`) : clean;
  return isLoginText ? query.replace(LOGIN_IN_JSON, `$1${HIDDEN}`) : query;
}

/** Hides registered secrets in the error and its causes. Returns the same error object. */
export function redactError(error: unknown): unknown {
  const cleaned = new Set<unknown>();
  for (let at = error; at instanceof Error && !cleaned.has(at); at = at.cause) {
    cleaned.add(at);
    for (const part of ['message', 'stack'] as const) {
      const text = at[part] ?? '';
      const value = redactKnownSecrets(text);
      if (value !== text) Object.defineProperty(at, part, { value, writable: true });
    }
  }
  return error;
}

/** Returns the forms in which the secret may occur, in lower case. */
function encodeVariants(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const inUrl = bytes.toString().replace(/[^!-~]+/g, encodeURIComponent);
  const texts = [
    secret,
    secret.replace(/={1,2}$/, ''),
    JSON.stringify(secret).slice(1, -1),
    inUrl,
    ...extractBasicKeyParts(secret),
  ];
  const forms = [
    ...texts,
    ...texts.map((form) => form.replaceAll(' ', '+')),
    bytes.toString('hex'),
    ...encodeBase64Variants(bytes),
  ];
  return [...new Set(forms.map(toLowerCaseAscii))].filter((form) => form.length >= MIN_SECRET_LENGTH);
}

/** If the secret is base64 of ASCII text, returns this text and the password after its colon (RFC 7617). */
function extractBasicKeyParts(secret: string): string[] {
  const text = Buffer.from(secret, 'base64').toString('latin1');
  if (!/^[ -~]+$/.test(text)) return [];
  const colon = text.indexOf(':');
  return colon >= 0 ? [text, text.slice(colon + 1)] : [text];
}

/** Base64 encodes three bytes as four letters, so the letters of a secret depend on the number of bytes before it. */
function encodeBase64Variants(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const letters = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
    const end = Math.floor(((before + secret.length) * 8) / 6);
    const own = letters.slice(Math.ceil((before * 8) / 6), end);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Escaped characters in URLs, JSON, JavaScript and HTML. For URLs, `encodeVariants` handles characters outside ASCII. */
const ESCAPES =
  /%([0-7][\da-f])|\\u([\da-f]{4})|\\x([\da-f]{2})|&#x0*([\da-f]{1,4});|&#0*(\d{1,5});|&(amp|lt|gt|quot|apos|sol|plus|equals);|\\(["'/\\])/gi;
const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', plus: '+', equals: '=' },
};

/** How often a character may be escaped. In `%2541`, an A is escaped twice. */
const MAX_ESCAPE_DEPTH = 5;

/** Control characters become spaces, because they must not reach a terminal. */
function resolveEscape(_: string, ...groups: (string | undefined)[]): string {
  const [byte, unit, short, hexadecimal, decimal, name, itself] = groups;
  const digits = byte ?? unit ?? short ?? hexadecimal ?? '';
  const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
  const character = itself ?? NAMED_CHARACTERS[name?.toLowerCase() ?? ''] ?? String.fromCharCode(code);
  return character.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, ' ');
}

/** Changes only ASCII letters, so that no character changes its position. */
function toLowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function hideForms(text: string, forms: readonly TextPattern[]): string {
  const lower = toLowerCaseAscii(text);
  const found = forms.flatMap((form) => findCovered(lower, form)).sort(([a], [b]) => a - b);
  let clean = '';
  let end = 0;
  for (const [from, to] of found) {
    if (from >= end) clean += `${text.slice(end, from)}${HIDDEN}`;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

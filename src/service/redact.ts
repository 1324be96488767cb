/** Removes credentials from text before it is shown, logged or kept: by their names, and by the values this process knows. */

/** INTERFACE.md "Authentication", and OAuth's own spelling. */
const SECRET_NAMES = 'access_?token|client_?secret|code_?verifier|code_?challenge|basic_?key';
/** Secrets of a login, but records have values with these names too. */
const LOGIN_NAMES = 'code|state';
/** Names and paths that only texts of a login contain. */
const OF_LOGIN =
  /\/oauth\/|\b(?:access_?token|token_?type|client_?id|client_?secret|redirect_?uri|grant_?type|response_?type|code_?verifier|code_?challenge)\b/i;
/** A redirect at the end of a login has a code (RFC 6749 section 4.1.2), and may have no other name of OAuth. */
const HAS_CODE = /(?:^|[?&;\s])code=/i;

const HIDDEN = '[hidden]';

const inJson = (names: string) => new RegExp(`(\\\\?"(?:${names})\\\\?"\\s*:\\s*\\\\?")[^"\\\\]*`, 'gi');
const inQuery = (names: string) => new RegExp(`((?:^|[?&;\\s])(?:${names})=)[^&\\s"'<>]*`, 'gi');
const IN_JSON = inJson(SECRET_NAMES);
const IN_QUERY = inQuery(SECRET_NAMES);
const LOGIN_IN_JSON = inJson(LOGIN_NAMES);
const LOGIN_IN_QUERY = inQuery(LOGIN_NAMES);
/** `Authorization: Bearer …`, however a header is printed, and the scheme with its value alone. */
const IN_HEADER = /((?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?)(?:(\w+) +)?[^\s"'\\,]+/gi;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]{4,}/gi;
const IN_ADDRESS = /(\w:\/\/)[^/\s@]+@/g;

/** Shorter values occur in ordinary words, so that hiding them would spoil the text and hide nothing. */
const MIN_SECRET_LENGTH = 6;
/** Of the values known, those not used for longest are forgotten: a program that renews tokens for years must not slow down. */
const MAX_SECRETS = 200;

/** Each secret that this process has seen, with the forms in which a text may hold it. */
const known = new Map<string, readonly string[]>();

/** From now on no error, line or file of this process shows the value. To be called wherever a secret is read or made. */
export function registerSecret(value: string | undefined): void {
  const secret = value?.trim() ?? '';
  if (secret.length < MIN_SECRET_LENGTH) return;
  const forms = known.get(secret) ?? encodeVariants(secret);
  known.delete(secret);
  known.set(secret, forms);
  const [oldest] = known.keys();
  if (known.size > MAX_SECRETS && oldest !== undefined) known.delete(oldest);
}

/** Forgets them all: a run of the program knows its own, not those of a run before it in the same process. */
export function clearSecrets(): void {
  known.clear();
}

/**
 * The text without the secrets that this process knows, in any case. A text with a secret behind escapes comes without
 * these escapes.
 */
export function redactKnownSecrets(text: string): string {
  if (known.size === 0) return text;
  const forms = [...known.values()].flat();
  let shown = withoutForms(text, forms);
  for (let depth = 0, reading = shown; depth < MAX_ESCAPE_DEPTH; depth++) {
    const decodeOnce = reading.replace(ESCAPES, resolveEscape);
    if (decodeOnce === reading) break;
    reading = withoutForms(decodeOnce, forms);
    if (reading !== decodeOnce) shown = reading;
  }
  return shown;
}

/** The text without the secrets that this process knows, and without values whose name says that they are secret. */
export function redactText(text: string): string {
  const isOfLogin = OF_LOGIN.test(text);
  const clean = redactKnownSecrets(text)
    .replace(IN_HEADER, (_, name: string, scheme?: string) => `${name}${scheme ? `${scheme} ` : ''}${HIDDEN}`)
    .replace(SCHEME, `$1 ${HIDDEN}`)
    .replace(IN_JSON, `$1${HIDDEN}`)
    .replace(IN_QUERY, `$1${HIDDEN}`)
    .replace(IN_ADDRESS, `$1${HIDDEN}@`);
  const query = isOfLogin || HAS_CODE.test(text) ? clean.replace(LOGIN_IN_QUERY, `$1${HIDDEN}`) : clean;
  return isOfLogin ? query.replace(LOGIN_IN_JSON, `$1${HIDDEN}`) : query;
}

/** Removes secrets from an error of a library and from its causes. Gives the same error. */
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

/** A secret as it stands in a text, in JSON, in an address, in a form (`+` for a space), in hexadecimal, and anywhere inside base64. */
function encodeVariants(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const address = bytes.toString().replace(/[^!-~]+/g, encodeURIComponent);
  const whole = [secret, JSON.stringify(secret).slice(1, -1), address, ...extractBasicKeyParts(secret)];
  const forms = [
    ...whole,
    ...whole.map((form) => form.replaceAll(' ', '+')),
    bytes.toString('hex'),
    ...base64Of(bytes),
  ];
  return [...new Set(forms.map(lowerCase))].filter((form) => form.length >= MIN_SECRET_LENGTH);
}

/** What a basic key is made of (RFC 7617): `user:password`, and the password alone. */
function extractBasicKeyParts(secret: string): string[] {
  const text = Buffer.from(secret, 'base64').toString('latin1');
  const colon = text.indexOf(':');
  return colon >= 0 && /^[ -~]+$/.test(text) ? [text, text.slice(colon + 1)] : [];
}

/** Base64 writes three bytes as four letters: the letters of a secret depend on how many bytes stand before it. */
function base64Of(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const letters = Buffer.concat([Buffer.alloc(before), secret])
      .toString('base64')
      .replace(/={1,2}$/, '');
    const whole = Math.floor(((before + secret.length) * 8) / 6);
    const own = letters.slice(Math.ceil((before * 8) / 6), whole);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Characters as addresses, JSON, JavaScript and HTML escape them; others than ASCII are several in an address. */
const ESCAPES =
  /%([0-7][\da-f])|\\u([\da-f]{4})|\\x([\da-f]{2})|&#x0*([\da-f]{1,4});|&#0*(\d{1,5});|&(amp|lt|gt|quot|apos|sol|plus|equals);|\\(["'/\\])/gi;
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', plus: '+', equals: '=' },
};

/** Escapes within escapes, such as `%2541`. */
const MAX_ESCAPE_DEPTH = 5;

/** Takes a match of ESCAPES. Control characters become spaces: they must not reach a terminal. */
function resolveEscape(_: string, ...groups: (string | undefined)[]): string {
  const [byte, unit, short, hexadecimal, decimal, name, itself] = groups;
  const digits = byte ?? unit ?? short ?? hexadecimal ?? '';
  const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
  const character = itself ?? NAMED[name?.toLowerCase() ?? ''] ?? String.fromCharCode(code);
  return character.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, ' ');
}

/** Of ASCII alone, so that each character keeps its place. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Forms that overlap are hidden as one. */
function withoutForms(text: string, forms: readonly string[]): string {
  const lower = lowerCase(text);
  const found: (readonly [from: number, to: number])[] = [];
  for (const form of forms) {
    for (let at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, at + 1))
      found.push([at, at + form.length]);
  }
  found.sort(([a], [b]) => a - b);
  let clean = '';
  let end = 0;
  for (const [from, to] of found) {
    if (from >= end) clean += `${text.slice(end, from)}${HIDDEN}`;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

/** Removes credentials from text before it is shown, logged or kept: by their names, and by the values this process knows. */

/** INTERFACE.md "Authentication", and OAuth's own spelling. */
const SECRET_NAMES = 'access_?token|client_?secret|code|code_?verifier|code_?challenge|state|basic_?key';

const HIDDEN = '[hidden]';

const IN_JSON = new RegExp(`(\\\\?"(?:${SECRET_NAMES})\\\\?"\\s*:\\s*\\\\?")[^"\\\\]*`, 'gi');
const IN_QUERY = new RegExp(`((?:^|[?&;\\s])(?:${SECRET_NAMES})=)[^&\\s"'<>]*`, 'gi');
/** `Authorization: Bearer …`, however a header is printed, and the scheme with its value alone. */
const IN_HEADER = /((?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?)(?:(\w+) +)?[^\s"'\\,]+/gi;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]{4,}/gi;
const IN_ADDRESS = /(\w:\/\/)[^/\s@]+@/g;

/** Shorter values occur in ordinary words, so that hiding them would spoil the text and hide nothing. */
const SHORTEST = 6;
/** Of the values known, those not used for longest are forgotten: a program that renews tokens for years must not slow down. */
const MOST_KNOWN = 200;

/** Each secret that this process has seen, with the forms in which a text may hold it. */
const known = new Map<string, readonly string[]>();

/** From now on no error, line or file of this process shows the value. To be called wherever a secret is read or made. */
export function keepSecret(value: string | undefined): void {
  const secret = value?.trim() ?? '';
  if (secret.length < SHORTEST) return;
  const forms = known.get(secret) ?? formsOf(secret);
  known.delete(secret);
  known.set(secret, forms);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

/** Forgets them all: a run of the program knows its own, not those of a run before it in the same process. */
export function forgetSecrets(): void {
  known.clear();
}

/** The text without the secrets that this process knows. */
export function redactSecrets(text: string): string {
  return withoutForms(text, [...known.values()].flat());
}

/** The text without the secrets that this process knows, and without values whose name says that they are secret. */
export function redact(text: string): string {
  return redactSecrets(text)
    .replace(IN_HEADER, (_, name: string, scheme?: string) => `${name}${scheme ? `${scheme} ` : ''}${HIDDEN}`)
    .replace(SCHEME, `$1 ${HIDDEN}`)
    .replace(IN_JSON, `$1${HIDDEN}`)
    .replace(IN_QUERY, `$1${HIDDEN}`)
    .replace(IN_ADDRESS, `$1${HIDDEN}@`);
}

/** Removes secrets from an error of a library and from its causes. Gives the same error. */
export function redactError(error: unknown): unknown {
  const cleaned = new Set<unknown>();
  for (let at = error; at instanceof Error && !cleaned.has(at); at = at.cause) {
    cleaned.add(at);
    for (const part of ['message', 'stack'] as const) {
      const text = at[part] ?? '';
      const value = redactSecrets(text);
      if (value !== text) Object.defineProperty(at, part, { value, writable: true });
    }
  }
  return error;
}

/** A secret as it stands in JSON, in an address, in a form (`+` for a space), and anywhere inside base64. */
function formsOf(secret: string): readonly string[] {
  const text = Buffer.from(secret).toString();
  const encoded = encodeURIComponent(text);
  const strict = encoded.replace(
    /[!'()*~]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const escaped = [encoded, strict, strict.replaceAll('%20', '+')];
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...escaped,
    ...escaped.map((each) => each.replace(/%../g, (byte) => byte.toLowerCase())),
    ...base64Of(Buffer.from(text)),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST);
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

/** One pass for each form; forms that overlap in the text are hidden as one. */
function withoutForms(text: string, forms: readonly string[]): string {
  const found: [from: number, to: number][] = [];
  for (const form of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
      found.push([at, at + form.length]);
  }
  if (found.length === 0) return text;
  found.sort(([a], [b]) => a - b);
  let clean = '';
  let end = 0;
  for (const [from, to] of found) {
    if (from >= end) clean += `${text.slice(end, from)}${HIDDEN}`;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

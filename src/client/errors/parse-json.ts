/** JSON of the service, with all digits of its ids. */

/** Only numbers of sixteen digits or more can lose some. Most responses have none and are parsed as they are. */
const LONG_NUMBER = /(?:^|[:,[\s])-?\d{16}/;
const STRING_OR_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Deeper nesting is no record, and whoever walks it would run out of stack. */
const DEEPEST = 512;

/** Integers beyond 2^53 become strings of their digits: an id off by one is another record. Throws a SyntaxError. */
export function parseJson(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) throw new SyntaxError(`JSON nested deeper than ${DEEPEST} levels`);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(
    text.replace(STRING_OR_INTEGER, (token) =>
      /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    ),
  );
}

/** Whether brackets outside strings are open that deep; text that is no JSON is left to the parser. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}

/** JSON of the service, with all digits of its ids. */

/** Only numbers of sixteen digits or more can lose some. Most responses have none and are parsed as they are. */
const LONG_NUMBER = /(?:^|[:,[\s])-?\d{16}/;
const STRING_OR_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Integers beyond 2^53 become strings of their digits: an id off by one is another record. Throws a SyntaxError. */
export function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(
    text.replace(STRING_OR_INTEGER, (token) =>
      /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    ),
  );
}

/** JSON as the service writes it, with ids that keep all their digits. */

/** A number of sixteen digits or more, for only such can lose some of them. Most answers have none and are parsed as they are. */
const LONG_NUMBER = /(?:^|[:,[\s])-?\d{16}/;
/** A string (passed over) or an integer. */
const STRING_OR_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses UTF-8 JSON; a byte order mark before it is passed over. Integers beyond 2^53, which a number cannot hold exactly,
 * become strings of their digits: they can only be identifiers, and an id off by one is another record.
 * Throws a SyntaxError for anything that is not whole JSON.
 */
export function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(
    text.replace(STRING_OR_INTEGER, (token) =>
      /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    ),
  );
}

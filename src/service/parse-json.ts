/** The only place that parses JSON: it keeps all digits of integers. A lint rule forbids `JSON.parse` elsewhere. */

/** Only integers of sixteen digits or more can lose some. Most texts have none and are parsed as they are. */
const LONG_NUMBER = /(?:^|[:,[\s])-?\d{16}/;
const STRING_OR_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Records are not nested deeper, and code that walks deeper values would run out of stack. */
const MAX_DEPTH = 512;

/**
 * Integers beyond 2^53 become strings of their digits: an id that is off by one is another record. A BOM is skipped. `revive`
 * as in `JSON.parse`. Throws a SyntaxError.
 */
export function parseJsonLossless(
  json: Buffer | string,
  revive?: (key: string, value: unknown) => unknown,
): unknown {
  const text = (typeof json === 'string' ? json : json.toString('utf8')).replace(/^\uFEFF/, '');
  if (isTooDeep(text)) throw new SyntaxError(`JSON nested deeper than ${MAX_DEPTH} levels`);
  if (!LONG_NUMBER.test(text)) return JSON.parse(text, revive);
  return JSON.parse(
    text.replace(STRING_OR_INTEGER, (token) =>
      /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    ),
    revive,
  );
}

/** As `parseJson`, but undefined for what is not JSON. */
export function tryParseJson(json: Buffer | string): unknown {
  try {
    return parseJsonLossless(json);
  } catch {
    return undefined;
  }
}

/** Whether brackets outside strings are nested too deep; the parser judges text that is not JSON. */
function isTooDeep(text: string): boolean {
  // Most records have fewer brackets than that, and native code counts them in a fraction of the time.
  if (countUpTo(MAX_DEPTH, '{', text) + countUpTo(MAX_DEPTH, '[', text) <= MAX_DEPTH) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** The number of such characters in a text, at most `limit` + 1. */
function countUpTo(limit: number, character: string, text: string): number {
  let count = 0;
  for (let i = text.indexOf(character); i >= 0 && count <= limit; i = text.indexOf(character, i + 1)) count++;
  return count;
}

/** Parses JSON without rounding integers. A lint rule forbids `JSON.parse` in other files. */

/** Matches numbers that `JSON.parse` may change: integers with 16 or more digits, and numbers with an exponent of 100 or more. */
const LONG_NUMBER = /(?:^|[:,[\s])-?(?:\d{16}|[\d.]+[eE]\+?0*[1-9]\d\d)/;

/** RFC 8259 section 6. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Records have fewer nested levels. Many more levels would overflow the stack of recursive functions. */
const MAX_DEPTH = 512;

/** Limits the number of objects and lists. A response of 64 MB can contain 20 million empty objects, which need gigabytes. */
const MAX_BRACKETS = 1_000_000;

/** An object with millions of different keys takes much more time and memory than many small objects. */
const MAX_KEYS_IN_OBJECT = 100_000;

/**
 * Limits the number of values. A response of 64 MB can contain 30 million numbers, which need gigabytes. A response of 64 MB
 * with real records has 1.7 million commas.
 */
const MAX_COMMAS = 2_000_000;

const MAX_PIECES = 10_000;

/** The error for JSON that exceeds a limit of this file. */
export class JsonLimitError extends SyntaxError {}

/**
 * Integers of 2^53 or more become strings, because a rounded id would be the id of another record. Numbers that are too large
 * for a double also become strings. Throws a SyntaxError for invalid JSON, and a JsonLimitError for JSON that exceeds a limit.
 */
export function parseJsonLossless(
  json: Buffer | string,
  revive?: (key: string, value: unknown) => unknown,
): unknown {
  const text = (typeof json === 'string' ? json : json.toString('utf8')).replace(/^\uFEFF/, '');
  const hasManyBrackets = countUpTo(MAX_DEPTH, '{', text) + countUpTo(MAX_DEPTH, '[', text) > MAX_DEPTH;
  const hasManyKeys =
    text.length > MAX_KEYS_IN_OBJECT && countUpTo(MAX_KEYS_IN_OBJECT, ':', text) > MAX_KEYS_IN_OBJECT;
  const hasManyValues = text.length > MAX_COMMAS && countUpTo(MAX_COMMAS, ',', text) > MAX_COMMAS;
  if (hasManyBrackets || hasManyKeys || hasManyValues) assertWithinLimits(text);
  if (!LONG_NUMBER.test(text)) return JSON.parse(text, revive);
  return JSON.parse(quoteLongNumbers(text), revive);
}

export function tryParseJson(json: Buffer | string): unknown {
  try {
    return parseJsonLossless(json);
  } catch {
    return undefined;
  }
}

/** Does not use a regular expression, which would overflow the stack for a string with millions of characters. */
function quoteLongNumbers(text: string): string {
  let quoted = '';
  // Joining many pieces at once needs much less memory than appending each to the text.
  let pieces: string[] = [];
  let copied = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString && code === 0x5c) i++;
    else if (code === 0x22) inString = !inString;
    if (inString || !isNumberPart(code)) continue;
    const start = i;
    while (isNumberPart(text.charCodeAt(i + 1))) i++;
    const token = text.slice(start, i + 1);
    if (!isChangedByParsing(token)) continue;
    pieces.push(text.slice(copied, start), '"', token, '"');
    copied = i + 1;
    if (pieces.length < MAX_PIECES) continue;
    quoted += pieces.join('');
    pieces = [];
  }
  return quoted + pieces.join('') + text.slice(copied);
}

/** Returns false for invalid numbers, which the parser reports, and for fractions and exponents in the range of a double. */
function isChangedByParsing(token: string): boolean {
  const value = Number(token);
  if (Number.isSafeInteger(value) || !NUMBER.test(token)) return false;
  return !Number.isFinite(value) || !/[.eE]/.test(token);
}

/** `0-9 - + . e E` */
function isNumberPart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x2e ||
    code === 0x65 ||
    code === 0x45
  );
}

/** Throws a JsonLimitError if the JSON exceeds a limit. Slow. Ignores invalid JSON, because the parser reports it. */
function assertWithinLimits(text: string): void {
  let depth = 0;
  let count = 0;
  /** For each nested level: the number of keys of the open object. */
  const keysByDepth = [0];
  let commas = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) throw new JsonLimitError(`JSON nested deeper than ${MAX_DEPTH} levels`);
      if (++count > MAX_BRACKETS)
        throw new JsonLimitError(`JSON with more than ${MAX_BRACKETS} objects and lists`);
      keysByDepth[depth] = 0;
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x3a) {
      const own = (keysByDepth[depth] ?? 0) + 1;
      if (own > MAX_KEYS_IN_OBJECT)
        throw new JsonLimitError(`JSON with an object of more than ${MAX_KEYS_IN_OBJECT} keys`);
      keysByDepth[depth] = own;
    } else if (code === 0x2c && ++commas > MAX_COMMAS)
      throw new JsonLimitError(`JSON with more than ${MAX_COMMAS} values`);
  }
}

function countUpTo(limit: number, part: string, text: string): number {
  let count = 0;
  for (let i = text.indexOf(part); i >= 0 && count <= limit; i = text.indexOf(part, i + 1)) count++;
  return count;
}

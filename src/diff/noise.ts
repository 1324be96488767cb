/**
 * Noise: differences that do not count as changes. With `--noise`, these differences count:
 * - `scores`: search scores, and the scores and counts of image labels, which change without an edit
 * - `urls`: parts of the URLs of images and related records: the fragment, parameters that prevent caching or sign the URL, and
 *   the port if the host is this machine
 *
 * opac always ignores these differences, because both versions mean the same:
 * - the order of keys, and of the sizes of an image
 * - a number or the same number as text; for sizes and colours also 12.5 and "12.50"
 * - all forms of "no value" (FIELD-NOTES.md "Answers"): a missing key, null, "", an empty list or set, and a field, attribute,
 *   image size or relationship that only has a name or an id
 * - a total that is equal to the length of its list, or a missing total
 * - a list with one item or the item without a list; a text entry or an entry with the text as its `value`
 * - the order of field sets, of attributes with different keys, and of relationships
 * - the name of the key that contains the id, and whether a record contains its kind as `recordType`
 */
import { asText, isObject, type Json } from '../service/json.js';

export const NOISE = ['scores', 'urls'] as const;
export type Noise = (typeof NOISE)[number];

/** URL parameters that prevent caching or sign the URL. */
const VOLATILE_PARAMETER =
  /^(?:_|v|ver|version|rev|t|ts|time|timestamp|cb|cache|cachebuster|nocache|rnd|rand|random|hash|modified|lastmodified|updated|expires|signature|sig|policy|key-pair-id|token|x-amz-.*|x-goog-.*)$|^\d+$/i;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Removes the fragment and the volatile parameters of an http or https URL. Also removes the port if the host is this machine,
 * because the built-in museum (`opac mock`) may use another port in each run. Returns other text unchanged.
 */
export function stripVolatileUrlParts(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const kept = [...url.searchParams].filter(([name]) => !VOLATILE_PARAMETER.test(name));
  url.search = new URLSearchParams(kept).toString();
  url.hash = '';
  if (LOOPBACK.test(url.hostname)) url.port = '';
  return url.href;
}

export function normalizeToTexts(value: Json | undefined): readonly string[] {
  const all = (Array.isArray(value) ? value : [value]) as readonly (Json | undefined)[];
  const texts = all.map(normalizeToText);
  return texts.some((text) => text !== '') ? texts : [];
}

/** Returns a value as text, with sorted keys and without keys that have "no value". */
export function normalizeToText(value: Json | undefined): string {
  if (!isObject(value) && !Array.isArray(value)) return asText(value);
  const plain = removeEmpty(value);
  return plain === undefined ? '' : JSON.stringify(plain);
}

function removeEmpty(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.map(removeEmpty);
    return items.every((item) => item === undefined) ? undefined : items.map((item) => item ?? '');
  }
  if (!isObject(value)) return asText(value) || undefined;
  const members = Object.entries(value)
    .map(([key, member]) => [key, removeEmpty(member)] as const)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/**
 * Converts a text that is a number to a number, also in the properties of an object. Services return sizes and percentages as
 * numbers or as text, with or without decimals.
 */
export function normalizeNumbers(value: Json | undefined): Json {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normalizeNumbers(part)]));
  const isNumber = typeof value === 'string' && /^-?\d{1,15}(?:\.\d+)?$/.test(value);
  return isNumber ? Number(value) : (value ?? '');
}

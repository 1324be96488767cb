/**
 * Noise: differences that do not count as changes. With `--noise`, these differences count:
 * - `scores`: search scores, and the scores and counts of image labels, which change without an edit
 * - `urls`: in URLs of images and related records, the fragment, cache and signature parameters, and the port of a server on
 *   this machine
 *
 * opac always ignores these differences:
 * - in the order of keys, image sizes, field sets and relationships, and of attributes, except attributes with the same key
 * - between a number and the same number as text; for sizes and colours, also between 12.5 and "12.50"
 * - between forms of "no value" (FIELD-NOTES.md "Answers"); a field, attribute, image size or relationship with only a
 *   name has no value
 * - between a missing total and a total that equals the length of its list
 * - between a list with one item and the item without a list; between a text and an object with this text as its `value`
 * - in the name of the key that contains the id, and in whether a record contains its kind as `recordType`
 */
import { asText, isObject, type Json } from '../service/json.js';

export const NOISE = ['scores', 'urls'] as const;
export type Noise = (typeof NOISE)[number];

const VOLATILE_PARAMETER =
  /^(?:_|v|ver|version|rev|t|ts|time|timestamp|cb|cache|cachebuster|nocache|rnd|rand|random|hash|modified|lastmodified|updated|expires|signature|sig|policy|key-pair-id|token|x-amz-.*|x-goog-.*)$|^\d+$/i;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Removes the port if the host is this machine: `opac mock` may use another port in each run. Keeps text that is not a URL. */
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

/** Converts text such as "12.50" to numbers, also in objects. Services return sizes and percentages as numbers or as text. */
export function normalizeNumbers(value: Json | undefined): Json {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normalizeNumbers(part)]));
  const isNumber = typeof value === 'string' && /^-?\d{1,15}(?:\.\d+)?$/.test(value);
  return isNumber ? Number(value) : (value ?? '');
}

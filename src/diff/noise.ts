/**
 * Which differences are no changes. Some are left out unless `--noise` asks for them:
 * - `scores`: search scores, and of image labels the score and the count, which change without an edit
 * - `urls`: of images and related records, the parameters of an address that defeat caches or sign it, its fragment, and the
 *   port of this machine
 *
 * Others always, because they say the same:
 * - the order of keys, and of the sizes of an image
 * - a number and the same number as text; of sizes and colours also 12.5 and "12.50"
 * - "no value" in all its spellings (FIELD-NOTES.md "Answers"): a missing key, null, "", an empty list or set, and a name or an
 *   id without anything beside it (a field, an attribute, a size of an image, a relationship)
 * - a total that counts what is listed, and no total
 * - a list of one item and this item alone, an entry that is text and one that has it as its `value`
 * - the order of field sets, of attributes with different keys, and of relationships
 * - the key that holds the id, and a `recordType` beside it that says the kind of all records of the export
 */
import { asText, isObject, type Json } from '../service/json.js';

export const NOISE = ['scores', 'urls'] as const;
export type Noise = (typeof NOISE)[number];

/** Parameters that only defeat caches, or sign an address for a while. */
const VOLATILE_PARAMETER =
  /^(?:_|v|ver|version|rev|t|ts|time|timestamp|cb|cache|cachebuster|nocache|rnd|rand|random|hash|modified|lastmodified|updated|expires|signature|sig|policy|key-pair-id|token|x-amz-.*|x-goog-.*)$|^\d+$/i;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The address of an image without what passes; other text as it is. `opac mock` has another port each time. */
export function stripVolatileUrlParts(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const kept = [...url.searchParams].filter(([name]) => !VOLATILE_PARAMETER.test(name));
  url.search = new URLSearchParams(kept).toString();
  url.hash = '';
  if (LOOPBACK.test(url.hostname)) url.port = '';
  return url.href;
}

/** The values under a key, each as one text; none for "no value". */
export function normalizeToTexts(value: Json | undefined): readonly string[] {
  const all = (Array.isArray(value) ? value : [value]) as readonly (Json | undefined)[];
  const spelled = all.map(normalizeToText);
  return spelled.some((text) => text !== '') ? spelled : [];
}

/** A value in one spelling: keys in order, "no value" left out. */
export function normalizeToText(value: Json | undefined): string {
  if (!isObject(value) && !Array.isArray(value)) return asText(value);
  const plain = withoutNothing(value);
  return plain === undefined ? '' : JSON.stringify(plain);
}

function withoutNothing(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.map(withoutNothing);
    return items.every((item) => item === undefined) ? undefined : items.map((item) => item ?? '');
  }
  if (!isObject(value)) return asText(value) || undefined;
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutNothing(member)] as const)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Sizes and shares come as numbers and as text, with and without decimals. */
export function normalizeNumbers(value: Json | undefined): Json {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normalizeNumbers(part)]));
  const isNumber = typeof value === 'string' && /^-?\d{1,15}(?:\.\d+)?$/.test(value);
  return isNumber ? Number(value) : (value ?? '');
}

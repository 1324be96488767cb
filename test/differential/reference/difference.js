/** The difference of two states of a service, without what nobody edits (docs/copies.md). */
import { Digits, printJson } from './json.js';

/** By id: `added`, `removed` or `changed`. */
export function differenceOf(before, after) {
  const difference = new Map();
  for (const [id, record] of after) {
    const old = before.get(id);
    if (!old) difference.set(id, 'added');
    else if (old.text !== record.text && normalised(old.tree) !== normalised(record.tree))
      difference.set(id, 'changed');
  }
  for (const id of before.keys()) if (!after.has(id)) difference.set(id, 'removed');
  return difference;
}

/** A set without values, an empty one and `""` alone all mean "no value" (FIELD-NOTES.md "Answers"). */
function isEmptySet(set) {
  if (!(set instanceof Map)) return false;
  const [, values] =
    [...set].find(([key, value]) => /^opac\w+Fields$/.test(key) && Array.isArray(value)) ?? [];
  return (values ?? []).every((entry) => entry.size === 1 && entry.get('value') === '');
}

/** Search scores, the order of keys and derivatives and the spelling of types say nothing. */
export function normalised(tree) {
  return printJson(withoutNoise(tree));
}

function withoutNoise(value, key = '') {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) {
    const isSets = /^opac\w+FieldSets$/.test(key);
    const list = value.filter((each) => !isSets || !isEmptySet(each)).map((each) => withoutNoise(each, key));
    return key === 'imageDerivatives'
      ? list.toSorted((one, other) => (printJson(one) < printJson(other) ? -1 : 1))
      : list;
  }
  if (!(value instanceof Map)) return value;
  const members = [...value].filter(([name]) => !isScore(name, key));
  return new Map(
    members
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, withoutNoise(each, name)]),
  );
}

/** How sure an image recognition is, and how often it found a label, changes by itself. */
function isScore(name, parent) {
  return /SearchScore$/.test(name) || (parent === 'imageLabels' && ['score', 'count'].includes(name));
}

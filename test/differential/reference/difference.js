/** The difference of two states of a service, without values that change by themselves (docs/copies.md). */
import { Digits, printJson } from './json.js';

/** Returns `added`, `removed` or `changed` by the id of a record. */
export function computeDifference(before, after) {
  const difference = new Map();
  for (const [id, record] of after) {
    const old = before.get(id);
    if (!old) difference.set(id, 'added');
    else if (old.text !== record.text && normalise(old.tree) !== normalise(record.tree))
      difference.set(id, 'changed');
  }
  for (const id of before.keys()) if (!after.has(id)) difference.set(id, 'removed');
  return difference;
}

/** A field set without values, and one with only `""`, mean "no value" (FIELD-NOTES.md "Answers"). */
function isEmptySet(set) {
  if (!(set instanceof Map)) return false;
  const [, values] =
    [...set].find(([key, value]) => /^opac\w+Fields$/.test(key) && Array.isArray(value)) ?? [];
  return (values ?? []).every((entry) => entry.size === 1 && entry.get('value') === '');
}

/** Returns JSON that does not depend on search scores, the order of keys and derivatives, or the types of values. */
export function normalise(tree) {
  return printJson(removeNoise(tree));
}

function removeNoise(value, key = '') {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) {
    const isSets = /^opac\w+FieldSets$/.test(key);
    const list = value.filter((each) => !isSets || !isEmptySet(each)).map((each) => removeNoise(each, key));
    return key === 'imageDerivatives'
      ? list.toSorted((one, other) => (printJson(one) < printJson(other) ? -1 : 1))
      : list;
  }
  if (!(value instanceof Map)) return value;
  const members = [...value].filter(([name]) => !isScore(name, key));
  return new Map(
    members
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, removeNoise(each, name)]),
  );
}

/** Scores change by themselves. In image labels, the number of uses also changes. */
function isScore(name, parent) {
  return /SearchScore$/.test(name) || (parent === 'imageLabels' && ['score', 'count'].includes(name));
}

/** Compares the entries of an output with the records of the service. */
import { check } from '../context.js';

/**
 * Throws unless the entries are these records (by id), each exactly once. `isOrdered`: they must be in the same order.
 * `versionsOf` returns the allowed versions of a record. Default: the version in `records`.
 */
export function checkSameRecords(entries, records, { what, isOrdered = false, versionsOf } = {}) {
  checkIds(
    entries.map(({ id }) => id),
    [...records.keys()],
    { what, isOrdered },
  );
  for (const { id, differenceFrom } of entries) {
    const allowed = versionsOf?.(id) ?? [records.get(id)];
    const differences = allowed.map(differenceFrom);
    check(differences.includes(undefined), () => `${what}: record ${id}: ${differences.at(-1)}`);
  }
}

export function checkIds(ids, expected, { what, isOrdered = false }) {
  const known = new Set(expected);
  const seen = new Set(ids);
  const missing = expected.filter((id) => !seen.has(id));
  const unknown = ids.filter((id) => !known.has(id));
  const duplicates = ids.filter((id, n) => ids.indexOf(id, n + 1) >= 0);
  const facts = [
    [missing, 'missing'],
    [unknown, 'not in the service'],
    [duplicates, 'duplicated'],
  ].filter(([list]) => list.length > 0);
  check(
    facts.length === 0,
    () =>
      `${what}: ${facts.map(([list, words]) => `${list.length} ${words}: ${list.slice(0, 8).join(' ')}`).join('; ')} (${ids.length} found, ${expected.length} in the service)`,
  );
  check(
    !isOrdered || ids.every((id, n) => id === expected[n]),
    () => `${what}: the order differs from the service`,
  );
}

/**
 * Returns the list for a key, and creates the list if necessary. The caller adds values to this list, because copying the list
 * for each value would take quadratic time.
 */
export function getOrAddList<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Returns the list of a key, to which the caller adds: a new list per value would take quadratic time. */
export function getOrAddList<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

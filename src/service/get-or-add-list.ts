/** Creates the list if necessary. The caller adds values to the returned list. */
export function getOrAddList<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** The ids seen so far. */
export interface SeenIds {
  /** Whether the id is new. */
  add(id: string): boolean;
  readonly size: number;
}

export function createSeenIds(): SeenIds {
  const ids = new Set<string>();
  return {
    add: (id) => ids.size < ids.add(id).size,
    get size() {
      return ids.size;
    },
  };
}

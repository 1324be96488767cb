/** Compares two exports, and returns each difference as one line of text. */
import { type CompareOptions, compareSnapshots } from '../../src/diff/compare-snapshots.js';
import { Snapshot } from '../../src/diff/snapshot.js';

const ALL: CompareOptions = {
  include: new Set(),
  isCompared: () => true,
  isWanted: () => true,
  context: [],
  signal: new AbortController().signal,
};

/** Returns sorted lines: `20022 name changed` for a field, `20022 added` or `20022 removed` for a record. */
export async function findDifferences(
  one: string,
  other: string,
  options: Partial<CompareOptions> = {},
): Promise<string[]> {
  return Snapshot.use(one, {}, (older) =>
    Snapshot.use(other, {}, async (newer) => {
      const { differences } = await compareSnapshots(older, newer, { ...ALL, ...options });
      const lines: string[] = [];
      for await (const { id, change, changes } of differences) {
        if (change !== 'changed') lines.push(`${id} ${change}`);
        for (const { field, change: how } of changes) lines.push(`${id} ${field} ${how}`);
      }
      return lines.sort();
    }),
  );
}

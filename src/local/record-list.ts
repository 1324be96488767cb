/** Lists of records for searches: lists in memory, and several lists joined. */
import type { StoredRecord } from './record.js';

export interface RecordList {
  readonly count: () => Promise<number>;
  /** The identifiers of fields, in order of first appearance. */
  readonly identifiers: () => Promise<readonly string[]>;
  readonly byId: (id: string) => Promise<StoredRecord | undefined>;
  /** All records in order, in groups. */
  readonly pieces: () => AsyncIterable<readonly StoredRecord[]>;
  /** Returns the records at the positions. `following` returns up to `count` positions that the client may request next. */
  readonly at: (
    positions: readonly number[],
    following: (count: number) => readonly number[],
  ) => Promise<readonly StoredRecord[]>;
  readonly keep?: (position: number, record: StoredRecord) => void;
}

export async function* iterateRecords(list: RecordList): AsyncGenerator<StoredRecord> {
  for await (const piece of list.pieces()) yield* piece;
}

export function arrayRecordList(records: readonly StoredRecord[]): RecordList {
  const byId = new Map<string, StoredRecord>();
  for (const record of records) if (!byId.has(record.id)) byId.set(record.id, record);
  return {
    count: async () => records.length,
    identifiers: async () => [...new Set(records.flatMap(({ parsed }) => [...parsed.fields.keys()]))],
    byId: async (id) => byId.get(id),
    pieces: async function* () {
      yield records;
    },
    at: async (positions) => positions.map((position) => records[position] as StoredRecord),
  };
}

/** Joins lists into one: all records of the first list, then the records of the second list, as in `/opacrecords`. */
export function joinLists(lists: readonly RecordList[]): RecordList {
  return {
    count: async () => {
      let count = 0;
      for (const list of lists) count += await list.count();
      return count;
    },
    identifiers: async () => {
      const identifiers = new Set<string>();
      for (const list of lists) for (const each of await list.identifiers()) identifiers.add(each);
      return [...identifiers];
    },
    byId: async (id) => {
      for (const list of lists) {
        const record = await list.byId(id);
        if (record) return record;
      }
      return undefined;
    },
    pieces: async function* () {
      for (const list of lists) yield* list.pieces();
    },
    at: async (positions, following) => {
      const found = new Map<number, StoredRecord>();
      let begin = 0;
      for (const list of lists) {
        const [first, end] = [begin, begin + (await list.count())];
        const within = (all: readonly number[]) =>
          all.filter((each) => each >= first && each < end).map((each) => each - first);
        const local = within(positions);
        const records = local.length === 0 ? [] : await list.at(local, (count) => within(following(count)));
        for (const [index, record] of records.entries()) found.set(first + (local[index] as number), record);
        begin = end;
      }
      return positions.map((position) => found.get(position) as StoredRecord);
    },
  };
}

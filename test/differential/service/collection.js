/** The records of a service, and edits of them. An edit creates a new record, so snapshots do not change. */
import { createRecordFromTree, KINDS, makeRecord } from './make-record.js';

export class Collection {
  #random;
  #style;
  #next = 1;
  /** The records of each kind, in the order of the service. */
  records;
  /** All versions of all records, by kind and id, including removed records. */
  #versions = new Map();

  /** `counts`: the number of records by kind. Other kinds do not exist. */
  constructor(random, style, counts) {
    this.#random = random;
    this.#style = style;
    this.records = Object.fromEntries(
      Object.entries(counts).map(([kind, count]) => [
        kind,
        Array.from({ length: count }, () => this.#make(kind)),
      ]),
    );
  }

  #make(kind) {
    return this.#remember(makeRecord(this.#random, kind, this.#next++, this.#style));
  }

  #remember(record) {
    const key = `${record.kind} ${record.id}`;
    this.#versions.set(key, [...(this.#versions.get(key) ?? []), record]);
    return record;
  }

  versionsOf(kind, id) {
    return this.#versions.get(`${kind} ${id}`) ?? [];
  }

  /** Returns the current records by id. Later edits do not change the result. */
  snapshot(kind = 'objects') {
    return new Map(this.records[kind].map((record) => [record.id, record]));
  }

  /** Adds records at the end, or at a position. */
  add(count, kind = 'objects', at = this.records[kind].length) {
    this.records[kind] = this.records[kind].toSpliced(
      at,
      0,
      ...Array.from({ length: count }, () => this.#make(kind)),
    );
  }

  remove(count, kind = 'objects', at = 0) {
    this.records[kind] = this.records[kind].toSpliced(at, count);
  }

  /** Replaces values of one record. `fields`: the new values by field. */
  edit(id, kind = 'objects', fields = { brief_desc: `edited ${this.#next++}` }) {
    this.records[kind] = this.records[kind].map((record) =>
      record.id === id ? this.#remember(replaceFields(record, fields)) : record,
    );
  }

  /** Adds, removes and edits random records. */
  disturb(kind = 'objects') {
    const random = this.#random;
    const records = () => this.records[kind];
    for (let left = random.integer(1, 4); left > 0; left--) {
      const choice = random.integer(0, 2);
      const at = random.integer(0, Math.max(0, records().length - 3));
      if (choice === 0) this.add(random.integer(1, 3), kind, random.chance(0.5) ? at : undefined);
      else if (choice === 1 && records().length > 5) this.remove(random.integer(1, 3), kind, at);
      else if (records().length > 0) this.edit(random.pick(records()).id, kind);
    }
  }
}

function replaceFields(record, fields) {
  const { name } = KINDS[record.kind];
  const tree = copyTree(record.tree);
  for (const set of tree.get(`opac${name}FieldSets`)) {
    const value = fields[set.get('identifier')];
    if (value !== undefined) set.set(`opac${name}Fields`, [new Map([['value', value]])]);
  }
  return createRecordFromTree(record.kind, tree);
}

/** Returns a deep copy of a tree. */
export function copyTree(tree) {
  if (Array.isArray(tree)) return tree.map(copyTree);
  if (tree instanceof Map) return new Map([...tree].map(([key, value]) => [key, copyTree(value)]));
  return tree;
}

/** The records of a service at one moment, and edits between two moments. Records never change in place. */
import { KINDS, makeRecord, recordOf } from './make-record.js';

export class Collection {
  #random;
  #style;
  #next = 1;
  /** The records of each kind, in the order of the service. */
  records;
  /** Each record that was ever there, by kind and id, with all that it ever said. */
  #versions = new Map();

  /** The counts are numbers of records by kind; a kind that is not named does not exist. */
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

  /** The state now, which later edits do not change. */
  snapshot(kind = 'objects') {
    return new Map(this.records[kind].map((record) => [record.id, record]));
  }

  /** New records, at the end or at a place. */
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

  /** Gives the field of one record another value, and to others of its fields what the second map says. */
  edit(id, kind = 'objects', fields = { brief_desc: `edited ${this.#next++}` }) {
    this.records[kind] = this.records[kind].map((record) =>
      record.id === id ? this.#remember(withFields(record, fields)) : record,
    );
  }

  /** Some additions, removals and edits of any record. */
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

function withFields(record, fields) {
  const { name } = KINDS[record.kind];
  const tree = structuredTree(record.tree);
  for (const set of tree.get(`opac${name}FieldSets`)) {
    const value = fields[set.get('identifier')];
    if (value !== undefined) set.set(`opac${name}Fields`, [new Map([['value', value]])]);
  }
  return recordOf(record.kind, tree);
}

/** A copy whose maps and lists can be changed. */
export function structuredTree(tree) {
  if (Array.isArray(tree)) return tree.map(structuredTree);
  if (tree instanceof Map) return new Map([...tree].map(([key, value]) => [key, structuredTree(value)]));
  return tree;
}

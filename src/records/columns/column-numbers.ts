/** Finds the column number of each field and each relationship. */
import {
  fieldColumnName,
  RECORD_COLUMN_NAMES,
  relationshipColumnName,
} from '../../service/records/columns.js';
import { textAt } from '../json/spans.js';

const FIELD_PREFIX = 'field.';
const RELATIONSHIP_PREFIX = 'relationship.';

export class ColumnNumbers {
  readonly names: string[] = [...RECORD_COLUMN_NAMES];
  readonly fields = new NumberByKey(this.names, fieldColumnName);
  readonly relationships = new NumberByKey(this.names, relationshipColumnName);

  constructor(names: readonly string[]) {
    for (const name of names.slice(RECORD_COLUMN_NAMES.length)) {
      if (name.startsWith(RELATIONSHIP_PREFIX))
        this.relationships.getOrAdd(name.slice(RELATIONSHIP_PREFIX.length).replace(/\.title$/, ''));
      else this.fields.getOrAdd(name.startsWith(FIELD_PREFIX) ? name.slice(FIELD_PREFIX.length) : name);
    }
  }
}

/** Assigns a number to each key. Fast, because most records have the same keys in a similar order. */
export class NumberByKey {
  readonly #names: string[];
  readonly #createName: (key: string) => string;
  readonly #numbers = new Map<string, number>();
  readonly #keys: (Buffer | undefined)[] = [];
  /** `#successors[n]` is the number of the key that last came after key n. This key will probably come after it again. */
  readonly #successors: number[] = [];
  #last = 0;

  constructor(names: string[], createName: (key: string) => string) {
    this.#names = names;
    this.#createName = createName;
  }

  get(key: string): number | undefined {
    return this.#numbers.get(key);
  }

  getOrAdd(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#names.push(this.#createName(key)) - 1;
    this.#numbers.set(key, number);
    this.#keys[number] = Buffer.from(key);
    return number;
  }

  getOrAddBytes(bytes: Buffer, start: number, end: number): number {
    const predicted = this.#successors[this.#last] ?? 0;
    const key = this.#keys[predicted];
    const isPredicted = key !== undefined && key.length === end - start && equalsAt(key, bytes, start);
    const number = isPredicted ? predicted : this.getOrAdd(textAt(bytes, start, end));
    this.#successors[this.#last] = number;
    this.#last = number;
    return number;
  }
}

function equalsAt(key: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return false;
  return true;
}

/** The column numbers of fields and relationships. */
import { fieldColumnName, RECORD_COLUMN_NAMES } from '../../service/records/columns.js';

const FIELD_PREFIX = 'field.';
const RELATIONSHIP_PREFIX = 'relationship.';

export class ColumnNumbers {
  readonly names: string[] = [...RECORD_COLUMN_NAMES];
  readonly fields = new NumberByKey(this.names, fieldColumnName);
  readonly relationships = new NumberByKey(this.names, (id) => `${RELATIONSHIP_PREFIX}${id}`);

  constructor(names: readonly string[]) {
    for (const name of names.slice(RECORD_COLUMN_NAMES.length)) {
      if (name.startsWith(RELATIONSHIP_PREFIX))
        this.relationships.getOrAdd(name.slice(RELATIONSHIP_PREFIX.length));
      else this.fields.getOrAdd(name.startsWith(FIELD_PREFIX) ? name.slice(FIELD_PREFIX.length) : name);
    }
  }
}

/** Column numbers by the key of a field or relationship. */
export class NumberByKey {
  readonly #names: string[];
  readonly #createName: (key: string) => string;
  readonly #numbers = new Map<string, number>();

  /** Appends the column name of each new key to `names`. */
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
    return number;
  }
}

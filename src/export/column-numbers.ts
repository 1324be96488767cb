/** The columns of a table by what they show: which number a field or a relationship has, in either spelling. */
import { fieldColumnName, RECORD_COLUMN_NAMES } from '../service/columns.js';
import { octetsOf, type Spelling } from './octets.js';

const FIELD_PREFIX = 'field.';
const RELATIONSHIP_PREFIX = 'relationship.';

type Numbers = Readonly<Record<Spelling, Map<string, number>>>;

export class ColumnNumbers {
  /** Those of every record first. */
  readonly names: string[] = [...RECORD_COLUMN_NAMES];
  /** By identifier. */
  readonly fields: Numbers = { octets: new Map(), text: new Map() };
  /** By id. */
  readonly relationships: Numbers = { octets: new Map(), text: new Map() };

  /** `names`: columns as another of these had them. */
  constructor(names: readonly string[]) {
    for (const name of names.slice(RECORD_COLUMN_NAMES.length)) {
      if (name.startsWith(RELATIONSHIP_PREFIX)) this.addRelationship(name.slice(RELATIONSHIP_PREFIX.length));
      else this.addField(name.startsWith(FIELD_PREFIX) ? name.slice(FIELD_PREFIX.length) : name);
    }
  }

  /** The number of a field's column, which is added when there is none. The identifier is text. */
  addField(identifier: string): number {
    const known = this.fields.text.get(identifier);
    return known ?? this.#add(this.fields, identifier, fieldColumnName(identifier));
  }

  /** The number of a relationship's column, which is added when there is none. The id is text. */
  addRelationship(id: string): number {
    const known = this.relationships.text.get(id);
    return known ?? this.#add(this.relationships, id, `${RELATIONSHIP_PREFIX}${id}`);
  }

  /** Forgets all columns but the first so many. */
  forget(keep: number): void {
    this.names.length = keep;
    for (const { octets, text } of [this.fields, this.relationships]) {
      for (const table of [octets, text]) {
        for (const [key, number] of table) if (number >= keep) table.delete(key);
      }
    }
  }

  #add(numbers: Numbers, key: string, name: string): number {
    const number = this.names.push(name) - 1;
    numbers.text.set(key, number);
    numbers.octets.set(octetsOf(key), number);
    return number;
  }
}

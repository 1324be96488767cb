/** The parts of an image or a related record, each a list of texts under its name; names that are there twice are kept apart. */
import { asText, isObject, type Json, type JsonObject } from '../service/json.js';
import { measured, texts } from './noise.js';

/** Texts by the name of the part; a part without a value is not there. */
export class ListParts extends Map<string, readonly string[]> {
  put(name: string, value: Json | undefined): void {
    const list = texts(value);
    if (list.length > 0) this.set(name, list);
  }

  members(prefix: string, members: JsonObject): void {
    for (const [key, member] of Object.entries(members)) this.put(`${prefix}${key}`, member);
  }

  /** Of images (`key`, `value`) and of related records (`identifier`, `values`). */
  attributes(list: Json | undefined): void {
    const unique = uniqueNames();
    for (const attribute of itemsOf(list))
      readAttribute(attribute, unique, (name, value) => this.put(`@${name}`, value));
  }

  derivatives(list: Json | undefined): void {
    const unique = uniqueNames();
    for (const derivative of itemsOf(list)) {
      const { identifier, ...members } = membersOf(derivative);
      const own = unique(asText(identifier));
      for (const [key, member] of Object.entries(members)) this.put(`.${own}.${key}`, measured(member));
    }
  }
}

export function readAttribute(
  attribute: Json,
  unique: (name: string) => string,
  put: (name: string, value: Json | undefined) => void,
): void {
  const { key, identifier = key, value, values = value, ...members } = membersOf(attribute);
  const name = unique(asText(identifier));
  put(name, values);
  // A key that took the place of another is still compared.
  if (identifier !== key) put(`${name}.key`, key);
  if (values !== value) put(`${name}.value`, value);
  for (const [each, member] of Object.entries(members)) put(`${name}.${each}`, member);
}

/** What stands in a list; an item alone is a list of one. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value as Json];
}

/** The members of an object; of anything else, that as its `value`. */
export function membersOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : { value };
}

/** Gives each name once: the second `unit` is `unit~2`. */
export function uniqueNames(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    let own = name;
    for (let n = 2; known.has(own); n++) own = `${name}~${n}`;
    known.add(own);
    return own;
  };
}

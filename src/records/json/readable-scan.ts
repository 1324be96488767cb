/** Checks in the bytes of a record that opac can read all of its parts. Faster than parsing; undecided for unusual records. */
import { KIND_KEYS, KINDS, type KindKeys } from '../../service/kinds.js';
import { createObjectParser, JsonReader, type ValueParser } from './json-reader.js';
import { skipSpace } from './skip-json.js';
import { Span } from './spans.js';

export class ReadableScan {
  readonly #json = new JsonReader();
  readonly #identifier = new Span();
  #hasValue = false;

  /** Returns true only if `hasUnreadableParts` would return false for this record. Otherwise parse the record. */
  isReadable(bytes: Buffer, start: number): boolean {
    this.#json.setBytes(bytes);
    return this.#json.readMembers(skipSpace(bytes, start), this.#record) >= 0;
  }

  readonly #readList =
    (readItem: ValueParser): ValueParser =>
    (at) =>
      this.#json.isArray(at) ? this.#json.readItems(at, readItem) : -1;

  readonly #skipObject: ValueParser = (at) => (this.#json.isObject(at) ? this.#json.skip(at) : -1);

  #createSetReader({ fieldsKey, fieldAttributesKey }: KindKeys): ValueParser {
    const field = createObjectParser({
      value: (at) => {
        this.#hasValue = true;
        return this.#json.skip(at);
      },
      [fieldAttributesKey]: this.#readList(this.#skipObject),
    });
    const readField: ValueParser = (at) => {
      this.#hasValue = !this.#json.isObject(at);
      const end = this.#json.readMembers(at, field);
      return this.#hasValue ? end : -1;
    };
    const set = createObjectParser({
      identifier: (at) => this.#json.readText(at, this.#identifier),
      [fieldsKey]: this.#readList(readField),
    });
    return (at) => {
      this.#identifier.clear();
      const end = this.#json.isObject(at) ? this.#json.readMembers(at, set) : -1;
      return this.#identifier.isEmpty ? -1 : end;
    };
  }

  readonly #readCollection = (listKey: string): ValueParser => {
    const collection = createObjectParser({ [listKey]: this.#readList(this.#skipObject) });
    return (at) => (this.#json.isObject(at) ? this.#json.readMembers(at, collection) : -1);
  };

  readonly #record = createObjectParser({
    ...Object.fromEntries(
      KINDS.map((kind) => [
        KIND_KEYS[kind].fieldSetsKey,
        this.#readList(this.#createSetReader(KIND_KEYS[kind])),
      ]),
    ),
    imagesCollection: this.#readCollection('images'),
    relationshipsCollection: this.#readCollection('relationships'),
  });
}

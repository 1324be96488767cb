/** Checks whether opac can read all parts of a record. Reads the bytes of the record, because parsing is slower. */
import { KIND_KEYS, KINDS, type KindKeys } from '../../service/kinds.js';
import { QUOTE } from './bytes.js';
import { createObjectParser, type JsonReader, type ValueParser } from './json-reader.js';
import { Span } from './spans.js';

export class ReadableScan {
  /** A parser returns -1 if `hasUnreadableParts` or `lacksImages` (unreadable-parts.ts) could return true for the record. */
  readonly parts: Readonly<Record<string, ValueParser>>;
  readonly #json: JsonReader;
  readonly #identifier = new Span();
  readonly #total = new Span();
  #hasValue = false;
  /** Whether the scan has found a field with a text. The caller must set `hasFields` to false before each record. */
  hasFields = false;

  constructor(json: JsonReader) {
    this.#json = json;
    this.parts = {
      ...Object.fromEntries(
        KINDS.map((kind) => {
          const readSets = this.#readList(this.#createSetReader(KIND_KEYS[kind]));
          return [
            KIND_KEYS[kind].fieldSetsKey,
            (at: number) => {
              // If a key occurs twice, the last value counts.
              this.hasFields = false;
              return readSets(at);
            },
          ];
        }),
      ),
      imagesCollection: this.#readCollection('images', 'totalImages'),
      relationshipsCollection: this.#readCollection('relationships'),
    };
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
        this.hasFields ||= this.#json.isString(at) && this.#json.bytes[at + 1] !== QUOTE;
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

  /** `totalKey`: the key of the total, if the list must contain at least that many items. */
  readonly #readCollection = (listKey: string, totalKey?: string): ValueParser => {
    let items = 0;
    const readItem: ValueParser = (at) => {
      items++;
      return this.#skipObject(at);
    };
    const readItems = this.#readList(readItem);
    const collection = createObjectParser({
      [listKey]: (at) => {
        items = 0;
        return readItems(at);
      },
      ...(totalKey !== undefined && {
        [totalKey]: (at: number) => this.#json.readUnescapedText(at, this.#total),
      }),
    });
    return (at) => {
      items = 0;
      this.#total.clear();
      const end = this.#json.isObject(at) ? this.#json.readMembers(at, collection) : -1;
      const total = this.#json.parseSmallInteger(this.#total);
      return total < 0 || total > items ? -1 : end;
    };
  };
}

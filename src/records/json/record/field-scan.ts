/** Finds the fields of a record in its bytes. Follows the same rules as src/service/records/record.ts. */
import { KIND_KEYS, KINDS, type Kind, type KindKeys } from '../../../service/kinds.js';
import {
  createObjectParser,
  EncodedKey,
  type JsonReader,
  type ObjectParser,
  type ValueParser,
} from '../json-reader.js';
import { type NamedLists, Span, type Spans } from '../spans.js';

const TITLE = new EncodedKey('title');

export class FieldScanner {
  readonly title = new Span();

  readonly #json: JsonReader;
  readonly #lists: NamedLists;
  readonly #values: Spans;
  #kind: Kind | undefined;
  readonly #identifier = new Span();
  #first = 0;
  #hasValue = false;
  readonly #setTitle = new Span();
  readonly #value = new Span();
  readonly #valueTitle = new Span();
  readonly #key = new Span();
  readonly #attributeValue = new Span();

  constructor(json: JsonReader, lists: NamedLists, values: Spans) {
    this.#json = json;
    this.#lists = lists;
    this.#values = values;
  }

  clear(): void {
    this.#lists.clear();
    this.title.clear();
    this.#kind = undefined;
  }

  scanFieldSets(at: number, kind: Kind): number {
    // If a record has two lists of field sets, the caller must parse the record.
    if (this.#kind !== undefined) return -1;
    this.#kind = kind;
    return this.#json.readItems(at, this.#readSet);
  }

  readonly #set = createParsersByKind(({ fieldsKey }) =>
    createObjectParser({
      identifier: (at) => this.#json.readUnescapedText(at, this.#identifier),
      [fieldsKey]: (at) => {
        this.#beginSet();
        return this.#json.readItems(at, this.#readValue);
      },
    }),
  );

  readonly #readSet: ValueParser = (at) => {
    this.#identifier.clear();
    this.#first = this.#values.length;
    this.#beginSet();
    const end = this.#json.readMembers(at, this.#getParser(this.#set));
    const isNamed = !this.#identifier.isEmpty;
    // A list that contains only empty values counts as empty.
    if (!isNamed || !this.#hasValue) this.#values.length = this.#first;
    else if (this.title.isEmpty) this.title.set(this.#setTitle);
    if (isNamed) this.#lists.add(this.#identifier, this.#first, this.#values.length - this.#first);
    return end;
  };

  #beginSet(): void {
    this.#values.length = this.#first;
    this.#hasValue = false;
    this.#setTitle.clear();
  }

  readonly #field = createParsersByKind(({ fieldAttributesKey }) =>
    createObjectParser({
      value: (at) => this.#json.readText(at, this.#value),
      [fieldAttributesKey]: (at) => {
        this.#valueTitle.clear();
        const isFound = !this.title.isEmpty || !this.#setTitle.isEmpty;
        return isFound ? this.#json.skip(at) : this.#json.readItems(at, this.#readAttribute);
      },
    }),
  );

  readonly #readValue: ValueParser = (at) => {
    this.#value.clear();
    this.#valueTitle.clear();
    const end = this.#json.isObject(at)
      ? this.#json.readMembers(at, this.#getParser(this.#field))
      : this.#json.readText(at, this.#value);
    this.#values.add(this.#value);
    if (!this.#value.isEmpty) this.#hasValue = true;
    if (this.#setTitle.isEmpty) this.#setTitle.set(this.#valueTitle);
    return end;
  };

  readonly #attribute = createObjectParser({
    key: (at) => this.#json.readUnescapedText(at, this.#key),
    value: (at) => this.#json.readText(at, this.#attributeValue),
  });

  readonly #readAttribute: ValueParser = (at) => {
    this.#key.clear();
    this.#attributeValue.clear();
    const end = this.#json.readMembers(at, this.#attribute);
    if (this.#json.equalsKey(this.#key, TITLE)) this.#valueTitle.set(this.#attributeValue);
    return end;
  };

  #getParser(parsers: Readonly<Record<Kind, ObjectParser>>): ObjectParser {
    return parsers[this.#kind ?? 'records'];
  }
}

function createParsersByKind(create: (keys: KindKeys) => ObjectParser): Readonly<Record<Kind, ObjectParser>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, create(KIND_KEYS[kind])])) as Record<
    Kind,
    ObjectParser
  >;
}

/** Finds the fields of a record in its bytes, as src/service/records/record.ts reads them. */
import { KIND_WORDS, KINDS, type Kind, type KindWords } from '../../../service/kinds.js';
import { type JsonReader, type Part, type Shape, shape, Word } from '../json-reader.js';
import { type NamedLists, Span, type Spans } from '../spans.js';

const TITLE = new Word('title');

export class FieldScan {
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

  sets(at: number, kind: Kind): number {
    // The parser decides between two.
    if (this.#kind !== undefined) return -1;
    this.#kind = kind;
    return this.#json.items(at, this.#takeSet);
  }

  readonly #set = byKind(({ fieldsKey }) =>
    shape({
      identifier: (at) => this.#json.plainText(at, this.#identifier),
      [fieldsKey]: (at) => {
        this.#beginSet();
        return this.#json.items(at, this.#takeValue);
      },
    }),
  );

  readonly #takeSet: Part = (at) => {
    this.#identifier.clear();
    this.#first = this.#values.length;
    this.#beginSet();
    const end = this.#json.members(at, this.#shapeOf(this.#set));
    const isNamed = !this.#identifier.isEmpty;
    // Empty values count only beside others.
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

  readonly #field = byKind(({ fieldAttributesKey }) =>
    shape({
      value: (at) => this.#json.text(at, this.#value),
      [fieldAttributesKey]: (at) => {
        this.#valueTitle.clear();
        const isFound = !this.title.isEmpty || !this.#setTitle.isEmpty;
        return isFound ? this.#json.stepOver(at) : this.#json.items(at, this.#takeAttribute);
      },
    }),
  );

  readonly #takeValue: Part = (at) => {
    this.#value.clear();
    this.#valueTitle.clear();
    const end = this.#json.isObject(at)
      ? this.#json.members(at, this.#shapeOf(this.#field))
      : this.#json.text(at, this.#value);
    this.#values.add(this.#value);
    if (!this.#value.isEmpty) this.#hasValue = true;
    if (this.#setTitle.isEmpty) this.#setTitle.set(this.#valueTitle);
    return end;
  };

  readonly #attribute = shape({
    key: (at) => this.#json.plainText(at, this.#key),
    value: (at) => this.#json.text(at, this.#attributeValue),
  });

  readonly #takeAttribute: Part = (at) => {
    this.#key.clear();
    this.#attributeValue.clear();
    const end = this.#json.members(at, this.#attribute);
    if (this.#json.spells(this.#key, TITLE)) this.#valueTitle.set(this.#attributeValue);
    return end;
  };

  #shapeOf(shapes: Readonly<Record<Kind, Shape>>): Shape {
    return shapes[this.#kind ?? 'records'];
  }
}

function byKind(shapeOf: (words: KindWords) => Shape): Readonly<Record<Kind, Shape>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, shapeOf(KIND_WORDS[kind])])) as Record<Kind, Shape>;
}

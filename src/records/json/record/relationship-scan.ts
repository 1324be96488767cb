/** Finds the relationships of a record in its bytes. Follows the same rules as src/service/records/record.ts. */
import { createObjectParser, type JsonReader, type ValueParser } from '../json-reader.js';
import { type NamedLists, Span, type Spans } from '../spans.js';

export class RelationshipScan {
  readonly #json: JsonReader;
  readonly #lists: NamedLists;
  readonly #values: Spans;
  readonly #id = new Span();
  #firstValue = 0;
  readonly #title = new Span();
  readonly #relatedId = new Span();

  /** The scan adds a list for each relationship to `lists`, and the title (or the id) of each related record to `values`. */
  constructor(json: JsonReader, lists: NamedLists, values: Spans) {
    this.#json = json;
    this.#lists = lists;
    this.#values = values;
  }

  readonly readRelationshipsCollection: ValueParser = (at) => {
    this.#lists.clear();
    return this.#json.readMembers(at, this.#collection);
  };

  readonly #collection = createObjectParser({
    relationships: (at) => {
      this.#lists.clear();
      return this.#json.readItems(at, this.#readRelationship);
    },
  });

  readonly #relationship = createObjectParser({
    relationshipId: (at) => this.#json.readUnescapedText(at, this.#id),
    relatedRecords: (at) => {
      this.#values.length = this.#firstValue;
      return this.#json.readItems(at, this.#readRelated);
    },
  });

  readonly #readRelationship: ValueParser = (at) => {
    this.#id.clear();
    this.#firstValue = this.#values.length;
    const end = this.#json.readMembers(at, this.#relationship);
    if (this.#id.isEmpty) this.#values.length = this.#firstValue;
    else this.#lists.add(this.#id, this.#firstValue, this.#values.length - this.#firstValue);
    return end;
  };

  readonly #related = createObjectParser({
    title: (at) => this.#json.readText(at, this.#title),
    relatedRecordId: (at) => this.#json.readText(at, this.#relatedId),
  });

  readonly #readRelated: ValueParser = (at) => {
    this.#title.clear();
    this.#relatedId.clear();
    const end = this.#json.readMembers(at, this.#related);
    this.#values.add(this.#title.isEmpty ? this.#relatedId : this.#title);
    return end;
  };
}

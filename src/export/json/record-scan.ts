/**
 * Finds what a record says in its bytes, without parsing it: fields, relationships and images as places of texts, as
 * src/service/record.ts reads them. It declines what is out of the ordinary, and the normal form decides.
 */
import { KIND_WORDS, KINDS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { ID_KEYS } from '../../service/records/record.js';
import { FieldScan } from './field-scan.js';
import { ImageScan } from './image-scan.js';
import { JsonWalk, type Part, shape } from './json-walk.js';
import { RelationshipScan } from './relationship-scan.js';
import { NamedLists, Span, Spans } from './spans.js';

export class RecordScan {
  readonly #json = new JsonWalk();
  /** The texts of fields and relationships. */
  readonly values = new Spans();
  /** By identifier. */
  readonly fields = new NamedLists();
  /** By id. */
  readonly relationships = new NamedLists();
  readonly images = new ImageScan(this.#json);
  readonly id = new Span();
  readonly recordType = new Span();
  readonly slug = new Span();
  readonly title = new Span();
  readonly collection = new Span();
  readonly #fieldScan = new FieldScan(this.#json, this.fields, this.values);
  readonly #relationshipScan = new RelationshipScan(this.#json, this.relationships, this.values);
  /** Place of the id in the order of ID_KEYS, and the id keys there are, a bit for each. */
  #idRank = 0;
  #idKeys = 0;
  readonly #idHere = new Span();
  readonly #collectionName = new Span();
  readonly #collectionId = new Span();

  /** Scans the record whose `{` is at `at`; gives the place behind it, -1 to decline. What it found holds until the next one. */
  scan(bytes: Buffer, at: number): number {
    this.#json.over(bytes);
    this.values.length = 0;
    this.#fieldScan.clear();
    this.relationships.clear();
    this.images.clear();
    this.id.clear();
    this.recordType.clear();
    this.slug.clear();
    this.title.clear();
    this.collection.clear();
    this.#idRank = ID_KEYS.length;
    this.#idKeys = 0;
    return this.#json.members(at, this.#record);
  }

  /** The first title among the attributes of field values. */
  get fieldTitle(): Span {
    return this.#fieldScan.title;
  }

  /** The kind that the key of the id tells; undefined when it does not. */
  get kindOfId(): RecordKind | undefined {
    return RECORD_KINDS.find((_, rank) => this.#idKeys & (1 << rank));
  }

  readonly #record = shape({
    ...Object.fromEntries(ID_KEYS.map((key, rank): [string, Part] => [key, (at) => this.#takeId(at, rank)])),
    recordType: (at) => this.#json.plainText(at, this.recordType),
    slug: (at) => this.#json.text(at, this.slug),
    title: (at) => this.#json.text(at, this.title),
    opacCollection: (at) => this.#takeCollection(at),
    ...Object.fromEntries(
      KINDS.map((kind): [string, Part] => [
        KIND_WORDS[kind].fieldSetsKey,
        (at) => this.#fieldScan.sets(at, kind),
      ]),
    ),
    relationshipsCollection: this.#relationshipScan.collection,
    imagesCollection: this.images.collection,
  });

  #takeId(at: number, rank: number): number {
    // Which of two counts is for the parser.
    if (this.#idKeys & (1 << rank)) return -1;
    this.#idKeys |= 1 << rank;
    const end = this.#json.plainText(at, this.#idHere);
    if (rank < this.#idRank && !this.#idHere.isEmpty) {
      this.id.set(this.#idHere);
      this.#idRank = rank;
    }
    return end;
  }

  readonly #collection = shape({
    collectionName: (at) => this.#json.text(at, this.#collectionName),
    opacCollectionId: (at) => this.#json.text(at, this.#collectionId),
  });

  #takeCollection(at: number): number {
    this.#collectionName.clear();
    this.#collectionId.clear();
    const end = this.#json.members(at, this.#collection);
    this.collection.set(this.#collectionName.isEmpty ? this.#collectionId : this.#collectionName);
    return end;
  }
}

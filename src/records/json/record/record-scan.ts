/** Finds the parts of a record in its bytes. Follows the same rules as src/service/records/record.ts. */
import { KIND_KEYS, KINDS } from '../../../service/kinds.js';
import { IdScan } from '../id-scan.js';
import { createObjectParser, JsonReader, type ValueParser } from '../json-reader.js';
import { NamedLists, Span, Spans } from '../spans.js';
import { FieldScanner } from './field-scan.js';
import { ImageScan } from './image-scan.js';
import { RelationshipScan } from './relationship-scan.js';

export class RecordScanner {
  readonly #json = new JsonReader();
  readonly values = new Spans();
  readonly fields = new NamedLists();
  readonly relationships = new NamedLists();
  readonly images = new ImageScan(this.#json);
  readonly id = new IdScan(this.#json);
  readonly slug = new Span();
  readonly title = new Span();
  readonly collection = new Span();
  readonly #fieldScan = new FieldScanner(this.#json, this.fields, this.values);
  readonly #relationshipScan = new RelationshipScan(this.#json, this.relationships, this.values);
  readonly #collectionName = new Span();
  readonly #collectionId = new Span();

  /** Returns the end of the record at `at`; -1 if the caller must parse the record. The next call overwrites all properties. */
  scan(bytes: Buffer, at: number): number {
    this.#json.setBytes(bytes);
    this.values.length = 0;
    this.#fieldScan.clear();
    this.relationships.clear();
    this.images.clear();
    this.id.clear();
    this.slug.clear();
    this.title.clear();
    this.collection.clear();
    return this.#json.readMembers(at, this.#record);
  }

  get fieldTitle(): Span {
    return this.#fieldScan.title;
  }

  readonly #record = createObjectParser({
    ...this.id.parts,
    slug: (at) => this.#json.readText(at, this.slug),
    title: (at) => this.#json.readText(at, this.title),
    opacCollection: (at) => this.#readCollection(at),
    ...Object.fromEntries(
      KINDS.map((kind): [string, ValueParser] => [
        KIND_KEYS[kind].fieldSetsKey,
        (at) => this.#fieldScan.scanFieldSets(at, kind),
      ]),
    ),
    relationshipsCollection: this.#relationshipScan.readRelationshipsCollection,
    imagesCollection: this.images.readImagesCollection,
  });

  readonly #collection = createObjectParser({
    collectionName: (at) => this.#json.readText(at, this.#collectionName),
    opacCollectionId: (at) => this.#json.readText(at, this.#collectionId),
  });

  #readCollection(at: number): number {
    this.#collectionName.clear();
    this.#collectionId.clear();
    const end = this.#json.readMembers(at, this.#collection);
    this.collection.set(this.#collectionName.isEmpty ? this.#collectionId : this.#collectionName);
    return end;
  }
}

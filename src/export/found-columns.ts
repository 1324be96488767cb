/**
 * The columns of a table as the records bring them, in order of first appearance, and the cells of each record. It gives
 * what src/service/columns.ts gives, without building the normal form: an ordinary record is walked as it was parsed, any
 * other is left to the normal form (a property test holds the two together).
 */
import { column, RECORD_COLUMN_NAMES } from '../service/columns.js';
import { asList, asObject, isObject, type JsonObject } from '../service/json.js';
import { KIND_WORDS, type Kind } from '../service/kinds.js';
import { readRecord, recordKind, TITLE_FIELDS } from '../service/record.js';
import { ColumnNumbers } from './column-numbers.js';
import type { Cell } from './multi.js';
import { octetsOf, type Spelling, textOf } from './octets.js';
import type { ParsedRecord } from './parsed-page.js';

/** Where rows come from. */
export interface Columns {
  /** In order. */
  readonly names: readonly string[];
  /** Forgets all columns but the first so many. */
  forget(keep: number): void;
  /**
   * The cells of a record in the order of `names`, in the spelling of its page; missing at the end for columns that come
   * up later. The array is used again for the next record.
   */
  cells(record: ParsedRecord): readonly Cell[];
}

const FIXED = RECORD_COLUMN_NAMES.map(column);
const place = (name: string) => RECORD_COLUMN_NAMES.indexOf(name);
const ID = place('id');
const TITLE = place('title');
const RECORD_TYPE = place('recordType');
const SLUG = place('slug');
const COLLECTION = place('collection');
const LABEL = place('label');
const IMAGE_COUNT = place('image.count');
const IMAGE_URL = place('image.url');

const NOTHING: JsonObject = Object.freeze({});

export class FoundColumns implements Columns {
  readonly #kind: Kind;
  readonly #columns: ColumnNumbers;
  readonly #row: Cell[] = [];
  /** By column: the number of the record that last filled the column. */
  readonly #filledBy: number[] = [];
  #record = 0;
  /** Whether the record at hand is one for the normal form. */
  #odd = false;
  #spelling: Spelling = 'text';

  /** `names`: the columns found before, by a run that is now resumed. */
  constructor(kind: Kind, names: readonly string[] = []) {
    this.#kind = kind;
    this.#columns = new ColumnNumbers(names);
  }

  get names(): readonly string[] {
    return this.#columns.names;
  }

  cells(record: ParsedRecord): readonly Cell[] {
    this.#record++;
    this.#odd = false;
    this.#spelling = record.page.spelling;
    this.#row.length = 0;
    const { length } = this.#columns.names;
    for (let n = 0; n < length; n++) this.#row.push('');
    const { raw } = record;
    this.#walk(raw, record.recordId);
    if (this.#odd) this.#read(record);
    return this.#row;
  }

  forget(keep: number): void {
    this.#columns.forget(keep);
    this.#filledBy.length = Math.min(keep, this.#filledBy.length);
  }

  #walk(raw: JsonObject, id: string): void {
    const row = this.#row;
    const kind = recordKind(raw) ?? (this.#kind === 'records' ? undefined : this.#kind);
    const words = KIND_WORDS[kind ?? 'records'];
    const attributeTitle = this.#walkFieldSets(
      raw,
      words.fieldSetsKey,
      words.fieldsKey,
      words.fieldAttributesKey,
    );
    if (this.#odd) return;
    this.#walkRelationships(asList(asObject(raw.relationshipsCollection).relationships));
    if (this.#odd) return;
    this.#walkImages(asList(asObject(raw.imagesCollection).images));
    row[ID] = this.#spelling === 'octets' ? octetsOf(id) : id;
    row[RECORD_TYPE] = this.#text(raw.recordType) || (kind ? words.recordType : '');
    const slug = this.#text(raw.slug);
    row[SLUG] = slug;
    row[TITLE] = attributeTitle || this.#fieldTitle() || this.#text(raw.title) || slug;
    if (isObject(raw.opacCollection)) {
      const { collectionName, opacCollectionId } = raw.opacCollection;
      row[COLLECTION] = this.#text(collectionName) || this.#text(opacCollectionId);
    }
  }

  /** Fills the columns of the fields; gives the first title among their attributes. */
  #walkFieldSets(raw: JsonObject, setsKey: string, fieldsKey: string, attributesKey: string): string {
    let sets: unknown;
    let title = '';
    for (const key in raw) {
      if (key === setsKey) sets = raw[key];
      else if (isKeyLike(key, 'FieldSets')) this.#odd = true;
    }
    if (this.#odd) return '';
    for (const entry of asList(sets)) {
      const set = asObject(entry);
      const identifier = this.#text(set.identifier);
      if (this.#odd) return '';
      if (identifier === '') continue;
      const number =
        this.#columns.fields[this.#spelling].get(identifier) ??
        this.#columns.addField(this.#decoded(identifier));
      if (this.#filledBy[number] === this.#record) this.#odd = true;
      this.#filledBy[number] = this.#record;
      this.#row[number] ??= '';
      let values: unknown;
      for (const key in set) {
        if (key === fieldsKey) values = set[key];
        else if (key !== 'identifier' && isKeyLike(key, 'Fields')) this.#odd = true;
      }
      const list = asList(values);
      if (list.length === 1) {
        const value = this.#value(list[0]);
        this.#row[number] = value;
        if (value !== '' && title === '') title = this.#titleOf(list[0], attributesKey);
      } else if (list.length > 1) {
        const texts = list.map((each) => this.#value(each));
        if (texts.some((text) => text !== '')) {
          this.#row[number] = texts;
          for (const each of list) if (title === '') title = this.#titleOf(each, attributesKey);
        }
      }
      if (this.#odd) return '';
    }
    return title;
  }

  #value(entry: unknown): string {
    return this.#text(isObject(entry) ? entry.value : entry);
  }

  /** The attribute `title` of a value, `''` for none; the last one counts. */
  #titleOf(entry: unknown, attributesKey: string): string {
    if (!isObject(entry)) return '';
    let attributes: unknown;
    for (const key in entry) {
      if (key === attributesKey) attributes = entry[key];
      else if (key !== 'value' && isKeyLike(key, 'FieldAttributes')) this.#odd = true;
    }
    let title = '';
    for (const attribute of asList(attributes)) {
      if (isObject(attribute) && attribute.key === 'title') title = this.#text(attribute.value);
    }
    return title;
  }

  /** The first value of the likeliest field that names a record. */
  #fieldTitle(): string {
    for (const identifier of TITLE_FIELDS) {
      const number = this.#columns.fields.text.get(identifier);
      const cell = number === undefined ? '' : (this.#row[number] ?? '');
      const title = typeof cell === 'string' ? cell : cell.find((value) => value !== '');
      if (title) return title;
    }
    return '';
  }

  #walkRelationships(list: readonly unknown[]): void {
    for (const entry of list) {
      const relationship = asObject(entry);
      const id = this.#text(relationship.relationshipId);
      // Columns must come up in the order of the normal form, which reads this record from here on.
      if (this.#odd) return;
      if (id === '') continue;
      const number =
        this.#columns.relationships[this.#spelling].get(id) ??
        this.#columns.addRelationship(this.#decoded(id));
      if (this.#filledBy[number] === this.#record) this.#odd = true;
      this.#filledBy[number] = this.#record;
      this.#row[number] = cellOf(
        asList(relationship.relatedRecords).map((related) => {
          const { title, relatedRecordId } = asObject(related);
          return this.#text(title) || this.#text(relatedRecordId);
        }),
      );
    }
  }

  #walkImages(images: readonly unknown[]): void {
    this.#row[IMAGE_COUNT] = String(images.length);
    if (images.length === 0) return;
    const labels = new Set<string>();
    const urls: string[] = [];
    for (const entry of images) {
      const image = asObject(entry);
      for (const label of asList(image.imageLabels)) labels.add(this.#text(asObject(label).imageLabel));
      let largest: JsonObject = NOTHING;
      let most = -1;
      for (const each of asList(image.imageDerivatives)) {
        const derivative = asObject(each);
        const pixels = this.#size(derivative.width) * this.#size(derivative.height);
        if (pixels > most) {
          most = pixels;
          largest = derivative;
        }
      }
      const url = this.#text(largest.url);
      if (url !== '') urls.push(url);
    }
    this.#row[LABEL] = cellOf([...labels]);
    this.#row[IMAGE_URL] = cellOf(urls);
  }

  /** As asText; what it would print otherwise than it was sent makes the record odd. */
  #text(value: unknown): string {
    if (typeof value === 'string') return value;
    if (value === undefined || value === null) return '';
    if (typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) < 2 ** 53))
      return String(value);
    this.#odd = true;
    return '';
  }

  #size(value: unknown): number {
    if (typeof value === 'number' && value >= 0 && value < 2 ** 53) return value;
    if (value === undefined || value === '') return 0;
    if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
    this.#odd = true;
    return 0;
  }

  #decoded(key: string): string {
    return this.#spelling === 'octets' ? textOf(key) : key;
  }

  /** The way by the normal form, for what is out of the ordinary. */
  #read(record: ParsedRecord): void {
    const row = this.#row.fill('');
    const read = readRecord(record.page.exact(record.index), this.#kind);
    const lists = new Map<number, string[]>();
    FIXED.forEach(({ values }, number) => {
      row[number] = cellOf(values(read));
    });
    for (const [identifier, values] of read.fields) {
      lists.set(
        this.#columns.addField(identifier),
        values.map(({ value }) => value),
      );
    }
    for (const { id, records } of read.relationships) {
      if (id === '') continue;
      const number = this.#columns.addRelationship(id);
      lists.set(number, [...(lists.get(number) ?? []), ...records.map((each) => each.title || each.id)]);
    }
    for (const [number, values] of lists) row[number] = cellOf(values);
    if (record.page.spelling === 'text') return;
    for (const [number, cell] of row.entries()) {
      row[number] = typeof cell === 'string' ? octetsOf(cell) : cell.map(octetsOf);
    }
  }
}

/** Values as a cell: text for one, a list for several. */
export function cellOf(values: readonly string[]): Cell {
  return values.length > 1 ? values : (values[0] ?? '');
}

/** Whether src/service/record.ts may read a key as that of the field sets, fields or attributes: each kind has its own. */
function isKeyLike(key: string, end: string): boolean {
  return key.endsWith(end) && key.startsWith('opac');
}

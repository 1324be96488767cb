/**
 * What searches look at in records, in columns: a field, the collections, the images, the relationships. A column keeps each
 * different value once, and is read when a search needs it.
 */
import { parseJson } from '../../service/parse-json.js';
import { plainText } from '../data/plain-text.js';
import type { Field } from '../data/record-json.js';
import {
  type Fields,
  type JsonRecord,
  objects,
  type ParsedRecord,
  type TextMatch,
  type WholeRecord,
} from '../data/record-list.js';
import { NumberList } from './number-list.js';
import { addNumbers, readNumbers, type Section, type SectionReader, type SectionWriter } from './sections.js';
import { type TextPiece, Texts, TextWriter } from './texts.js';

/** Where the parts of a column lie; kept as JSON. */
interface ColumnPlace {
  /** In step: the number of a record, ascending, and that of one of its values. */
  readonly records: Section;
  readonly numbers: Section;
  readonly values: readonly TextPiece[];
  /** In step with the values: as searches compare them, and the JSON of their earliest dates. Empty where there are none. */
  readonly plain: readonly TextPiece[];
  readonly earliest: readonly TextPiece[];
}

export interface IndexPlace {
  readonly fields: readonly (readonly [identifier: string, ColumnPlace])[];
  readonly collections: ColumnPlace;
  readonly images: ColumnPlace;
  readonly relationships: ColumnPlace;
}

/** Further values are kept again each time: a column of so many has hardly any twice. */
const MOST_KNOWN = 50_000;

class ColumnWriter {
  readonly #writer: SectionWriter;
  readonly #records = new NumberList();
  readonly #numbers = new NumberList();
  readonly #values: TextWriter;
  readonly #plain: TextWriter;
  readonly #earliest: TextWriter;
  readonly #known = new Map<string, number>();

  constructor(writer: SectionWriter) {
    this.#writer = writer;
    [this.#values, this.#plain, this.#earliest] = [
      new TextWriter(writer),
      new TextWriter(writer),
      new TextWriter(writer),
    ];
  }

  addText(record: number, value: string, earliest = ''): void {
    const isPlain = earliest === '' && !value.startsWith('\0');
    const key = isPlain ? value : `\0${earliest.length} ${earliest}${value}`;
    this.#add(record, key, () => {
      this.#plain.add(plainText(value));
      this.#earliest.add(earliest);
      return this.#values.add(value);
    });
  }

  addJson(record: number, value: unknown): void {
    const json = JSON.stringify(value);
    this.#add(record, json, () => this.#values.add(json));
  }

  #add(record: number, key: string, addValue: () => number): void {
    let number = this.#known.get(key);
    if (number === undefined) {
      number = addValue();
      if (this.#known.size < MOST_KNOWN) this.#known.set(key, number);
    }
    this.#records.push(record);
    this.#numbers.push(number);
  }

  finish(): ColumnPlace {
    return {
      records: addNumbers(this.#writer, this.#records.numbers),
      numbers: addNumbers(this.#writer, this.#numbers.numbers),
      values: this.#values.finish(),
      plain: this.#plain.finish(),
      earliest: this.#earliest.finish(),
    };
  }
}

export class SearchIndexWriter {
  readonly #writer: SectionWriter;
  readonly #fields = new Map<string, ColumnWriter>();
  readonly #collections: ColumnWriter;
  readonly #images: ColumnWriter;
  readonly #relationships: ColumnWriter;
  #count = 0;

  constructor(writer: SectionWriter) {
    this.#writer = writer;
    this.#collections = new ColumnWriter(writer);
    this.#images = new ColumnWriter(writer);
    this.#relationships = new ColumnWriter(writer);
  }

  /** Takes up the next record. */
  add(parsed: WholeRecord): void {
    const record = this.#count++;
    for (const [identifier, values] of parsed.fields) {
      const column = this.#fields.get(identifier) ?? new ColumnWriter(this.#writer);
      this.#fields.set(identifier, column);
      for (const { value, attributes } of values) {
        // The only attribute that a search looks at (facets.ts).
        const earliest = attributes?.find(({ key }) => key === 'earliest_date');
        column.addText(record, value, earliest && JSON.stringify(earliest.value));
      }
    }
    if (parsed.collection) this.#collections.addJson(record, parsed.collection);
    for (const image of parsed.images) this.#images.addJson(record, searched(image));
    for (const { relationshipId, relatedRecordType } of parsed.relationships)
      this.#relationships.addJson(record, { relationshipId, relatedRecordType });
  }

  finish(): IndexPlace {
    return {
      fields: [...this.#fields].map(([identifier, column]) => [identifier, column.finish()]),
      collections: this.#collections.finish(),
      images: this.#images.finish(),
      relationships: this.#relationships.finish(),
    };
  }
}

function searched({ cssColors, imageLabels }: JsonRecord): JsonRecord {
  return {
    cssColors: objects(cssColors).map(({ colorName }) => ({ colorName })),
    imageLabels: objects(imageLabels).map(({ imageLabelId, imageLabel, status }) => ({
      imageLabelId,
      imageLabel,
      status,
    })),
  };
}

/** A column, each part read when first needed. */
class Column<Value> {
  readonly #reader: SectionReader;
  readonly #place: ColumnPlace;
  readonly #make: (text: string, earliest: () => string) => Value;
  readonly #texts: Texts;
  readonly #earliest: Texts;
  readonly #values: Value[] = [];
  #read: { readonly records: Uint32Array; readonly numbers: Uint32Array } | undefined;
  /** Where the record asked for last ends: the next one is mostly there. */
  #next = 0;

  constructor(
    reader: SectionReader,
    place: ColumnPlace,
    make: (text: string, earliest: () => string) => Value,
  ) {
    this.#reader = reader;
    this.#place = place;
    this.#make = make;
    this.#texts = new Texts(reader, place.values);
    this.#earliest = new Texts(reader, place.earliest);
  }

  get #postings() {
    this.#read ??= {
      records: readNumbers(this.#reader, this.#place.records),
      numbers: readNumbers(this.#reader, this.#place.numbers),
    };
    return this.#read;
  }

  of(record: number): readonly Value[] {
    const { records, numbers } = this.#postings;
    const found: Value[] = [];
    let i = this.#beginOf(record, records);
    for (; records[i] === record; i++) found.push(this.#value(numbers[i] as number));
    this.#next = i;
    return found;
  }

  #beginOf(record: number, records: Uint32Array): number {
    const before = this.#next === 0 ? -1 : (records[this.#next - 1] as number);
    let [low, high] = before < record ? [this.#next, records.length] : [0, this.#next];
    if (low < high && (records[low] as number) >= record) return low;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((records[middle] as number) < record) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #value(number: number): Value {
    let value = this.#values[number];
    if (value === undefined) {
      value = this.#make(this.#texts.at(number), () => this.#earliest.at(number));
      this.#values[number] = value;
    }
    return value;
  }

  /** Sets the element of each record that has a value that matches. */
  mark({ plain, isMatch }: TextMatch, marks: Uint8Array): void {
    const matching = new Set<number>();
    for (const number of new Texts(this.#reader, this.#place.plain).having(plain))
      if (isMatch(this.#texts.at(number))) matching.add(number);
    if (matching.size === 0) return;
    const { records, numbers } = this.#postings;
    for (let i = 0; i < records.length; i++)
      if (matching.has(numbers[i] as number)) marks[records[i] as number] = 1;
  }
}

/** What a search looks at in the records of a kind. */
export class SearchIndex {
  readonly #fields: ReadonlyMap<string, Column<Field>>;
  readonly #count: number;
  readonly #marks = new WeakMap<TextMatch, Uint8Array>();
  readonly collections: Column<NonNullable<ParsedRecord['collection']>>;
  readonly images: Column<JsonRecord>;
  readonly relationships: Column<JsonRecord>;

  constructor(reader: SectionReader, { fields, ...place }: IndexPlace, count: number) {
    const column = <Value>(of: ColumnPlace) =>
      new Column<Value>(reader, of, (json) => parseJson(json) as Value);
    this.#fields = new Map(fields.map(([identifier, of]) => [identifier, new Column(reader, of, fieldOf)]));
    this.#count = count;
    this.collections = column(place.collections);
    this.images = column(place.images);
    this.relationships = column(place.relationships);
  }

  get identifiers(): readonly string[] {
    return [...this.#fields.keys()];
  }

  field(identifier: string): Column<Field> | undefined {
    return this.#fields.get(identifier);
  }

  /** Whether each record matches. */
  marks(match: TextMatch): Uint8Array {
    let marks = this.#marks.get(match);
    if (!marks) {
      marks = new Uint8Array(this.#count);
      for (const [identifier, column] of this.#fields)
        if (match.field === undefined || match.field === identifier) column.mark(match, marks);
      this.#marks.set(match, marks);
    }
    return marks;
  }
}

function fieldOf(value: string, earliest: () => string): Field {
  const json = earliest();
  if (json === '') return { value };
  return { value, attributes: [{ key: 'earliest_date', value: parseJson(json) as string }] };
}

/** A record as the index has it: of its images and relationships only what searches look at. */
export class IndexedRecord implements ParsedRecord, Fields {
  readonly #index: SearchIndex;
  readonly #record: number;

  constructor(index: SearchIndex, record: number) {
    this.#index = index;
    this.#record = record;
  }

  get fields(): Fields {
    return this;
  }

  get(identifier: string): readonly Field[] | undefined {
    return this.#index.field(identifier)?.of(this.#record);
  }

  hasMatch(match: TextMatch): boolean {
    return this.#index.marks(match)[this.#record] === 1;
  }

  get collection(): ParsedRecord['collection'] {
    return this.#index.collections.of(this.#record)[0];
  }

  get images(): readonly JsonRecord[] {
    return this.#index.images.of(this.#record);
  }

  get relationships(): readonly JsonRecord[] {
    return this.#index.relationships.of(this.#record);
  }
}

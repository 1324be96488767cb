/** A numbered list of texts in pieces, which can be searched without reading each text. */
import { NumberList } from './number-list.js';
import { addNumbers, readNumbers, type Section, type SectionReader, type SectionWriter } from './sections.js';

/** Texts side by side, kept as JSON. */
export interface TextPiece {
  /** The number of its first text. */
  readonly first: number;
  /** Where each text ends, in UTF-16 code units. */
  readonly ends: Section;
  /** In Latin-1, or in UTF-16 when `wide`: so every string comes back as it was, also one with half a surrogate pair. */
  readonly text: Section;
  readonly wide: boolean;
}

/** Code units: a string has room for many more, and less is read for the first text of a piece. */
const PIECE = 1 << 20;

export class TextWriter {
  readonly #writer: SectionWriter;
  readonly #pieces: TextPiece[] = [];
  #texts: string[] = [];
  #ends = new NumberList();
  #length = 0;
  /** The number of the first text of the piece under way. */
  #first = 0;

  constructor(writer: SectionWriter) {
    this.#writer = writer;
  }

  /** Gives the number of the text. */
  add(text: string): number {
    this.#length += text.length;
    this.#ends.push(this.#length);
    const number = this.#first + this.#texts.push(text) - 1;
    if (this.#length >= PIECE) this.#endPiece();
    return number;
  }

  finish(): readonly TextPiece[] {
    if (this.#texts.length > 0) this.#endPiece();
    return this.#pieces;
  }

  #endPiece(): void {
    const text = this.#texts.join('');
    const wide = /[^\0-\xff]/.test(text);
    this.#pieces.push({
      first: this.#first,
      ends: addNumbers(this.#writer, this.#ends.numbers),
      text: this.#writer.add(Buffer.from(text, wide ? 'utf16le' : 'latin1')),
      wide,
    });
    this.#first += this.#texts.length;
    [this.#texts, this.#ends, this.#length] = [[], new NumberList(), 0];
  }
}

interface ReadPiece {
  readonly first: number;
  readonly ends: Uint32Array;
  readonly text: string;
}

export class Texts {
  readonly #reader: SectionReader;
  readonly #pieces: readonly TextPiece[];
  readonly #read: ReadPiece[] = [];

  constructor(reader: SectionReader, pieces: readonly TextPiece[]) {
    this.#reader = reader;
    this.#pieces = pieces;
  }

  at(number: number): string {
    const { first, ends, text } = this.#piece(this.#pieces.findLastIndex((piece) => piece.first <= number));
    const index = number - first;
    return text.slice(index === 0 ? 0 : ends[index - 1], ends[index]);
  }

  /** The numbers of the texts that have `wanted` somewhere in them, in order; of all texts where it is empty. */
  *having(wanted: string): Generator<number> {
    for (const index of this.#pieces.keys()) {
      const { first, ends, text } = this.#piece(index);
      if (wanted === '') for (const each of ends.keys()) yield first + each;
      else for (const each of indexesHaving(wanted, text, ends)) yield first + each;
    }
  }

  #piece(index: number): ReadPiece {
    const known = this.#read[index];
    if (known) return known;
    const { first, ends, text, wide } = this.#pieces[index] as TextPiece;
    const piece = {
      first,
      ends: readNumbers(this.#reader, ends),
      text: this.#reader.read(text).toString(wide ? 'utf16le' : 'latin1'),
    };
    this.#read[index] = piece;
    return piece;
  }
}

function* indexesHaving(wanted: string, text: string, ends: Uint32Array): Generator<number> {
  let index = 0;
  for (let at = text.indexOf(wanted); at >= 0; ) {
    while ((ends[index] as number) <= at) index++;
    const end = ends[index] as number;
    const isWithin = at + wanted.length <= end;
    if (isWithin) yield index;
    at = text.indexOf(wanted, isWithin ? end : at + 1);
  }
}

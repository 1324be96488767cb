/** Sections of bytes that are written once and read when they are needed: in memory, or in a file. */

/** Where a section begins, its length, and its checksum; kept as JSON. */
export type Section = readonly [begin: number, length: number, checksum: number];

export interface SectionWriter {
  add(bytes: Uint8Array): Section;
}

export interface SectionReader {
  /** The bytes, in memory of their own where they are read from a file. */
  read(section: Section): Buffer;
}

export class HeldSections implements SectionWriter, SectionReader {
  readonly #sections: Buffer[] = [];

  add(bytes: Uint8Array): Section {
    // What is given may be part of a list that has room to grow.
    return [this.#sections.push(Buffer.from(bytes)) - 1, bytes.length, 0];
  }

  read([index]: Section): Buffer {
    return this.#sections[index] as Buffer;
  }
}

export function addNumbers(writer: SectionWriter, numbers: Uint32Array | Float64Array): Section {
  return writer.add(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
}

export function readNumbers(reader: SectionReader, section: Section): Uint32Array {
  return new Uint32Array(aligned(reader.read(section)));
}

/** Arrays of numbers begin at a multiple of their size; a small Buffer may lie anywhere in one that others share. */
function aligned({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  const whole = buffer as ArrayBuffer;
  return byteOffset === 0 && whole.byteLength === byteLength
    ? whole
    : whole.slice(byteOffset, byteOffset + byteLength);
}

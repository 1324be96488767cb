/** Sections in one file, the last of which says where the others lie. */
import { readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Section, SectionReader, SectionWriter } from '../../mock/files/sections.js';

/** A section is not as it was written. */
export class DamagedSectionError extends Error {}

/** The end of a file: the place of the last section, filled up with spaces. */
const END = 64;

export class SectionFileWriter implements SectionWriter {
  readonly #file: number;
  readonly #most: number;
  #length = 0;

  /** `file` is empty; `most` bytes may be written to it. */
  constructor(file: number, most: number) {
    this.#file = file;
    this.#most = most;
  }

  /** Throws a RangeError when it would be too much, or the error of the file system. */
  add(bytes: Uint8Array): Section {
    const section = [this.#length, bytes.length, crc32(bytes)] as const;
    this.#length += bytes.length;
    if (this.#length > this.#most) throw new RangeError('the index is too large to be kept');
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    return section;
  }

  end(contents: unknown): void {
    const place = this.add(Buffer.from(JSON.stringify(contents)));
    this.add(Buffer.from(JSON.stringify(place).padEnd(END)));
  }
}

/** Throws a DamagedSectionError for what was not read as it was written. */
export class SectionFileReader implements SectionReader {
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
  }

  /** What `end` was given; `size` is that of the file. */
  contents(size: number): unknown {
    const place: unknown = JSON.parse(readAt(this.#file, size - END, END).toString());
    if (!isSection(place)) throw new DamagedSectionError('there is no last section');
    return JSON.parse(this.read(place).toString());
  }

  read([begin, length, checksum]: Section): Buffer {
    const bytes = readAt(this.#file, begin, length);
    if (crc32(bytes) !== checksum) throw new DamagedSectionError('a section has changed');
    return bytes;
  }
}

function isSection(value: unknown): value is Section {
  return Array.isArray(value) && value.length === 3 && value.every((each) => Number.isSafeInteger(each));
}

/** So many bytes in memory of their own. Throws a DamagedSectionError where the file has fewer. */
export function readAt(file: number, begin: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let read = 0; read < length; ) {
    const more = begin < 0 ? 0 : readSync(file, bytes, read, length - read, begin + read);
    if (more === 0) throw new DamagedSectionError('the file is too short');
    read += more;
  }
  return bytes;
}

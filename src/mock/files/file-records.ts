/** Records from files as the bytes that they came with: parsed when they are answered. */
import { UsageError } from '../../service/errors.js';
import { KIND_WORDS, type RecordKind } from '../../service/kinds.js';
import { parseJson } from '../../service/parse-json.js';
import {
  type JsonRecord,
  type ParsedRecord,
  parseRecord,
  type RecordList,
  type StoredRecord,
  type WholeRecord,
} from '../data/record-list.js';
import type { FileRecord } from './data-files.js';
import { IndexedRecord, type SearchIndex } from './search-index.js';

/** Where the records of a kind come from. */
export interface RecordSource {
  readonly count: number;
  idAt(index: number): string;
  bytesAt(index: number): Buffer;
  /** Throws a UsageError for a record that is not valid JSON. */
  readonly index: SearchIndex;
}

export class FileRecordList implements RecordList {
  readonly #kind: RecordKind;
  readonly #source: RecordSource;
  #byId: ReadonlyMap<string, number> | undefined;

  constructor(kind: RecordKind, source: RecordSource) {
    this.#kind = kind;
    this.#source = source;
  }

  get count(): number {
    return this.#source.count;
  }

  get identifiers(): readonly string[] {
    return this.#source.index.identifiers;
  }

  at(index: number): StoredRecord {
    return new RecordInFile(this.#kind, this.#source, index);
  }

  byId(id: string): StoredRecord | undefined {
    this.#byId ??= this.#indexesById();
    const index = this.#byId.get(id);
    return index === undefined ? undefined : this.at(index);
  }

  #indexesById(): ReadonlyMap<string, number> {
    const byId = new Map<string, number>();
    // Of two records with one id the first is found.
    for (let index = this.count - 1; index >= 0; index--) byId.set(this.#source.idAt(index), index);
    return byId;
  }
}

class RecordInFile implements StoredRecord {
  readonly kind: RecordKind;
  readonly #source: RecordSource;
  readonly #index: number;

  constructor(kind: RecordKind, source: RecordSource, index: number) {
    this.kind = kind;
    this.#source = source;
    this.#index = index;
  }

  get id(): string {
    return this.#source.idAt(this.#index);
  }

  get text(): string {
    return this.bytes.toString();
  }

  get bytes(): Buffer {
    return this.#source.bytesAt(this.#index);
  }

  get parsed(): WholeRecord {
    return parseBytes(this.kind, this.id, this.bytes);
  }

  get searched(): ParsedRecord {
    return new IndexedRecord(this.#source.index, this.#index);
  }
}

/** Throws a UsageError for what only looked like JSON when the file was read. */
export function parseBytes(kind: RecordKind, id: string, bytes: Buffer): WholeRecord {
  return parseRecord(kind, parsedJson({ kind, id, bytes }) as JsonRecord);
}

/** Throws a UsageError that names the record, and its place where it is known. */
export function parsedJson({ kind, id, bytes, place }: DamageableRecord): unknown {
  try {
    return parseJson(bytes.toString());
  } catch (cause) {
    throw new UsageError(
      `${KIND_WORDS[kind].recordType} ${id}${place === undefined ? '' : `, ${place},`} is not valid JSON: ${String(cause)}`,
      'export or copy the file again',
    );
  }
}

type DamageableRecord = Pick<FileRecord, 'kind' | 'id' | 'bytes'> & Partial<Pick<FileRecord, 'place'>>;

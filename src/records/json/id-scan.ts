/** Finds the id and the type of a record in its bytes, as src/service/records/record.ts reads them. */
import { asObject, asText } from '../../service/json.js';
import { KIND_KEYS, KINDS, type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { ID_KEYS, readRecordId } from '../../service/records/record.js';
import { formatRecordKey } from '../../service/records/record-key.js';
import { F, OPEN_ARRAY, OPEN_OBJECT, T } from './bytes.js';
import { createObjectParser, JsonReader, type ObjectParser, type ValueParser } from './json-reader.js';
import { ReadableScan } from './readable-scan.js';
import { skipValue } from './skip-json.js';
import { Span } from './spans.js';

export class IdScan {
  readonly id = new Span();
  readonly recordType = new Span();
  readonly parts: Readonly<Record<string, ValueParser>>;
  readonly #json: JsonReader;
  readonly #found = new Span();
  /** The position in ID_KEYS of the key whose id is used. */
  #rank = 0;
  /** One bit for each key of ID_KEYS that was found. */
  #keys = 0;

  constructor(json: JsonReader) {
    this.#json = json;
    this.parts = {
      ...Object.fromEntries(
        ID_KEYS.map((key, rank): [string, ValueParser] => [key, (at) => this.#readId(at, rank)]),
      ),
      recordType: (at) => json.readUnescapedText(at, this.recordType),
    };
  }

  clear(): void {
    this.id.clear();
    this.recordType.clear();
    this.#rank = ID_KEYS.length;
    this.#keys = 0;
  }

  get kind(): RecordKind | undefined {
    return RECORD_KINDS.find((_, rank) => this.#keys & (1 << rank));
  }

  #readId(at: number, rank: number): number {
    // If a key occurs twice, or if its value is a boolean, an object or a list, the JSON parser reads the record.
    if (this.#keys & (1 << rank)) return -1;
    this.#keys |= 1 << rank;
    const first = this.#json.bytes[at];
    if (first === T || first === F || first === OPEN_OBJECT || first === OPEN_ARRAY) return -1;
    const end = this.#json.readUnescapedText(at, this.#found);
    if (rank < this.#rank && !this.#found.isEmpty) {
      this.id.set(this.#found);
      this.#rank = rank;
    }
    return end;
  }
}

export interface RecordIdentity {
  readonly id: string;
  /** The kind that the key of the id shows: `objects` for `opacObjectId`. */
  readonly kind: RecordKind | undefined;
  readonly recordType: string;
  readonly end: number;
  /** Whether the record surely has fields and all its images, and opac can read all of its parts. False if unknown. */
  readonly isReadable: boolean;
  /** If the record is a list response: the positions of its items. */
  readonly items: readonly number[] | undefined;
}

/** Reads the identity of records from their bytes, or with the JSON parser if necessary. */
export class IdentityScanner {
  readonly #json = new JsonReader();
  readonly #ids = new IdScan(this.#json);
  readonly #readable = new ReadableScan(this.#json);
  #items: number[] | undefined;
  readonly #record: ObjectParser;

  /** `checksParts`: whether to set `isReadable`, which takes longer. */
  constructor({ checksParts = false } = {}) {
    // JsonReader returns -1 for field sets without a parser.
    const skipped = KINDS.map((kind) => [KIND_KEYS[kind].fieldSetsKey, (at: number) => this.#json.skip(at)]);
    this.#record = createObjectParser({
      ...this.#ids.parts,
      ...(checksParts ? this.#readable.parts : Object.fromEntries(skipped)),
      ...Object.fromEntries(
        KINDS.map((kind): [string, ValueParser] => [KIND_KEYS[kind].listKey, (at) => this.#readItems(at)]),
      ),
    });
  }

  /** Returns undefined for JSON that is invalid, incomplete or too deeply nested. */
  scan(bytes: Buffer, at: number): RecordIdentity | undefined {
    this.#json.setBytes(bytes);
    this.#ids.clear();
    this.#items = undefined;
    this.#readable.hasFields = false;
    const end = this.#json.readMembers(at, this.#record);
    if (end < 0) return parseIdentity(bytes, at);
    const { id, recordType, kind } = this.#ids;
    return {
      id: bytes.toString('utf8', id.start, id.end),
      kind,
      recordType: bytes.toString('utf8', recordType.start, recordType.end),
      end,
      isReadable: this.#readable.hasFields,
      items: this.#items,
    };
  }

  #readItems(at: number): number {
    if (!this.#json.isArray(at)) return this.#json.skip(at);
    const items: number[] = [];
    this.#items = items;
    return this.#json.readItems(at, (item) => {
      items.push(item);
      return this.#json.skip(item);
    });
  }
}

function parseIdentity(bytes: Buffer, at: number): RecordIdentity | undefined {
  const end = skipValue(bytes, at);
  if (end < 0) return undefined;
  const raw = asObject(parseJsonLossless(bytes.subarray(at, end)));
  return {
    id: readRecordId(raw),
    kind: RECORD_KINDS.find((kind) => Object.hasOwn(raw, KIND_KEYS[kind].idKey)),
    recordType: asText(raw.recordType),
    end,
    isReadable: false,
    items: undefined,
  };
}

/** Returns the same key as `readRecordKey` (record-key.ts). */
export function getRecordKey({ id, recordType, kind }: RecordIdentity, listKind: Kind): string | undefined {
  return formatRecordKey(listKind, id, recordType || (kind ?? ''));
}

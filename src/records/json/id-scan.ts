/** Finds the id and the type of a record in its bytes, as src/service/records/record.ts reads them. */
import { type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { ID_KEYS } from '../../service/records/record.js';
import { formatRecordKey } from '../../service/records/record-key.js';
import type { JsonReader, ValueParser } from './json-reader.js';
import { Span } from './spans.js';

export class IdScan {
  readonly id = new Span();
  readonly recordType = new Span();
  readonly parts: Readonly<Record<string, ValueParser>>;
  readonly #json: JsonReader;
  readonly #found = new Span();
  /** Rank of the id found in ID_KEYS, and a bit for each id key met. */
  #rank = 0;
  #keys = 0;

  constructor(json: JsonReader) {
    this.#json = json;
    this.parts = {
      ...Object.fromEntries(
        ID_KEYS.map((key, rank): [string, ValueParser] => [key, (at) => this.#takeId(at, rank)]),
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

  identity(bytes: Buffer, kind: Kind): string | undefined {
    const { id, recordType } = this;
    const text = bytes.toString('utf8', id.start, id.end);
    if (kind !== 'records') return formatRecordKey(kind, text, '');
    const type = bytes.toString('utf8', recordType.start, recordType.end);
    return formatRecordKey(kind, text, type || (this.kind ?? ''));
  }

  #takeId(at: number, rank: number): number {
    // The parser decides between two.
    if (this.#keys & (1 << rank)) return -1;
    this.#keys |= 1 << rank;
    const end = this.#json.readUnescapedText(at, this.#found);
    if (rank < this.#rank && !this.#found.isEmpty) {
      this.id.set(this.#found);
      this.#rank = rank;
    }
    return end;
  }
}

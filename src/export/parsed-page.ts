/** The records of an answer, parsed in the cheaper spelling, with the exact ones at hand for the few that need them. */
import { type ListAnswer, readList } from '../client/list.js';
import { parseJson } from '../client/parse-json.js';
import { asObject, asText, isObject, type JsonObject } from '../service/json.js';
import { KIND_WORDS, type Kind } from '../service/kinds.js';
import { recordId } from '../service/record.js';
import { identityOf } from './identity.js';
import { isAscii, isOctets, octets, type Spelling } from './octets.js';

/** One record of a page. */
export interface ParsedRecord {
  /** As `identityOf` gives it, as text. */
  readonly id: string | undefined;
  /** As text, `''` for none. */
  readonly recordId: string;
  /** In the spelling of the page. */
  readonly raw: JsonObject;
  readonly page: ParsedPage;
  /** Its place among the records of the answer. */
  readonly index: number;
}

export interface ParsedPage {
  readonly spelling: Spelling;
  readonly records: readonly ParsedRecord[];
  readonly total: number | undefined;
  /** The record at that place as text, with numbers beyond 2^53 exact. */
  readonly exact: (index: number) => JsonObject;
}

/**
 * Parses the answer to a search for the page at `offset`; undefined when it is no list. Throws a SyntaxError for what is not
 * whole JSON. What is no record is left out.
 */
export function parsePage(bytes: Buffer, kind: Kind, offset = 0): ParsedPage | undefined {
  const cheap = isOctets(bytes);
  const answer = listOf(cheap ? JSON.parse(octets(bytes)) : parseJson(bytes), kind, offset);
  if (!answer) return undefined;
  let exact = cheap ? undefined : answer.records;
  const records: ParsedRecord[] = [];
  const page: ParsedPage = {
    spelling: cheap ? 'octets' : 'text',
    records,
    total: answer.total,
    exact: (index) => {
      exact ??= listOf(parseJson(bytes), kind, offset)?.records;
      return asObject(exact?.[index]);
    },
  };
  for (let index = 0; index < answer.records.length; index++) {
    const raw = answer.records[index];
    if (isObject(raw)) records.push({ ...identify(raw, page, index, kind), raw, page, index });
  }
  return page;
}

function listOf(answer: unknown, kind: Kind, offset: number): ListAnswer | undefined {
  const { listKey, totalKey } = KIND_WORDS[kind];
  return readList(answer, { key: listKey, total: totalKey }, offset);
}

/** The id and what the record is known by, as text. */
function identify(raw: JsonObject, page: ParsedPage, index: number, kind: Kind) {
  const id = recordId(raw);
  // A number of more digits has already lost some; what is not ASCII is text in one spelling only.
  const source = PLAIN_ID.test(id) && isAscii(asText(raw.recordType)) ? raw : page.exact(index);
  return { recordId: source === raw ? id : recordId(source), id: identityOf(source, kind) };
}

const PLAIN_ID = /^[\w.:-]{0,15}$/;

/** The same reader, which gives undefined for what is not whole JSON. */
export function unlessBroken<T>(read: (bytes: Buffer, offset: number) => T | undefined) {
  return (bytes: Buffer, offset: number): T | undefined => {
    try {
      return read(bytes, offset);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };
}

/** The records of an answer, parsed in the cheaper spelling, with the exact ones at hand for the few that need them. */
import { parseJson } from '../client/parse-json.js';
import { asList, asNumber, asObject, isObject, type JsonObject } from '../service/json.js';
import { KIND_WORDS, type Kind } from '../service/kinds.js';
import { recordId } from '../service/record.js';
import { isOctets, octets, type Spelling, textOf } from './octets.js';

/** One record of a page. */
export interface ParsedRecord {
  /** Text; undefined for a record without one. */
  readonly id: string | undefined;
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

/** Parses the answer to a search. Throws a SyntaxError for what is not whole JSON; what is no record is left out. */
export function parsePage(bytes: Buffer, kind: Kind): ParsedPage {
  const { listKey, totalKey } = KIND_WORDS[kind];
  const cheap = isOctets(bytes);
  const value = asObject(cheap ? JSON.parse(octets(bytes)) : parseJson(bytes));
  const list = asList(value[listKey]);
  let exactList: readonly unknown[] | undefined = cheap ? undefined : list;
  const records: ParsedRecord[] = [];
  const page: ParsedPage = {
    spelling: cheap ? 'octets' : 'text',
    records,
    total: asNumber(value[totalKey]),
    exact: (index) => {
      exactList ??= asList(asObject(parseJson(bytes))[listKey]);
      return asObject(exactList[index]);
    },
  };
  for (let index = 0; index < list.length; index++) {
    const raw = list[index];
    if (isObject(raw)) records.push({ id: idOf(raw, page, index), raw, page, index });
  }
  return page;
}

function idOf(raw: JsonObject, page: ParsedPage, index: number): string | undefined {
  let id = recordId(raw);
  // A number of more digits has already lost some.
  if (id.length > 15 || id.includes('e')) id = recordId(page.exact(index));
  else if (page.spelling === 'octets') id = textOf(id);
  return id === '' ? undefined : id;
}

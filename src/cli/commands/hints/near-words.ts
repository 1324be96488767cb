/** What the words of a search that found nothing were probably meant to be, by the records that hold them otherwise or almost. */
import type { Kind } from '../../../service/kinds.js';
import { normalText } from '../../../service/search/exact.js';
import type { FieldTerm, Search } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/search.js';
import { asWritten, foldedWords, likelyValues } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';
import { countedKind, type Found, firstRecords } from './holders.js';

/** The words without their order, quotes and, where the service folds them, accents. */
export async function otherSpelling(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<string | undefined> {
  const found = await foundByWords(context, kind, search, wordsOf);
  if (!found) return undefined;
  for (const wanted of wantedOf(search)) {
    const hint = spelling(kind, wanted, found);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

/** A text to be found in a field, or in any. */
interface Wanted {
  readonly field: string | undefined;
  readonly value: string;
}

function wantedOf({ terms: { text = [], where = [] } }: RecordSearch): readonly Wanted[] {
  return [...text.map((value) => ({ field: undefined, value })), ...where.filter(isCompared)];
}

/** The records that hold words of each text, wherever they stand; undefined for no words. */
async function foundByWords(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  words: (text: string) => readonly string[],
  limit?: number,
): Promise<Found | undefined> {
  const { where = [], raw } = search.terms;
  const asked = wantedOf(search).flatMap(({ field, value }) =>
    words(value).map((word) => (field === undefined ? word : `${field}:${word}`)),
  );
  if (asked.length === 0) return undefined;
  const terms: Search = {
    ...search.terms,
    text: [],
    where: where.filter((term) => !isCompared(term)),
    raw: [...(raw?.trim() ? [`(${raw})`] : []), ...asked].join(' AND '),
  };
  return firstRecords(context, kind, { ...search, terms }, limit);
}

function valuesIn({ records }: Found, field: string | undefined): readonly string[] {
  return records.flatMap(({ fields }) =>
    (field === undefined ? [...fields.values()].flat() : (fields.get(field) ?? [])).map(({ value }) => value),
  );
}

function spelling(kind: Kind, { field, value: wanted }: Wanted, found: Found): string | undefined {
  const { total } = found;
  const values = valuesIn(found, field);
  const written = values
    .map((value) => asWritten(wanted, value))
    .find((each) => each !== undefined && each.toLowerCase() !== wanted.normalize('NFC').toLowerCase());
  if (written !== undefined) {
    const isAccented = withoutAccents(written) === withoutAccents(wanted);
    return `did you mean "${written}"?${isAccented ? ' This service does not find it without its accents' : ''}`;
  }
  const words = foldedWords(wanted);
  const whole = values.find((value) => {
    const held = foldedWords(value);
    return words.every((word) => held.includes(word));
  });
  if (whole === undefined || words.length < 2) return undefined;
  if (field !== undefined) return `did you mean "${whole}"?`;
  return `${countedKind(total, kind)} ${total === 1 ? 'has' : 'have'} these words, but not side by side: write them as separate words, without quotes`;
}

function withoutAccents(text: string): string {
  return normalText(text.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** What is spelt almost so in the records that have words with the same beginnings. */
export async function nearRecords(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<string | undefined> {
  const found = await foundByWords(context, kind, search, beginningsOf, MANY);
  if (!found) return undefined;
  for (const { field, value } of wantedOf(search)) {
    const values = valuesIn(found, field);
    const known = new Set(values.flatMap(wordsOf));
    const spelt = value.replace(WORD, (word) => likelyValues(word, known, 1)[0] ?? word);
    if (foldedWords(spelt).join() === foldedWords(value).join()) continue;
    const written = values.map((each) => asWritten(spelt, each)).find((each) => each !== undefined);
    if (written !== undefined) return `did you mean "${written}"?`;
  }
  return undefined;
}

/** Records that are looked at for a word with the same beginning. */
const MANY = 100;

/** `kor*` for `korowia`: half of a word that is long enough. */
function beginningsOf(text: string): readonly string[] {
  const long = wordsOf(text).filter((word) => word.length > 4);
  return long.map((word) => `${word.slice(0, Math.max(3, Math.floor(word.length / 2)))}*`);
}

/** Whether a term is of a value, and not of a gap. */
export function isCompared({ value }: FieldTerm): boolean {
  return value.trim() !== '';
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** As they are typed, but none that the query language takes for an operator. */
function wordsOf(text: string): string[] {
  const words = text.match(WORD) ?? [];
  return words.map((word) => (/^(AND|OR|NOT)$/.test(word) ? word.toLowerCase() : word));
}

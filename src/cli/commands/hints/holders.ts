/** Records that hold a text as a whole value: whoever asks for an id may have given a number or a name. */
import { counted } from '../../../service/grouped.js';
import { KIND_WORDS, type Kind } from '../../../service/kinds.js';
import { type CollectionRecord, readRecord } from '../../../service/records/record.js';
import { normalText } from '../../../service/search/exact.js';
import { pagingParameters, type RecordSearch, searchParameters } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import { listOf } from '../items/read-list.js';

/** Records that are looked at. */
const SOME = 10;

export interface Found {
  readonly records: readonly CollectionRecord[];
  readonly total: number;
}

/** The first records of a search, in one request. */
export async function firstRecords(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  limit = SOME,
): Promise<Found> {
  const client = await context.client();
  const query = [
    ...searchParameters({ ...search, view: search.view ?? 'detail' }),
    ...pagingParameters(limit, 0),
  ];
  const response = await client.get(`${kind}.search`, { query, signal: context.signal });
  const { records, total = records.length } = listOf(response, `${kind}.search`);
  return { records: records.map((record) => readRecord(record, kind)), total };
}

export interface Holders {
  /** The field that has the text as a whole value. */
  readonly field: string;
  readonly ids: readonly string[];
}

/** Which of the records that a text search finds first have the text as the whole value of one field. */
export async function holdersOf(context: Context, kind: Kind, text: string): Promise<Holders | undefined> {
  const { records } = await firstRecords(context, kind, { terms: { text: [text] } });
  const wanted = normalText(text);
  const byField = new Map<string, string[]>();
  for (const { id, fields } of records)
    for (const [field, values] of fields)
      if (values.some(({ value }) => normalText(value) === wanted))
        byField.set(field, [...(byField.get(field) ?? []), id]);
  const [fewest] = [...byField].sort(([, one], [, other]) => one.length - other.length);
  return fewest && { field: fewest[0], ids: fewest[1] };
}

/** `1 object`, `5,109 objects`. */
export function countedKind(total: number, kind: Kind): string {
  return counted(total, KIND_WORDS[kind].recordType);
}

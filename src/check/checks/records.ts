/** Records as lists and single requests give them. */
import { asObject, asText, type Json } from '../../service/json.js';
import { KIND_WORDS, KINDS, type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { flat } from '../../service/records/flat.js';
import { ID_KEYS, readRecord, recordKind } from '../../service/records/record.js';
import type { Check } from '../check.js';
import {
  FIRST_PAGE,
  firstOf,
  firstPage,
  page,
  type RecordPage,
  someRecords,
  tellingRecord,
  totalOf,
} from '../material/samples.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import { type Probe, Unanswered } from '../probe/probe.js';

export const RECORDS: readonly Check[] = [
  ...RECORD_KINDS.map(
    (kind): Check => ({
      id: `records.single-${kind}`,
      promise: `${kind} fetched by id agree with the same ${kind} in a list`,
      source: 'FIELD-NOTES.md "Requests": record by id',
      run: (probe) => agrees(probe, kind),
    }),
  ),
  {
    id: 'records.id-type',
    promise: 'ids of a kind are all strings or all numbers',
    source: 'FIELD-NOTES.md "Answers": types differ between deployments, not within one',
    run: idTypes,
  },
  {
    id: 'records.record-type',
    promise: 'each record of /opacrecords carries recordType',
    source: 'INTERFACE.md "Fields stated"',
    run: recordTypes,
  },
  ...KINDS.map(
    (kind): Check => ({
      id: `total.${kind}`,
      promise: `the total of ${kind} is the number of ${kind} there are, at two reads`,
      source: `FIELD-NOTES.md "Answers": ${KIND_WORDS[kind].totalKey}`,
      needs: ['paging.offset', 'paging.limit'],
      run: (probe) => total(probe, kind),
    }),
  ),
  {
    id: 'comments.fields',
    promise: 'comments carry opacRecordId and recordType',
    source: 'INTERFACE.md "Fields stated"',
    run: comments,
  },
];

async function* agrees(probe: Probe, kind: RecordKind): AsyncGenerator<Deviation> {
  const listed = await tellingRecord(probe, kind);
  const { idKey } = KIND_WORDS[kind];
  const { value, at } = await probe.ask(`${kind}.get`, { path: { [idKey]: listed.id } });
  const single = readRecord(value, kind);
  const [one, other] = [listed, single].map((record) => partsOf(flat(record)));
  const names = [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])];
  const differing = names.filter((name) => one?.get(name) !== other?.get(name));
  if (differing.length > 0)
    yield {
      expected: `${KIND_WORDS[kind].recordType} ${listed.id} alone is the same as in the list`,
      received: `they differ in ${differing.slice(0, 5).join(', ')}`,
      at,
    };
}

/** The parts of a record by name, each field a part. */
function partsOf({ fields, ...rest }: ReturnType<typeof flat>): Map<string, string> {
  return new Map(
    Object.entries({ ...rest, ...fields }).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

async function* idTypes(probe: Probe): AsyncGenerator<Deviation> {
  for (const kind of KINDS) {
    const { items, at } = await firstPage(probe, kind);
    const types = new Map<string, string>();
    for (const item of items) {
      const raw = asObject(item);
      const key = ID_KEYS.find((each) => raw[each] !== undefined);
      if (key !== undefined) types.set(typeof raw[key], asText(raw[key]));
    }
    if (types.size > 1) {
      const received = [...types].map(([type, id]) => `${type} (${id})`).join(' and ');
      yield { expected: `ids of ${kind} of one type`, received, at };
    }
  }
}

async function* recordTypes(probe: Probe): AsyncGenerator<Deviation> {
  const { items, at } = await someRecords(probe, 'records');
  for (const item of items) {
    const raw = asObject(item);
    const type = asText(raw.recordType);
    const own = recordKind({ ...raw, recordType: undefined });
    if (type === '') {
      yield { expected: 'recordType in each record', received: `none in ${describe(item)}`, at };
      return;
    }
    if (own && KIND_WORDS[own].recordType !== type.toLowerCase()) {
      yield {
        expected: `recordType "${KIND_WORDS[own].recordType}" in ${describe(item)}`,
        received: `"${type}"`,
        at,
      };
      return;
    }
  }
}

const describe = (item: Json) => `the record ${readRecord(item).id || '?'}`;

/** The last record is where the total says, and nothing comes after it. */
async function* total(probe: Probe, kind: Kind): AsyncGenerator<Deviation> {
  const { totalKey } = KIND_WORDS[kind];
  const first = await firstPage(probe, kind);
  if (first.total === undefined) throw new NothingToTry(`no ${totalKey} is given`);
  const again = await totalOf(probe, kind);
  if (again.total !== first.total)
    yield { expected: `${totalKey} is ${first.total} again`, received: String(again.total), at: again.at };
  if (
    first.total < first.items.length ||
    (first.total > first.items.length && first.items.length < FIRST_PAGE)
  ) {
    const received = `${totalKey} ${first.total}, and ${first.items.length} records in a page of ${FIRST_PAGE}`;
    yield { expected: `${totalKey} is the number of records`, received, at: first.at };
    return;
  }
  if (first.total <= FIRST_PAGE) return;
  const last = await lastPage(probe, kind, first.total - 1);
  if (last.items.length !== 1)
    yield {
      expected: `one record from offset ${first.total - 1} on, as ${totalKey} is ${first.total}`,
      received: last.items.length === 0 ? 'none' : `${last.items.length}`,
      at: last.at,
    };
}

/** The page that begins with the last record. Throws NothingToTry where the service refuses offsets so deep. */
async function lastPage(probe: Probe, kind: Kind, offset: number): Promise<RecordPage> {
  try {
    return await page(probe, kind, { limit: 2, offset, query: [] });
  } catch (error) {
    if (error instanceof Unanswered && error.status === 400)
      throw new NothingToTry(`offset ${offset} is refused: see paging.deep`);
    throw error;
  }
}

async function* comments(probe: Probe): AsyncGenerator<Deviation> {
  const { items, at } = await probe.list('comments.list');
  const all = items.map(asObject);
  firstOf(all, 'there are no comments');
  for (const key of ['opacRecordId', 'recordType']) {
    const lacking = all.filter((each) => asText(each[key]) === '').length;
    if (lacking > 0)
      yield { expected: `${key} in each comment`, received: `${lacking} of ${all.length} lack it`, at };
  }
}

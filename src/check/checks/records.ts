/** Records as lists and single requests give them. */
import { asObject, asText, type Json } from '../../service/json.js';
import { KIND_WORDS, KINDS, type Kind, RECORD_KINDS } from '../../service/kinds.js';
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
import { type Deviation, deviation, NothingToTry } from '../probe/deviation.js';
import { type Probe, Unanswered } from '../probe/probe.js';

export const RECORDS: readonly Check[] = [
  ...RECORD_KINDS.map(
    (kind): Check => ({
      id: `records.single-${kind}`,
      promise: `${kind} fetched by id agree with the same ${kind} in a list`,
      source: 'FIELD-NOTES.md "Requests": record by id',
      async *run(probe) {
        const { idKey, recordType } = KIND_WORDS[kind];
        const listed = await tellingRecord(probe, kind);
        const { value, at } = await probe.ask(`${kind}.get`, { path: { [idKey]: listed.id } });
        const [one, other] = [partsOf(flat(listed)), partsOf(flat(readRecord(value, kind)))];
        const names = [...new Set([...one.keys(), ...other.keys()])];
        const differing = names.filter((name) => one.get(name) !== other.get(name));
        if (differing.length === 0) return;
        const expected = `${recordType} ${listed.id} alone is the same as in the list`;
        yield deviation(expected, `they differ in ${differing.slice(0, 5).join(', ')}`, at);
      },
    }),
  ),
  {
    id: 'records.id-type',
    promise: 'ids of a kind are all strings or all numbers',
    source: 'FIELD-NOTES.md "Answers": types differ between deployments, not within one',
    async *run(probe) {
      for (const kind of KINDS) {
        const { items, at } = await firstPage(probe, kind);
        const ids = items
          .map(asObject)
          .map((raw) => raw[ID_KEYS.find((each) => raw[each] !== undefined) ?? '']);
        const types = new Map(ids.filter((id) => id !== undefined).map((id) => [typeof id, asText(id)]));
        const received = [...types].map(([type, id]) => `${type} (${id})`).join(' and ');
        if (types.size > 1) yield deviation(`ids of ${kind} of one type`, received, at);
      }
    },
  },
  {
    id: 'records.record-type',
    promise: 'each record of /opacrecords carries recordType',
    source: 'INTERFACE.md "Fields stated"',
    async *run(probe) {
      const { items, at } = await someRecords(probe, 'records');
      for (const item of items) {
        const [expected, received] = wrongType(item) ?? [];
        if (expected === undefined || received === undefined) continue;
        yield deviation(expected, received, at);
        return;
      }
    },
  },
  ...KINDS.map(
    (kind): Check => ({
      id: `total.${kind}`,
      promise: `the total of ${kind} is the number of ${kind} there are, at two reads`,
      source: `FIELD-NOTES.md "Answers": ${KIND_WORDS[kind].totalKey}`,
      needs: ['paging.offset', 'paging.limit'],
      run: (probe) => checkTotal(probe, kind),
    }),
  ),
  {
    id: 'comments.fields',
    promise: 'comments carry opacRecordId and recordType',
    source: 'INTERFACE.md "Fields stated"',
    async *run(probe) {
      const { items, at } = await probe.list('comments.list');
      firstOf(items, 'there are no comments');
      for (const key of ['opacRecordId', 'recordType']) {
        const lacking = items.filter((each) => asText(asObject(each)[key]) === '').length;
        if (lacking > 0)
          yield deviation(`${key} in each comment`, `${lacking} of ${items.length} lack it`, at);
      }
    },
  },
];

/** The parts of a record by name, each field a part. */
function partsOf({ fields, ...rest }: ReturnType<typeof flat>): Map<string, string> {
  return new Map(
    Object.entries({ ...rest, ...fields }).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

/** What is expected of the type of a record, and what it has instead. */
function wrongType(item: Json): readonly [string, string] | undefined {
  const raw = asObject(item);
  const type = asText(raw.recordType);
  const own = recordKind({ ...raw, recordType: undefined });
  const name = `the record ${readRecord(item).id || '?'}`;
  if (type === '') return ['recordType in each record', `none in ${name}`];
  if (!own || KIND_WORDS[own].recordType === type.toLowerCase()) return undefined;
  return [`recordType "${KIND_WORDS[own].recordType}" in ${name}`, `"${type}"`];
}

/** The last record is where the total says, and nothing comes after it. */
async function* checkTotal(probe: Probe, kind: Kind): AsyncGenerator<Deviation> {
  const { totalKey } = KIND_WORDS[kind];
  const { total, items, at } = await firstPage(probe, kind);
  if (total === undefined) throw new NothingToTry(`no ${totalKey} is given`);
  const again = await totalOf(probe, kind);
  if (again.total !== total) yield deviation(`${totalKey} is ${total} again`, again.total, again.at);
  if (total < items.length || (total > items.length && items.length < FIRST_PAGE)) {
    const received = `${totalKey} ${total}, and ${items.length} records in a page of ${FIRST_PAGE}`;
    yield deviation(`${totalKey} is the number of records`, received, at);
    return;
  }
  if (total <= FIRST_PAGE) return;
  const last = await lastPage(probe, kind, total - 1);
  const expected = `one record from offset ${total - 1} on, as ${totalKey} is ${total}`;
  if (last.items.length !== 1) yield deviation(expected, last.items.length || 'none', last.at);
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

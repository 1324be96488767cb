/** Checks the records of lists, records requested by id, the totals of lists, and comments. */
import { asObject, asText, type Json } from '../../service/json.js';
import { KIND_KEYS, KINDS, type Kind, RECORD_KINDS } from '../../service/kinds.js';
import { toFlatJson } from '../../service/records/flat-json.js';
import { ID_KEYS, readRecord, readRecordKind } from '../../service/records/record.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, type Deviation, deviation } from '../probe/deviation.js';
import { type Probe, RequestFailed } from '../probe/probe.js';
import {
  FIRST_PAGE_SIZE,
  findRichRecord,
  type RecordPage,
  requestFirstPage,
  requestNonEmptyPage,
  requestPage,
  requestTotal,
  takeFirst,
} from '../samples/samples.js';

export const RECORD_CHECKS: readonly Check[] = [
  ...RECORD_KINDS.map(
    (kind): Check => ({
      id: `records.single-${kind}`,
      promise: `${kind} requested by id are the same as in a list`,
      source: 'opac help field-notes, "Requests": record by id',
      async *run(probe) {
        const { idKey, recordType } = KIND_KEYS[kind];
        const listed = await findRichRecord(probe, kind);
        const { value, exchange } = await probe.request(`${kind}.get`, { path: { [idKey]: listed.id } });
        const [one, other] = [
          formatParts(toFlatJson(listed)),
          formatParts(toFlatJson(readRecord(value, kind))),
        ];
        const names = [...new Set([...one.keys(), ...other.keys()])];
        const differing = names.filter((name) => one.get(name) !== other.get(name));
        if (differing.length === 0) return;
        const expected = `${recordType} ${listed.id} requested by id is the same as in the list`;
        yield deviation(expected, `they differ in ${differing.slice(0, 5).join(', ')}`, exchange);
      },
    }),
  ),
  {
    id: 'records.id-type',
    promise: 'ids of a kind are all strings or all numbers',
    source:
      'opac help field-notes, "Answers": types differ between deployments, but not within one deployment',
    async *run(probe) {
      for (const kind of KINDS) {
        const { items, exchange } = await requestFirstPage(probe, kind);
        const ids = items
          .map(asObject)
          .map((raw) => raw[ID_KEYS.find((each) => raw[each] !== undefined) ?? '']);
        const types = new Map(ids.filter((id) => id !== undefined).map((id) => [typeof id, asText(id)]));
        const received = [...types].map(([type, id]) => `${type} (${id})`).join(' and ');
        if (types.size > 1) yield deviation(`ids of ${kind} of one type`, received, exchange);
      }
    },
  },
  {
    id: 'records.record-type',
    promise: 'each record of /opacrecords has a recordType',
    source: 'opac help interface, "Fields stated"',
    async *run(probe) {
      const { items, exchange } = await requestNonEmptyPage(probe, 'records');
      for (const item of items) {
        const [expected, received] = findWrongType(item) ?? [];
        if (expected === undefined || received === undefined) continue;
        yield deviation(expected, received, exchange);
        return;
      }
    },
  },
  ...KINDS.map(
    (kind): Check => ({
      id: `total.${kind}`,
      promise: `the total of ${kind} equals the number of ${kind} and is the same in two requests`,
      source: `opac help field-notes, "Answers": ${KIND_KEYS[kind].totalKey}`,
      needs: ['paging.offset', 'paging.limit'],
      run: (probe) => checkTotal(probe, kind),
    }),
  ),
  {
    id: 'comments.fields',
    promise: 'comments have an opacRecordId and a recordType',
    source: 'opac help interface, "Fields stated"',
    async *run(probe) {
      const { items, exchange } = await probe.requestList('comments.list');
      takeFirst(items, 'the service returns no comments');
      for (const key of ['opacRecordId', 'recordType']) {
        const missing = items.filter((each) => asText(asObject(each)[key]) === '').length;
        if (missing > 0)
          yield deviation(`${key} in each comment`, `missing in ${missing} of ${items.length}`, exchange);
      }
    },
  },
];

function formatParts({ fields, ...rest }: ReturnType<typeof toFlatJson>): Map<string, string> {
  return new Map(
    Object.entries({ ...rest, ...fields }).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

function findWrongType(item: Json): readonly [string, string] | undefined {
  const raw = asObject(item);
  const type = asText(raw.recordType);
  const own = readRecordKind({ ...raw, recordType: undefined });
  const name = `the record ${readRecord(item).id || '?'}`;
  if (type === '') return ['recordType in each record', `missing in ${name}`];
  if (!own || KIND_KEYS[own].recordType === type.toLowerCase()) return undefined;
  return [`recordType "${KIND_KEYS[own].recordType}" in ${name}`, `"${type}"`];
}

/** Requests the total twice, and compares it with the first page. If the list has more pages, also requests the last record. */
async function* checkTotal(probe: Probe, kind: Kind): AsyncGenerator<Deviation> {
  const { totalKey } = KIND_KEYS[kind];
  const { total, items, exchange } = await requestFirstPage(probe, kind);
  if (total === undefined) throw new CheckNotApplicable(`the response contains no ${totalKey}`);
  const again = await requestTotal(probe, kind);
  if (again.total !== total) yield deviation(`${totalKey} is again ${total}`, again.total, again.exchange);
  if (total < items.length || (total > items.length && items.length < FIRST_PAGE_SIZE)) {
    const received = `${totalKey} ${total}, but ${items.length} records on a page of ${FIRST_PAGE_SIZE}`;
    yield deviation(`${totalKey} is the number of records`, received, exchange);
    return;
  }
  if (total <= FIRST_PAGE_SIZE) return;
  const last = await requestLastPage(probe, kind, total - 1);
  const expected = `one record from offset ${total - 1}, because ${totalKey} is ${total}`;
  if (last.items.length !== 1) yield deviation(expected, last.items.length || 'none', last.exchange);
}

async function requestLastPage(probe: Probe, kind: Kind, offset: number): Promise<RecordPage> {
  try {
    return await requestPage(probe, kind, { limit: 2, offset, query: [] });
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 400)
      throw new CheckNotApplicable(`the service rejects offset ${offset}; see paging.deep`);
    throw error;
  }
}

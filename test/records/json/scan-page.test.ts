import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readList } from '../../../src/client/paging/read-list.js';
import { compactJson } from '../../../src/records/json/compact-json.js';
import { parsePageRecord, readPage, scanPage } from '../../../src/records/json/page-records.js';
import { isObject } from '../../../src/service/json.js';
import { KIND_KEYS, type Kind } from '../../../src/service/kinds.js';
import { parseJsonLossless } from '../../../src/service/parse-json.js';
import { readRecordKey } from '../../../src/service/records/record-key.js';

const scan = (text: string | Buffer) =>
  scanPage(typeof text === 'string' ? Buffer.from(text) : text, 'objects');

const idsOf = (page: ReturnType<typeof scan>) => page?.records.map(({ id }) => id);

/** JSON values with the keys that matter to the scanner among others, and text of every sort. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('"', '\\', '\n', '\u0000', 'ā', '𝄞', '\ud800'),
);
const key = fc.oneof(
  fc.constantFrom('opacObjectId', 'opacPersonId', 'id', 'slug', 'value', '__proto__'),
  text,
);
const id = fc.oneof(text, fc.nat(), fc.integer(), fc.double(), fc.constantFrom(null, '', true, 1e21));
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, text, fc.double(), fc.boolean(), tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
})).any;
const record = fc.oneof(
  { weight: 9, arbitrary: fc.record({ opacObjectId: id, id, rest: value }, { requiredKeys: [] }) },
  value,
);
const answer = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        opacObjects: fc.oneof({ weight: 9, arbitrary: fc.array(record) }, value),
        totalObjects: fc.oneof(fc.nat(), fc.double(), text),
        facetsCollection: value,
      },
      { requiredKeys: [] },
    ),
  },
  value,
);

const spelling = fc.constantFrom(undefined, 1, '\t');
/** JSON as other languages write it too: spread over lines, non-ASCII escaped, slashes escaped. */
const json = fc
  .tuple(answer, spelling, fc.constantFrom('plain', 'ascii', 'slashes'))
  .map(([data, space, how]) => {
    const plain = JSON.stringify(data, null, space) ?? 'null';
    if (how === 'ascii') {
      return plain.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    }
    return how === 'slashes' ? plain.replaceAll('/', '\\/') : plain;
  });

/** What the scanner found, as the parser would have put it; undefined when it declined. */
function scanned(bytes: Buffer, kind: Kind) {
  const found = scanPage(bytes, kind);
  if (!found) return undefined;
  const { records, total } = found;
  return { records: records.map(parsePageRecord), ids: records.map(({ id }) => id), total };
}

function parsed(bytes: Buffer, kind: Kind) {
  new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const { listKey, totalKey } = KIND_KEYS[kind];
  const list = readList(parseJsonLossless(bytes), { key: listKey, total: totalKey });
  const records = (list?.records ?? []).filter(isObject);
  return { records, ids: records.map((raw) => readRecordKey(raw, kind)), total: list?.total };
}

function expectAgreement(bytes: Buffer, kind: Kind = 'objects'): void {
  const found = scanned(bytes, kind);
  if (found) expect(found).toEqual(parsed(bytes, kind));
}

describe('scanning a list answer', () => {
  it('finds records, ids and the total', () => {
    const bytes = Buffer.from(
      '{"totalObjects":3,"opacObjects":[{"opacObjectId":"7","n":1.50},{"opacObjectId":8},{}]}',
    );
    const found = scan(bytes);
    expect(found).toMatchObject({ total: 3, hasLineBreaks: false });
    expect(idsOf(found)).toEqual(['7', '8', undefined]);
    const { start, end } = found?.records[0] ?? {};
    expect(bytes.toString('utf8', start, end)).toBe('{"opacObjectId":"7","n":1.50}');
  });

  it.each([
    ['an empty list', '{"opacObjects":[],"totalObjects":0}', 0],
    ['space everywhere', ' { "opacObjects" : [ { "id" : 1 } , { } ] , "totalObjects" : 2 } ', 2],
  ])('reads an answer with %s', (_, body, count) => {
    expect(scan(body)?.records).toHaveLength(count);
  });

  it.each([
    ['an id twice', '{"id":1,"id":2}', '2'],
    ['an escape in a key', '{"\\u0069d":1}', '1'],
    ['an escape in an id', '{"id":"\\u0031"}', '1'],
    ['an id with a fraction', '{"id":1.0}', '1'],
    ['an id beyond 2^53', '{"id":12345678901234567890}', '12345678901234567890'],
    ['an id of another kind first', '{"id":1,"opacObjectId":2}', '2'],
    ['an id without a value', '{"opacObjectId":null,"id":2}', '2'],
  ])('reads the id of a record with %s', (_, body, expected) => {
    expect(idsOf(scan(`{"opacObjects":[${body}, 7],"totalObjects":1}`))).toEqual([expected]);
  });

  it.each([
    ['the list twice', '{"opacObjects":[],"opacObjects":[{}],"totalObjects":0}'],
    ['no list', '{"totalObjects":0}'],
    ['no total', '{"opacObjects":[]}'],
    ['a total that is none', '{"opacObjects":[],"totalObjects":-1}'],
    ['an escape in a key', '{"opacObjects":[],"totalObjects":0,"opac\\u004fbjects":[]}'],
    ['a list that is none', '{"opacObjects":{},"totalObjects":0}'],
    ['another top level', '[]'],
    ['a byte order mark', '\ufeff{}'],
    ['half a character', Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d])],
  ])('declines %s', (_, body) => {
    expect(scan(body)).toBeUndefined();
  });

  it('agrees with the parser on any JSON', () => {
    fc.assert(
      fc.property(json, (body) => expectAgreement(Buffer.from(body))),
      { numRuns: 600 },
    );
  });

  it('tells records of every kind apart by their type', () => {
    const recordType = fc.constantFrom('object', 'person', '', null, 1, 'a"b', undefined);
    const ids = fc.record(
      { recordType, opacPersonId: id, opacObjectId: id, id, rest: value },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(ids), (opacRecords) => {
        expectAgreement(Buffer.from(JSON.stringify({ opacRecords, totalRecords: 3 })), 'records');
      }),
    );
  });

  it('accepts nothing that the parser refuses, cut or garbled', () => {
    const hurt = fc.tuple(json, fc.nat(), fc.constantFrom('cut', 'put', 'drop'), fc.nat(255));
    fc.assert(
      fc.property(hurt, ([body, where, how, byte]) => {
        const bytes = Buffer.from(body);
        const at = where % (bytes.length + 1);
        const rest = bytes.subarray(at + (how === 'drop' ? 1 : 0));
        const middle = how === 'put' ? [byte] : [];
        expectAgreement(
          how === 'cut' ? bytes.subarray(0, at) : Buffer.from([...bytes.subarray(0, at), ...middle, ...rest]),
        );
      }),
      { numRuns: 1500 },
    );
  });

  it('declines seldom: not for ordinary records', () => {
    const records = fc.array(fc.record({ opacObjectId: fc.oneof(fc.uuid(), fc.nat()), rest: value }));
    fc.assert(
      fc.property(records, (opacObjects) => {
        const body = JSON.stringify({ opacObjects, totalObjects: 5 });
        fc.pre(!/\\[^"]*":/.test(body));
        expect(scan(body)?.records).toHaveLength(opacObjects.length);
      }),
    );
  });
});

describe('putting a record on one line', () => {
  it('keeps what it says', () => {
    fc.assert(
      fc.property(value, spelling, (data, space) => {
        const line = compactJson(Buffer.from(JSON.stringify(data, null, space)));
        expect(line.includes(0x0a)).toBe(false);
        expect(line.toString()).toBe(Buffer.from(JSON.stringify(data)).toString());
      }),
    );
  });
});

it.each(['{}', '{"opacObjectId":"1"}'])('a page with hundreds of thousands of %s is refused', (item) => {
  const list = Buffer.from(`{"opacObjects":[${`${item},`.repeat(250_000)}${item}],"totalObjects":1}`);
  expect(() => readPage(list, 'objects', 0)).toThrow('the response contains more than 250,000 items');
});

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

const getIds = (page: ReturnType<typeof scan>) => page?.records.map(({ id }) => id);

/** JSON values with any text, and with the keys that the scanner searches for. */
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
const response = fc.oneof(
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

const indentation = fc.constantFrom(undefined, 1, '\t');
/** JSON in the forms of several languages: indented, with escaped non-ASCII characters, or with escaped slashes. */
const json = fc
  .tuple(response, indentation, fc.constantFrom('plain', 'ascii', 'slashes'))
  .map(([data, space, how]) => {
    const plain = JSON.stringify(data, null, space) ?? 'null';
    if (how === 'ascii') {
      return plain.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    }
    return how === 'slashes' ? plain.replaceAll('/', '\\/') : plain;
  });

/** Returns the result in the same form as `readByParser`; undefined if the scanner declines the response. */
function readByScanner(bytes: Buffer, kind: Kind) {
  const found = scanPage(bytes, kind);
  if (!found) return undefined;
  const { records, total } = found;
  return { records: records.map(parsePageRecord), ids: records.map(({ id }) => id), total };
}

function readByParser(bytes: Buffer, kind: Kind) {
  new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const { listKey, totalKey } = KIND_KEYS[kind];
  const list = readList(parseJsonLossless(bytes), { key: listKey, total: totalKey });
  const records = (list?.records ?? []).filter(isObject);
  return { records, ids: records.map((raw) => readRecordKey(raw, kind)), total: list?.total };
}

function expectAgreement(bytes: Buffer, kind: Kind = 'objects'): void {
  const found = readByScanner(bytes, kind);
  if (found) expect(found).toEqual(readByParser(bytes, kind));
}

describe('scanPage', () => {
  it('returns the records, their ids and the total', () => {
    const bytes = Buffer.from(
      '{"totalObjects":3,"opacObjects":[{"opacObjectId":"7","n":1.50},{"opacObjectId":8},{}]}',
    );
    const found = scan(bytes);
    expect(found).toMatchObject({ total: 3, hasLineBreaks: false });
    expect(getIds(found)).toEqual(['7', '8', undefined]);
    const { start, end } = found?.records[0] ?? {};
    expect(bytes.toString('utf8', start, end)).toBe('{"opacObjectId":"7","n":1.50}');
  });

  it.each([
    ['an empty list', '{"opacObjects":[],"totalObjects":0}', 0],
    ['spaces between all tokens', ' { "opacObjects" : [ { "id" : 1 } , { } ] , "totalObjects" : 2 } ', 2],
  ])('reads a response with %s', (_, body, count) => {
    expect(scan(body)?.records).toHaveLength(count);
  });

  it.each([
    ['a duplicate id', '{"id":1,"id":2}', '2'],
    ['an escape in a key', '{"\\u0069d":1}', '1'],
    ['an escape in an id', '{"id":"\\u0031"}', '1'],
    ['an id with a fraction', '{"id":1.0}', '1'],
    ['an id beyond 2^53', '{"id":12345678901234567890}', '12345678901234567890'],
    ['an id of another kind first', '{"id":1,"opacObjectId":2}', '2'],
    ['an id without a value', '{"opacObjectId":null,"id":2}', '2'],
  ])('reads the id of a record with %s', (_, body, expected) => {
    expect(getIds(scan(`{"opacObjects":[${body}, 7],"totalObjects":1}`))).toEqual([expected]);
  });

  it.each([
    ['a duplicate list', '{"opacObjects":[],"opacObjects":[{}],"totalObjects":0}'],
    ['no list', '{"totalObjects":0}'],
    ['no total', '{"opacObjects":[]}'],
    ['a negative total', '{"opacObjects":[],"totalObjects":-1}'],
    ['an escape in a key', '{"opacObjects":[],"totalObjects":0,"opac\\u004fbjects":[]}'],
    ['an object in place of the list', '{"opacObjects":{},"totalObjects":0}'],
    ['an array', '[]'],
    ['a BOM', '\ufeff{}'],
    ['an incomplete UTF-8 character', Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d])],
  ])('returns undefined for %s', (_, body) => {
    expect(scan(body)).toBeUndefined();
  });

  it('returns the same as the parser, or undefined, for any JSON', () => {
    fc.assert(
      fc.property(json, (body) => expectAgreement(Buffer.from(body))),
      { numRuns: 600 },
    );
  });

  it('returns the same ids as the parser, or undefined, for records of all kinds', () => {
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

  it('accepts no truncated or damaged JSON that the parser refuses', () => {
    const damaged = fc.tuple(json, fc.nat(), fc.constantFrom('cut', 'put', 'drop'), fc.nat(255));
    fc.assert(
      fc.property(damaged, ([body, where, how, byte]) => {
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

  it('accepts ordinary records', () => {
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

describe('compactJson', () => {
  it('returns the same JSON as JSON.stringify without indentation', () => {
    fc.assert(
      fc.property(value, indentation, (data, space) => {
        const line = compactJson(Buffer.from(JSON.stringify(data, null, space)));
        expect(line.includes(0x0a)).toBe(false);
        expect(line.toString()).toBe(Buffer.from(JSON.stringify(data)).toString());
      }),
    );
  });
});

it.each(['{}', '{"opacObjectId":"1"}'])('refuses a page with more than 250,000 items: %s', (item) => {
  const list = Buffer.from(`{"opacObjects":[${`${item},`.repeat(250_000)}${item}],"totalObjects":1}`);
  expect(() => readPage(list, 'objects', 0)).toThrow('the response contains more than 250,000 items');
});

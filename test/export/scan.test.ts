import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/export/compact-json.js';
import { scanList } from '../../src/export/scan.js';
import { asList, asNumber, asObject, type JsonObject } from '../../src/service/json.js';
import { recordId } from '../../src/service/record.js';

const scan = (text: string | Buffer) =>
  scanList(typeof text === 'string' ? Buffer.from(text) : text, 'objects');

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
function scanned(bytes: Buffer) {
  const found = scanList(bytes, 'objects');
  if (!found) return undefined;
  const records = found.ids.map((_, n) =>
    JSON.parse(bytes.toString('utf8', found.spans[2 * n], found.spans[2 * n + 1])),
  );
  return { records, ids: found.ids, total: found.total };
}

function parsed(bytes: Buffer) {
  const data: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  const records = asList(asObject(data).opacObjects) as readonly JsonObject[];
  return {
    records,
    ids: records.map(recordId),
    total: asNumber(asObject(data).totalObjects),
  };
}

function expectAgreement(bytes: Buffer): void {
  const found = scanned(bytes);
  if (found) expect(found).toEqual(parsed(bytes));
}

describe('scanning a list answer', () => {
  it('finds records, ids and the total', () => {
    const bytes = Buffer.from(
      '{"totalObjects":3,"opacObjects":[{"opacObjectId":"7","n":1.50},{"opacObjectId":8},{}]}',
    );
    const found = scan(bytes);
    expect(found).toMatchObject({ ids: ['7', '8', ''], total: 3, lineBreaks: false });
    expect(bytes.toString('utf8', found?.spans[0], found?.spans[1])).toBe('{"opacObjectId":"7","n":1.50}');
  });

  it.each([
    ['no list', '{"totalObjects":0}', 0],
    ['an empty list', '{"opacObjects":[]}', 0],
    ['nothing', '{}', 0],
    ['space everywhere', ' { "opacObjects" : [ { "id" : 1 } , { } ] } ', 2],
  ])('reads an answer with %s', (_, body, count) => {
    expect(scan(body)?.ids).toHaveLength(count);
  });

  it.each([
    ['the list twice', '{"opacObjects":[],"opacObjects":[{}]}'],
    ['an id twice', '{"opacObjects":[{"id":1,"id":2}]}'],
    ['an escape in a key', '{"opac\\u004fbjects":[]}'],
    ['an escape in a key of a record', '{"opacObjects":[{"\\u0069d":1}]}'],
    ['an escape in an id', '{"opacObjects":[{"id":"\\u0031"}]}'],
    ['an id with a fraction', '{"opacObjects":[{"id":1.0}]}'],
    ['a record that is none', '{"opacObjects":[1]}'],
    ['a list that is none', '{"opacObjects":{}}'],
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
        expect(scan(body)?.ids).toHaveLength(opacObjects.length);
      }),
    );
  });
});

describe('putting a record on one line', () => {
  it('keeps what it says', () => {
    fc.assert(
      fc.property(value, spelling, (data, space) => {
        const line = compact(Buffer.from(JSON.stringify(data, null, space)));
        expect(line.includes(0x0a)).toBe(false);
        expect(line.toString()).toBe(Buffer.from(JSON.stringify(data)).toString());
      }),
    );
  });
});

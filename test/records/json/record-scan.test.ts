/** The scanner finds the same values as readRecord. For unusual JSON it returns -1, and the parser reads the record. */
import { describe, expect, it } from 'vitest';
import { RecordScanner } from '../../../src/records/json/record/record-scan.js';
import { type NamedLists, type Span, type Spans, textAt } from '../../../src/records/json/spans.js';
import { asObject, asText } from '../../../src/service/json.js';
import { parseJsonLossless } from '../../../src/service/parse-json.js';
import { findLargestDerivative, readRecord } from '../../../src/service/records/record.js';

const FULL = `{
  "opacObjectId": "12", "recordType": "object", "slug": "a-slug", "title": "of the record",
  "opacCollection": {"opacCollectionId": "2", "collectionName": "Paper"},
  "opacObjectFieldSets": [
    {"identifier": "name", "opacObjectFields": [
      {"value": "Bow", "opacObjectFieldAttributes": [{"key": "title", "value": "A bow"}, {"key": "n", "value": 1}]},
      {"value": "Arc\\u0068"}]},
    {"identifier": "date", "opacObjectFields": [{"value": 1863}, null, "about"]}],
  "relationshipsCollection": {"relationships": [
    {"relationshipId": "by", "relatedRecords": [{"title": "Blake", "relatedRecordId": "7"}]}]},
  "imagesCollection": {"images": [{
    "imageLabels": [{"imageLabel": "arm"}, {"imageLabel": "leg"}],
    "imageDerivatives": [{"url": "s", "width": 1, "height": 9}, {"url": "l", "width": "40", "height": 30}]}]},
  "more": [true, false, {"x": "\\"}"}]
}`;

/** Scans a record after another record. Returns its values, or undefined if the record needs the parser. */
function scanRecord(text: string, before = '}') {
  const scan = new RecordScanner();
  expect(scan.scan(Buffer.from(FULL), 0)).toBe(Buffer.byteLength(FULL));
  // Like a page, `bytes` is part of a larger buffer. The byte before the record looks like the end of a record.
  const bytes = Buffer.from(`xx,${before}${text} ]`).subarray(2);
  const end = scan.scan(bytes, 2);
  if (end < 0) return undefined;
  expect(bytes.toString('utf8', 2, end)).toBe(text);
  const spanText = ({ start, end: spanEnd }: Span) => textAt(bytes, start, spanEnd);
  const texts = ({ starts, ends, length }: Spans, first = 0, count = length) =>
    Array.from({ length: count }, (_, n) => textAt(bytes, starts[first + n] ?? 0, ends[first + n] ?? 0));
  const lists = ({ names, firsts, counts }: NamedLists) =>
    texts(names).map((name, n) => [name, texts(scan.values, firsts[n], counts[n])]);
  return {
    id: spanText(scan.id.id),
    recordType: spanText(scan.id.recordType),
    slug: spanText(scan.slug),
    title: spanText(scan.title),
    titleOfFields: spanText(scan.fieldTitle),
    collection: spanText(scan.collection),
    fields: lists(scan.fields),
    relationships: lists(scan.relationships),
    images: scan.images.count,
    labels: texts(scan.images.labels),
    urls: texts(scan.images.urls),
  };
}

function parseRecord(text: string): ReturnType<typeof scanRecord> {
  const raw = asObject(parseJsonLossless(Buffer.from(text)));
  const { id, slug, collection, fields, relationships, images } = readRecord(raw, 'objects');
  const values = [...fields.values()].flat();
  return {
    id,
    recordType: asText(raw.recordType),
    slug,
    title: asText(raw.title),
    titleOfFields: values.map(({ attributes }) => attributes.get('title')).find(Boolean) ?? '',
    collection: collection?.name || collection?.id || '',
    fields: [...fields].map(([name, all]) => [name, all.map(({ value }) => value)]),
    relationships: relationships
      .filter((each) => each.id !== '')
      .map((each) => [each.id, each.records.map((related) => related.title || related.id)]),
    images: images.length,
    labels: images.flatMap(({ labels }) => labels.map(({ label }) => label)),
    urls: images.map((image) => findLargestDerivative(image)?.url ?? '').filter(Boolean),
  };
}

const sets = (...texts: string[]) => `{"opacObjectFieldSets":[${texts}]}`;
const set = (fields: string, more = '') => sets(`{"identifier":"a","opacObjectFields":${fields}${more}}`);
const attributes = (text: string) => `"opacObjectFieldAttributes":${text}`;
const title = (text: string) => attributes(`[{"key":"title","value":${text}}]`);
const relationships = (...texts: string[]) => `{"relationshipsCollection":{"relationships":[${texts}]}}`;
const related = (text: string) => relationships(`{"relationshipId":"by","relatedRecords":${text}}`);
const images = (...texts: string[]) => `{"imagesCollection":{"images":[${texts}]}}`;
const sizes = (...texts: string[]) => images(`{"imageDerivatives":[${texts}]}`);
const many = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n));

it('finds all values of a record', () => {
  expect(scanRecord(FULL)).toEqual({
    id: '12',
    recordType: 'object',
    slug: 'a-slug',
    title: 'of the record',
    titleOfFields: 'A bow',
    collection: 'Paper',
    fields: [
      ['name', ['Bow', 'Arch']],
      ['date', ['1863', '', 'about']],
    ],
    relationships: [['by', ['Blake']]],
    images: 1,
    labels: ['arm', 'leg'],
    urls: ['l'],
  });
});

describe('RecordScanner', () => {
  it.each([
    '{}',
    '{ }',
    FULL,
    FULL.replaceAll(/(?<=[[{,:])\s*|\s*(?=[:,\]])/g, '\n\t\r '),
    FULL.replaceAll(/\n\s*/g, ''),
    // Ids.
    '{"id":7}',
    '{"id":"7","opacRecordId":8}',
    '{"opacRecordId":8,"id":7}',
    '{"id":7,"opacVenueId":1,"opacPersonId":2,"opacObjectId":3}',
    '{"opacObjectId":3,"opacPersonId":2}',
    '{"opacObjectId":null,"opacPersonId":"","id":"z"}',
    '{"opacObjectId":""}',
    '{"recordType":null}',
    // Texts.
    '{"slug":"\\u0041\\"\\\\","title":"ā🦑"}',
    '{"slug":9007199254740991,"title":-9007199254740991}',
    '{"slug":1.5,"title":-0.25}',
    '{"slug":true,"title":false}',
    '{"slug":"a","slug":null,"title":"a","title":"b"}',
    '{"slugs":"a","slu":"b","titl":"c","title ":"d","":"e","i":"f"}',
    // The collection.
    '{"opacCollection":{}}',
    '{"opacCollection":{"opacCollectionId":2}}',
    '{"opacCollection":{"opacCollectionId":2,"collectionName":""}}',
    '{"opacCollection":{"collectionName":"a","collectionName":null}}',
    '{"opacCollection":{"collectionName":"a"},"opacCollection":{"opacCollectionId":"b"}}',
    '{"opacCollection":{"collectionName":"a"},"opacCollection":null}',
    '{"opacCollection":"a"}',
    '{"opacCollection":["a"]}',
    // Fields.
    '{"opacObjectFieldSets":null}',
    '{"opacObjectFieldSets":{"a":1}}',
    '{"opacPersonFieldSets":[{"identifier":"a","opacPersonFields":[{"value":"b"}]}]}',
    '{"opacRecordFieldSets":[{"identifier":"a","opacRecordFields":["b"]}]}',
    sets(),
    sets('null', '7', '"a"', '[]', '{}'),
    sets('{"identifier":"","opacObjectFields":["b"]}', '{"identifier":"c","opacObjectFields":["d"]}'),
    sets('{"opacObjectFields":["b"]}', '{"identifier":null,"opacObjectFields":["c"]}'),
    sets('{"opacObjectFields":["b"],"identifier":"a"}', '{"identifier":"c"}'),
    sets('{"identifier":"a","identifier":"b","opacObjectFields":["c"]}'),
    sets('{"identifier":7,"opacObjectFields":["c"]}'),
    set('[]'),
    set('null'),
    set('"b"'),
    set('["b",5,true,null,""]'),
    set('[null,"",{"value":""},{}]'),
    set('[{"value":"a","value":"b"},{"value":"c","value":null}]'),
    set('["a"]', ',"opacObjectFields":["b","c"]'),
    set('["a"]', ',"opacObjectFields":[""]'),
    set('["a"]', ',"opacObjectFields":null'),
    set(`[{"value":"a",${title('"t"')}}]`, ',"opacObjectFields":["b"]'),
    sets(...many(70, (n) => `{"identifier":"f${n}","opacObjectFields":["v${n}"]}`)),
    set(`[${many(200, String)}]`),
    // Titles in attributes.
    set(`[{"value":"a",${title('"t"')}},{"value":"b",${title('"u"')}}]`),
    set(`[{"value":"a",${title('""')}},{"value":"b",${title('"u"')}}]`),
    set(`[{"value":"a",${title('null')}},{"value":"b"}]`),
    set(`[{${title('"t"')},"value":"a"}]`),
    set(`[{"value":"",${title('"t"')}}]`),
    set(`[{"value":"",${title('"t"')}},{"value":"b"}]`),
    set(`[{"value":"a",${title('"t"')},${attributes('[]')}}]`),
    set(`[{"value":"a",${title('"t"')},${attributes('null')}}]`),
    set(`[{"value":"a",${attributes('[{"key":"title","value":"t"},{"key":"title","value":"u"}]')}}]`),
    set(`[{"value":"a",${attributes('[{"key":"title","value":"t"},{"key":"title"}]')}}]`),
    set(`[{"value":"a",${attributes('[{"value":"t","key":"title"},{"value":"u"}]')}}]`),
    set(`[{"value":"a",${attributes('[{"key":"titles","value":"t"},{"key":"titl","value":"u"}]')}}]`),
    set(
      `[{"value":"a",${attributes('[{"key":"Title","value":"t"},{"key":"xitle","value":"u"},null,"title"]')}}]`,
    ),
    sets(
      `{"opacObjectFields":[{"value":"a",${title('"t"')}}]}`,
      `{"identifier":"b","opacObjectFields":[{"value":"",${title('"u"')}}]}`,
      `{"identifier":"c","opacObjectFields":[{"value":"c",${title('"v"')}}]}`,
      `{"identifier":"d","opacObjectFields":[{"value":"d",${title('"w"')}}]}`,
    ),
    // Relationships.
    '{"relationshipsCollection":null}',
    '{"relationshipsCollection":[]}',
    '{"relationshipsCollection":{"relationships":"a"}}',
    relationships(),
    relationships('null', '7', '{}', '{"relationshipId":"by"}'),
    relationships(
      '{"relatedRecords":[{"title":"a"}]}',
      '{"relationshipId":5,"relatedRecords":[{"title":"b"}]}',
    ),
    relationships('{"relatedRecords":[{"title":"a"}],"relationshipId":"by"}'),
    related('null'),
    related('[{"relatedRecordId":"7"},{"title":"","relatedRecordId":8},{"title":null},null,"x"]'),
    related('[{"title":"a"},{"relatedRecordId":"7"},{"title":"b"}]'),
    related('[{"title":"a"}],"relatedRecords":[{"title":"b"}]'),
    relationships(...many(70, (n) => `{"relationshipId":"r${n}","relatedRecords":[{"title":"t${n}"}]}`)),
    `${related('[{"title":"a"}]').slice(0, -1)},"relationshipsCollection":{}}`,
    '{"relationshipsCollection":{"relationships":[{"relationshipId":"by"}],"relationships":[]}}',
    // Images.
    '{"imagesCollection":null}',
    '{"imagesCollection":{"images":null}}',
    images('null', '{}', '7'),
    images('{"imageLabels":[{"imageLabel":"a"},{},null,{"imageLabel":null}]}', '{"imageLabels":null}'),
    images('{"imageLabels":[{"imageLabel":"a"}]}', '{"imageLabels":[{"imageLabel":"b"}],"imageLabels":[]}'),
    images('{"imageDerivatives":[{"url":"a","width":9,"height":9}],"imageDerivatives":[{"url":"b"}]}'),
    images(
      '{"imageDerivatives":[{"url":"a"}],"imageDerivatives":null}',
      '{"imageDerivatives":[{"url":"c"}]}',
    ),
    images('{"imageDerivatives":[{"url":"a"}]}', '{}'),
    sizes('{"url":"a"}', '{"url":"b"}'),
    sizes('{"url":"a","width":2,"height":3}', '{"url":"b","width":3,"height":2}'),
    sizes('{"url":"a","width":"","height":null}', '{"url":"b","width":1,"height":1}'),
    sizes('{"url":"a","width":5,"height":5}', '{"width":10,"height":1}', '{"url":"c","width":9,"height":3}'),
    sizes('{"url":"a","width":9,"height":1}', '{"url":"b","width":"010","height":1}'),
    sizes('{"url":"a","width":999999999,"height":1}', '{"url":"b","width":999999998,"height":1}'),
    sizes('{"width":9,"height":9}', '{"url":"b"}', 'null'),
    '{"imagesCollection":{"images":[{"imageLabels":[{"imageLabel":"a"}]}],"images":[{}]}}',
    '{"imagesCollection":{"images":[{"imageLabels":[{"imageLabel":"a"}]}]},"imagesCollection":{}}',
    images(
      ...many(70, (n) => `{"imageDerivatives":[{"url":"u${n}"}],"imageLabels":[{"imageLabel":"l${n}"}]}`),
    ),
    // Keys that are similar to those of fields.
    '{"opacObjectFieldSet":[1],"opacObjectFieldsets":1,"anopacFieldSets":1,"objectFields":1,"opaFields":1,"oFields":1}',
  ])('finds the same values as readRecord (case %#)', (text) => {
    const found = scanRecord(text);
    expect(found, text).toBeDefined();
    expect(found, text).toEqual(parseRecord(text));
  });
});

describe('RecordScanner with unusual JSON', () => {
  it.each([
    // Duplicate keys.
    '{"id":1,"id":2}',
    '{"opacObjectFieldSets":[],"opacObjectFieldSets":[]}',
    '{"opacObjectFieldSets":[],"opacPersonFieldSets":[]}',
    // Keys of fields of another kind or of an unknown kind.
    '{"opacThingFieldSets":[]}',
    '{"opacFieldAttributes":[]}',
    sets('{"identifier":"a","opacPersonFields":["b"]}'),
    set('[{"value":"a","opacPersonFieldAttributes":[]}]'),
    // Escapes in keys, ids and identifiers.
    '{"\\u0069d":1}',
    '{"x":{},"a\\n":1}',
    '{"id":"\\u0031"}',
    '{"recordType":"\\u0031"}',
    sets('{"identifier":"\\u0061"}'),
    set(`[{"value":"a",${attributes('[{"key":"\\u0061"}]')}}]`),
    relationships('{"relationshipId":"\\u0061"}'),
    // Numbers that print in another form than they are written, and values of unexpected types.
    '{"slug":1.0}',
    '{"slug":1e2}',
    '{"slug":-0}',
    '{"slug":9007199254740992}',
    '{"title":-9007199254740992}',
    '{"id":true}',
    '{"id":{"a":1}}',
    '{"slug":{}}',
    '{"slug":[]}',
    set('[["a"]]'),
    sizes('{"url":"a","width":1000000000}'),
    sizes('{"url":"a","width":-1}'),
    sizes('{"url":"a","height":-1}'),
    sizes('{"url":"a","width":1.5}'),
    sizes('{"url":"a","width":"1:"}'),
    sizes('{"url":"a","width":true}'),
  ])('returns -1 for %s', (text) => {
    JSON.parse(text);
    expect([scanRecord(text), scanRecord(text, ']')]).toEqual([undefined, undefined]);
  });

  it.each([
    '{"id"}',
    '{"id" 1}',
    '{"id";1}',
    '{"id":}',
    '{"id":1,}',
    '{"id":1 "slug":2}',
    '{"id":1;"slug":2}',
    '{"id":1]',
    '{,}',
    '{id:1}',
    '{"slug":tru}',
    '{"slug":-}',
    '{"slug":01}',
    '{"slug":"a\tb"}',
    '{"slug":"\\x"}',
    '{"more":nul}',
    '{"more":[1,]}',
    sets('{},'),
    sets('{} {}'),
    sets('{}}'),
    set(`[{"value":"a",${title('"t"')}},{"value":"b",${attributes('[tru]')}}]`),
  ])('returns -1 for invalid JSON: %s', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(scanRecord(text)).toBeUndefined();
  });
});

it('returns -1 for every truncated record, and for damaged records that are not valid JSON', () => {
  const text = FULL.replaceAll(/\n\s*/g, '');
  const scan = new RecordScanner();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) {
    if (scan.scan(bytes.subarray(0, at), 0) >= 0) expect.fail(text.slice(0, at));
    for (const replacement of ['', ' ', '"', 'x', ',', ']']) {
      const damaged = text.slice(0, at) + replacement + text.slice(at + 1);
      const end = scan.scan(Buffer.from(damaged), 0);
      if (end !== damaged.length) continue;
      JSON.parse(damaged);
    }
  }
});

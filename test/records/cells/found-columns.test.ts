import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnReader, DiscoveredColumns } from '../../../src/records/columns/discovered-columns.js';
import { createAllColumns, createChosenColumns } from '../../../src/records/columns/parsed-columns.js';
import { createCell } from '../../../src/records/columns/row.js';
import { scanPage } from '../../../src/records/json/page-records.js';
import { KIND_KEYS, type Kind } from '../../../src/service/kinds.js';
import { parseJsonLossless } from '../../../src/service/parse-json.js';
import { listColumnNames, parseColumn, RECORD_COLUMN_NAMES } from '../../../src/service/records/columns.js';
import { readRecord } from '../../../src/service/records/record.js';
import { anyRecord, printJson, printUnusualJson } from './record-arbitrary.js';

function readText(columns: ColumnReader, text: string): void {
  const bytes = Buffer.from(text);
  columns.read(bytes, 0, bytes.length);
}

/** Files contain U+FFFD for characters that UTF-8 cannot encode. */
function convertToUtf8<T extends string | readonly string[]>(cell: T): string | string[] {
  return typeof cell === 'string'
    ? Buffer.from(cell).toString()
    : cell.map((text) => Buffer.from(text).toString());
}

/** Returns the names and the rows that the column reader reads from the bytes of the pages. */
function readFromBytes(
  pages: readonly Buffer[],
  columns: ColumnReader = new DiscoveredColumns('objects'),
  kind: Kind = 'objects',
) {
  const rows: (string | string[])[][] = [];
  for (const bytes of pages) {
    const page = scanPage(bytes, kind);
    expect(page).toBeDefined();
    for (const record of page?.records ?? []) {
      columns.read(record.bytes, record.start, record.end);
      rows.push(columns.names.map((_, number) => convertToUtf8(columns.row.cell(number))));
    }
  }
  return { names: columns.names, rows };
}

/** Returns the same from parsed records. */
function readFromRecords(pages: readonly Buffer[], kind: Kind = 'objects') {
  const records = pages.flatMap((bytes) => {
    const page = parseJsonLossless(bytes) as Readonly<Record<string, object[]>>;
    return (page[KIND_KEYS[kind].listKey] ?? []).map((raw) => readRecord(raw, kind));
  });
  const names: string[] = [...RECORD_COLUMN_NAMES];
  const rows = records.map((record) => {
    for (const name of listColumnNames(record)) if (!names.includes(name)) names.push(name);
    return names.map((name) => convertToUtf8(createCell(parseColumn(name).values(record))));
  });
  return { names, rows };
}

const page = fc
  .tuple(fc.array(anyRecord, { maxLength: 4 }), fc.constantFrom('plain', 'ascii', 'messy'), fc.nat())
  .map(([opacObjects, how, seed]) => {
    // Only the records are unusual, because the scanner declines responses with unusual JSON around the records.
    const records = opacObjects.map((each) =>
      how === 'messy' ? printUnusualJson(each, seed) : printJson(each, how === 'ascii' ? 'ascii' : 'plain'),
    );
    return Buffer.from(`{"opacObjects":[${records}],"totalObjects":9}`);
  });
const pages = fc.array(page, { maxLength: 3 });

describe('DiscoveredColumns', () => {
  it('returns the same names and rows as readRecord for any records', () => {
    fc.assert(
      fc.property(pages, (some) => {
        expect(readFromBytes(some)).toEqual(readFromRecords(some));
      }),
      { numRuns: 300 },
    );
  });

  it('returns the same rows if it starts with the names that it found before', () => {
    fc.assert(
      fc.property(pages, pages, (before, after) => {
        const { names } = readFromBytes(before);
        const complete = readFromBytes([...before, ...after]);
        const rest = readFromBytes(after, new DiscoveredColumns('objects', names));
        expect(rest.names).toEqual(complete.names);
        expect(rest.rows).toEqual(complete.rows.slice(complete.rows.length - rest.rows.length));
      }),
    );
  });
});

const set = (identifier: string, ...values: string[]) =>
  `{"identifier":"${identifier}","opacObjectFields":[${values.map((value) => `{"value":"${value}"}`)}]}`;
const sets = (...texts: string[]) => `"opacObjectFieldSets":[${texts}]`;
const titled = (identifier: string, title: string) =>
  `{"identifier":"${identifier}","opacObjectFields":[{"value":"v","opacObjectFieldAttributes":[{"key":"title","value":"${title}"}]}]}`;
const related = (...ids: string[]) =>
  `"relationshipsCollection":{"relationships":[${ids.map((id, n) => `{"relationshipId":"${id}","relatedRecords":[{"title":"t${n}"},{"relatedRecordId":${n}}]}`)}]}`;
const images = (...texts: string[]) => `"imagesCollection":{"images":[${texts}]}`;
const labels = (...texts: string[]) => `{"imageLabels":[${texts.map((text) => `{"imageLabel":"${text}"}`)}]}`;
const url = (text: string) => `{"imageDerivatives":[{"url":"${text}"}]}`;

const createPage = (kind: Kind, ...members: string[]) => {
  const { listKey, totalKey } = KIND_KEYS[kind];
  return Buffer.from(`{"${listKey}":[${members.map((each) => `{${each}}`)}],"${totalKey}":9}`);
};

describe('column reader', () => {
  it.each<[what: string, records: readonly string[], names: readonly string[]]>([
    ['without fields', [''], []],
    ['with a field twice', [sets(set('a', 'x'), set('b', 'y'), set('a', 'z'))], ['a', 'b']],
    ['with a field twice, once empty', [sets(set('a'), set('a', 'z'))], ['a']],
    ['with a relationship twice', [related('by', 'of', 'by')], ['relationship.by', 'relationship.of']],
    [
      'with a dot in the id of a relationship',
      [related('a.id', 'a')],
      ['relationship.a.id.title', 'relationship.a'],
    ],
    ['with a relationship without an id', [`${related('', 'of')},"\\u0078":1`], ['relationship.of']],
    [
      'with a key that begins with an earlier key',
      [sets(set('p', '1'), set('ab', 'x')), sets(set('p', '2'), set('abc', 'y'))],
      ['p', 'ab', 'abc'],
    ],
    [
      'with a key that is the beginning of an earlier key',
      [sets(set('p', '1'), set('abc', 'x')), sets(set('p', '2'), set('ab', 'y'))],
      ['p', 'abc', 'ab'],
    ],
    [
      'with keys of the same length',
      ['abc', 'abd', 'xbd'].map((name) => sets(set('p', '1'), set(name, 'x'))),
      ['p', 'abc', 'abd', 'xbd'],
    ],
    [
      'with fields in another order',
      [sets(set('a', '1'), set('b', '2'), set('c', '3')), sets(set('c', '4'), set('a', '5'))],
      ['a', 'b', 'c'],
    ],
    [
      'with fields that have the names of other columns',
      [sets(...['id', 'slug', 'image.url', 'relationship.by', 'field.x'].map((name) => set(name, 'x')))],
      ['field.id', 'field.slug', 'field.image.url', 'field.relationship.by', 'field.field.x'],
    ],
    ['with a title', ['"title":"t","slug":"s"'], []],
    ['with a slug and an empty title', ['"title":"","slug":"s"'], []],
    [
      'with a title and a field "title"',
      [`"title":"t",${sets(set('object_name', 'o'), set('name', 'n'), set('title', 'f'))}`],
      ['object_name', 'name', 'field.title'],
    ],
    [
      'with an empty field "title" and names',
      [`"title":"t",${sets(set('title', '', ''), set('display_name', 'd'), set('name', '', 'n', 'o'))}`],
      ['field.title', 'display_name', 'name'],
    ],
    [
      'with different fields and titles',
      [sets(set('title', 'a')), `"title":"t",${sets(set('b', 'x'))}`],
      ['field.title', 'b'],
    ],
    [
      'with a title attribute',
      [`"title":"t",${sets(set('title', 'f'), titled('a', 'own'))}`],
      ['field.title', 'a'],
    ],
    [
      'with types or ids of other kinds',
      ['"recordType":"x"', '"recordType":""', '"opacPersonId":1', '"opacVenueId":1,"recordType":"y"'],
      [],
    ],
    [
      'with a collection',
      [
        '"opacCollection":{"collectionName":"Paper","opacCollectionId":2}',
        '"opacCollection":{"opacCollectionId":2}',
      ],
      [],
    ],
    [
      'with image labels',
      [
        images(labels('arm', 'leg', 'arm'), labels('leg', '\\u0061rm', 'toe')),
        images(labels('arm', 'arm')),
        images(labels('')),
      ],
      [],
    ],
    ['with images', [images(url('u'), '{}', url('v')), images(url('u')), images('{}')], []],
    [
      'with escapes in keys',
      [`"\\u0069d":7,${sets(set('a', 'x'))},${related('by', 'by')}`, sets(set('b', 'y'))],
      ['a', 'relationship.by', 'b'],
    ],
    [
      'with many fields and relationships',
      [
        sets(...Array.from({ length: 90 }, (_, n) => set(`f${n}`, `${n}`, 'x'))),
        related(...Array.from({ length: 90 }, (_, n) => `r${n}`)),
      ],
      [
        ...Array.from({ length: 90 }, (_, n) => `f${n}`),
        ...Array.from({ length: 90 }, (_, n) => `relationship.r${n}`),
      ],
    ],
  ])('agrees with readRecord for records %s', (_, records, names) => {
    for (const kind of ['objects', 'persons', 'records'] as const) {
      const pages = [
        createPage(kind, ...records.map((each, n) => `"id":${n}${each && ','}${each}`)),
        createPage(kind, '"id":"z"'),
      ];
      expect(readFromBytes(pages, new DiscoveredColumns(kind), kind)).toEqual(readFromRecords(pages, kind));
      const isTitled = records.some((each) => each.includes('"key"'));
      const { names: all } = readFromBytes(pages, createAllColumns(kind), kind);
      const isTextColumn = (name: string) => !/^relationship\..*\.id$/.test(name);
      expect(all.slice(RECORD_COLUMN_NAMES.length).filter(isTextColumn)).toEqual(
        isTitled ? [...names, 'a@title'] : names,
      );
      const found = new DiscoveredColumns(kind);
      for (const each of records) readText(found, `{${each}}`);
      expect(found.names).toEqual([...RECORD_COLUMN_NAMES, ...names]);
    }
  });
});

describe('column reader with the names of an earlier export', () => {
  it('returns these names first, with or without prefixes', () => {
    const names = ['field.slug', 'relationship.by', 'a', 'field.relationship.x', 'field.field.y'];
    const bytes = createPage(
      'objects',
      `${sets(set('field.y', '1'), set('relationship.x', '2'), set('slug', '3'), set('b', '4'))},${related('of', 'by')}`,
    );
    const found = readFromBytes(
      [bytes],
      new DiscoveredColumns('objects', [...RECORD_COLUMN_NAMES, ...names]),
    );
    expect(found.names.slice(RECORD_COLUMN_NAMES.length)).toEqual([...names, 'b', 'relationship.of']);
    expect(found.rows[0]?.slice(RECORD_COLUMN_NAMES.length)).toEqual([
      '3',
      ['t1', '1'],
      '',
      '2',
      '1',
      '4',
      ['t0', '0'],
    ]);
    const all = readFromBytes([bytes], createAllColumns('objects', ['b', 'id']));
    expect(all.names.slice(0, 3)).toEqual(['b', 'id', 'field.field.y']);
  });
});

describe('createChosenColumns', () => {
  const bytes = createPage(
    'objects',
    `"id":1,${sets(titled('a', 'own'), set('b', 'x', 'y'), set('slug', 'f'))},"slug":"s",${related('by')},${images(url('u'))}`,
    `"id":2,${sets(set('c', 'z'))}`,
  );

  it.each<[names: readonly string[], rows: readonly (string | string[])[][]]>([
    [
      ['b', 'id', 'b', 'none'],
      [
        [['x', 'y'], '1', ['x', 'y'], ''],
        ['', '2', '', ''],
      ],
    ],
    [
      ['c', 'id', 'a'],
      [
        ['', '1', 'v'],
        ['z', '2', ''],
      ],
    ],
    [
      ['field.b', 'field.slug', 'slug'],
      [
        [['x', 'y'], 'f', 's'],
        ['', '', ''],
      ],
    ],
    [
      ['relationship.by', 'relationship.of', 'title'],
      [
        [['t0', '0'], '', 'own'],
        ['', '', ''],
      ],
    ],
    [
      ['b[1]', 'b[0]', 'b[2]', 'id'],
      [
        ['y', 'x', '', '1'],
        ['', '', '', '2'],
      ],
    ],
    [
      ['a@title', 'a@none', 'id'],
      [
        ['own', '', '1'],
        ['', '', '2'],
      ],
    ],
    [
      ['image.LARGE.url', 'image.url', 'id'],
      [
        ['', 'u', '1'],
        ['', '', '2'],
      ],
    ],
    [
      ['field.relationship.by', 'id'],
      [
        ['', '1'],
        ['', '2'],
      ],
    ],
  ])('returns only the values of %j', (names, rows) => {
    const columns = createChosenColumns('objects', names.map(parseColumn));
    expect(readFromBytes([bytes], columns)).toEqual({ names, rows });
    readText(columns, '{"id":5}');
    expect(names.map((_, n) => columns.row.cell(n))).toEqual(names.map((name) => (name === 'id' ? '5' : '')));
  });
});

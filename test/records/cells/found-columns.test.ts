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
import { anyRecord, printJson, printMessily } from './record-arbitrary.js';

function readText(columns: ColumnReader, text: string): void {
  const bytes = Buffer.from(text);
  columns.read(bytes, 0, bytes.length);
}

/** What UTF-8 cannot hold is U+FFFD in a file. */
function inUtf8<T extends string | readonly string[]>(cell: T): string | string[] {
  return typeof cell === 'string'
    ? Buffer.from(cell).toString()
    : cell.map((text) => Buffer.from(text).toString());
}

/** Table and columns by the lean way. */
function walk(
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
      rows.push(columns.names.map((_, number) => inUtf8(columns.row.cell(number))));
    }
  }
  return { names: columns.names, rows };
}

/** The same by the normal form. */
function read(pages: readonly Buffer[], kind: Kind = 'objects') {
  const records = pages.flatMap((bytes) => {
    const page = parseJsonLossless(bytes) as Readonly<Record<string, object[]>>;
    return (page[KIND_KEYS[kind].listKey] ?? []).map((raw) => readRecord(raw, kind));
  });
  const names: string[] = [...RECORD_COLUMN_NAMES];
  const rows = records.map((record) => {
    for (const name of listColumnNames(record)) if (!names.includes(name)) names.push(name);
    return names.map((name) => inUtf8(createCell(parseColumn(name).values(record))));
  });
  return { names, rows };
}

const page = fc
  .tuple(fc.array(anyRecord, { maxLength: 4 }), fc.constantFrom('plain', 'ascii', 'messy'), fc.nat())
  .map(([opacObjects, how, seed]) => {
    // The answer itself is spelt in order: the scanner declines others as a whole.
    const records = opacObjects.map((each) =>
      how === 'messy' ? printMessily(each, seed) : printJson(each, how === 'ascii' ? 'ascii' : 'plain'),
    );
    return Buffer.from(`{"opacObjects":[${records}],"totalObjects":9}`);
  });
const pages = fc.array(page, { maxLength: 3 });

describe('columns as they come', () => {
  it('agree with the normal form on any records', () => {
    fc.assert(
      fc.property(pages, (some) => {
        expect(walk(some)).toEqual(read(some));
      }),
      { numRuns: 300 },
    );
  });

  it('go on from their names', () => {
    fc.assert(
      fc.property(pages, pages, (before, after) => {
        const { names } = walk(before);
        const whole = walk([...before, ...after]);
        const rest = walk(after, new DiscoveredColumns('objects', names));
        expect(rest.names).toEqual(whole.names);
        expect(rest.rows).toEqual(whole.rows.slice(whole.rows.length - rest.rows.length));
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

const pageOf = (kind: Kind, ...members: string[]) => {
  const { listKey, totalKey } = KIND_KEYS[kind];
  return Buffer.from(`{"${listKey}":[${members.map((each) => `{${each}}`)}],"${totalKey}":9}`);
};

describe('a record is read into columns as the normal form of it', () => {
  it.each<[what: string, records: readonly string[], names: readonly string[]]>([
    ['of nothing', [''], []],
    ['with a field twice', [sets(set('a', 'x'), set('b', 'y'), set('a', 'z'))], ['a', 'b']],
    ['with a field twice, once empty', [sets(set('a'), set('a', 'z'))], ['a']],
    ['with a relationship twice', [related('by', 'of', 'by')], ['relationship.by', 'relationship.of']],
    ['with a relationship without an id', [`${related('', 'of')},"\\u0078":1`], ['relationship.of']],
    [
      'with a key that begins like one before',
      [sets(set('p', '1'), set('ab', 'x')), sets(set('p', '2'), set('abc', 'y'))],
      ['p', 'ab', 'abc'],
    ],
    [
      'with a key that one before begins like',
      [sets(set('p', '1'), set('abc', 'x')), sets(set('p', '2'), set('ab', 'y'))],
      ['p', 'abc', 'ab'],
    ],
    [
      'with keys of one length',
      ['abc', 'abd', 'xbd'].map((name) => sets(set('p', '1'), set(name, 'x'))),
      ['p', 'abc', 'abd', 'xbd'],
    ],
    [
      'in another order',
      [sets(set('a', '1'), set('b', '2'), set('c', '3')), sets(set('c', '4'), set('a', '5'))],
      ['a', 'b', 'c'],
    ],
    [
      'with fields that other columns are called',
      [sets(...['id', 'slug', 'image.url', 'relationship.by', 'field.x'].map((name) => set(name, 'x')))],
      ['field.id', 'field.slug', 'field.image.url', 'field.relationship.by', 'field.field.x'],
    ],
    ['with a title of its own', ['"title":"t","slug":"s"'], []],
    ['with a slug for a title', ['"title":"","slug":"s"'], []],
    [
      'with a title in a field',
      [`"title":"t",${sets(set('object_name', 'o'), set('name', 'n'), set('title', 'f'))}`],
      ['object_name', 'name', 'field.title'],
    ],
    [
      'with a name for a title',
      [`"title":"t",${sets(set('title', '', ''), set('display_name', 'd'), set('name', '', 'n', 'o'))}`],
      ['field.title', 'display_name', 'name'],
    ],
    [
      'with names of fields that others have',
      [sets(set('title', 'a')), `"title":"t",${sets(set('b', 'x'))}`],
      ['field.title', 'b'],
    ],
    [
      'with a title beside a value',
      [`"title":"t",${sets(set('title', 'f'), titled('a', 'own'))}`],
      ['field.title', 'a'],
    ],
    [
      'with types',
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
      'with labels',
      [
        images(labels('arm', 'leg', 'arm'), labels('leg', '\\u0061rm', 'toe')),
        images(labels('arm', 'arm')),
        images(labels('')),
      ],
      [],
    ],
    ['with images', [images(url('u'), '{}', url('v')), images(url('u')), images('{}')], []],
    [
      'in an odd spelling',
      [`"\\u0069d":7,${sets(set('a', 'x'))},${related('by', 'by')}`, sets(set('b', 'y'))],
      ['a', 'relationship.by', 'b'],
    ],
    [
      'with many values',
      [
        sets(...Array.from({ length: 90 }, (_, n) => set(`f${n}`, `${n}`, 'x'))),
        related(...Array.from({ length: 90 }, (_, n) => `r${n}`)),
      ],
      [
        ...Array.from({ length: 90 }, (_, n) => `f${n}`),
        ...Array.from({ length: 90 }, (_, n) => `relationship.r${n}`),
      ],
    ],
  ])('%s', (_, records, names) => {
    for (const kind of ['objects', 'persons', 'records'] as const) {
      const pages = [
        pageOf(kind, ...records.map((each, n) => `"id":${n}${each && ','}${each}`)),
        pageOf(kind, '"id":"z"'),
      ];
      expect(walk(pages, new DiscoveredColumns(kind), kind)).toEqual(read(pages, kind));
      const isTitled = records.some((each) => each.includes('"key"'));
      expect(walk(pages, createAllColumns(kind), kind).names.slice(RECORD_COLUMN_NAMES.length)).toEqual(
        isTitled ? [...names, 'a@title'] : names,
      );
      const found = new DiscoveredColumns(kind);
      for (const each of records) readText(found, `{${each}}`);
      expect(found.names).toEqual([...RECORD_COLUMN_NAMES, ...names]);
    }
  });
});

describe('columns of an export before', () => {
  it('come first, whatever they are called', () => {
    const names = ['field.slug', 'relationship.by', 'a', 'field.relationship.x', 'field.field.y'];
    const bytes = pageOf(
      'objects',
      `${sets(set('field.y', '1'), set('relationship.x', '2'), set('slug', '3'), set('b', '4'))},${related('of', 'by')}`,
    );
    const found = walk([bytes], new DiscoveredColumns('objects', [...RECORD_COLUMN_NAMES, ...names]));
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
    const all = walk([bytes], createAllColumns('objects', ['b', 'id']));
    expect(all.names.slice(0, 3)).toEqual(['b', 'id', 'field.field.y']);
  });
});

describe('chosen columns', () => {
  const bytes = pageOf(
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
  ])('%j hold their values alone', (names, rows) => {
    const columns = createChosenColumns('objects', names.map(parseColumn));
    expect(walk([bytes], columns)).toEqual({ names, rows });
    readText(columns, '{"id":5}');
    expect(names.map((_, n) => columns.row.cell(n))).toEqual(names.map((name) => (name === 'id' ? '5' : '')));
  });
});

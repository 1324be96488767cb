/** The time for repeated parts of a record grows linearly with their number. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findChanges, findChangesInSteps } from '../../src/diff/changes.js';
import { WordDiff } from '../../src/diff/reports/diff-words.js';
import { createJsonRecord, type SnapshotRecord } from '../../src/diff/snapshot-record.js';
import { RowTexts } from '../../src/export/convert/row-texts.js';
import { type ImageRow, listImageRows } from '../../src/images/image-row.js';
import { UniqueNames } from '../../src/images/names/file-names.js';
import { renderContactSheet, type SheetOptions } from '../../src/images/sheet/sheet.js';
import { parseRecord } from '../../src/local/record.js';
import { parseMultiValueRule } from '../../src/records/cells/multi-value-rule.js';
import { DiscoveredColumns } from '../../src/records/columns/discovered-columns.js';
import { createChosenColumns } from '../../src/records/columns/parsed-columns.js';
import type { JsonObject } from '../../src/service/json.js';
import { listColumnNames, parseColumn } from '../../src/service/records/columns.js';
import { readRecord } from '../../src/service/records/record.js';
import { createFolder } from '../e2e/opac.js';
import { countSteps } from '../steps.js';
import { opac } from './run-in-process.js';

const SIZE = 300;

/** Returns how much the steps of a task grow if its input has twice the size: 2 if they are linear, 4 if they are quadratic. */
async function measureGrowth(createTask: (size: number) => () => unknown): Promise<number> {
  const [one, two] = [await countSteps(createTask(SIZE)), await countSteps(createTask(2 * SIZE))];
  return two / one;
}

const repeat = <Part>(size: number, part: (n: number) => Part) =>
  Array.from({ length: size }, (_, n) => part(n));

it.each([
  ['readRecord', readRecord],
  ['parseRecord', (record: ReturnType<typeof createSets>) => parseRecord('objects', record)],
])('reads field sets with the same identifier in linear time: %s', async (_, read) => {
  expect(await measureGrowth((size) => () => read(createSets(size)))).toBeLessThan(2.5);
});

it('formats one row per value of an export in linear time', async () => {
  const createTask = (size: number) => () => {
    const bytes = Buffer.from(JSON.stringify(createSets(size)));
    const columns = createChosenColumns('objects', [parseColumn('a')]);
    columns.read(bytes, 0, bytes.length);
    const rule = parseMultiValueRule('rows=a');
    const texts = new RowTexts(rule, { isList: () => true, hasRowPerValue: () => true });
    for (let row = 0; row < size; row++) expect(texts.format(columns.row, 0, row)).toBe(`${row}`);
  };
  expect(await measureGrowth(createTask)).toBeLessThan(2.5);
});

it.each([
  ['of one id', () => 'r'],
  ['with an id each', (n: number) => `r${n}`],
])('fills columns from relationships in linear time: %s', async (_, id) => {
  const createTask = (size: number) => {
    const raw = createRelationships(size, id);
    const bytes = Buffer.from(JSON.stringify(raw));
    return () => {
      new DiscoveredColumns('objects').read(bytes, 0, bytes.length);
      const record = readRecord(raw);
      for (const name of new Set(listColumnNames(record))) parseColumn(name).values(record);
    };
  };
  expect(await measureGrowth(createTask)).toBeLessThan(2.5);
});

function createRelationships(size: number, id: (n: number) => string) {
  const relationship = (n: number) => ({
    relationshipId: id(n),
    relatedRecords: [{ relatedRecordId: `${n}` }],
  });
  return { opacObjectId: '1', relationshipsCollection: { relationships: repeat(size, relationship) } };
}

function createSets(size: number) {
  const set = (n: number) => ({ identifier: 'a', opacObjectFields: [{ value: `${n}` }] });
  return { opacObjectId: '1', opacObjectFieldSets: repeat(size, set) };
}

/** Functions that create a version of a record. All its parts contain `text`, so that versions differ. */
const VERSIONS: Readonly<Record<string, (size: number, text: string) => JsonObject>> = {
  'values with an attribute each': (size, text) => ({
    opacObjectFieldSets: [{ identifier: 'a', opacObjectFields: repeat(size, (n) => createValue(n, text)) }],
  }),
  'sets of one field': (size, text) => ({
    opacObjectFieldSets: repeat(size, (n) => ({
      identifier: 'a',
      label: text,
      opacObjectFields: [`${text}${n}`],
    })),
  }),
  'images of one id': (size, text) => ({
    imagesCollection: { images: repeat(size, () => ({ imageId: 'i', caption: text })) },
  }),
  'relationships of one id': (size, text) => createRelationships(size, () => text),
  'related records': (size, text) => ({
    relationshipsCollection: {
      relationships: [
        {
          relationshipId: 'r',
          relatedRecords: repeat(size, (n) => ({ relatedRecordId: `${n}`, title: text })),
        },
      ],
    },
  }),
};

it.each(Object.entries(VERSIONS))(
  'compares two versions of a record in linear time: %s',
  async (_, create) => {
    const createTask = (size: number) => {
      const [older, newer] = ['x', 'y'].map((text) =>
        createJsonRecord({ opacObjectId: '1', ...create(size, text) }, 'objects', Buffer.of()),
      ) as [SnapshotRecord, SnapshotRecord];
      return () => expect(findChanges(older, newer)).not.toEqual([]);
    };
    expect(await measureGrowth(createTask)).toBeLessThan(2.5);
  },
);

function createValue(n: number, text: string) {
  return { value: `${text}${n}`, opacObjectFieldAttributes: [{ key: `k${n}`, value: text }] };
}

it('compares records with many parts in several steps, so that signals can interrupt', () => {
  const [older, newer] = ['x', 'y'].map((text) => {
    const set = (n: number) => ({ identifier: `f${n}`, opacObjectFields: [text] });
    const raw = { opacObjectId: '1', opacObjectFieldSets: repeat(6_000, set) };
    return createJsonRecord(raw, 'objects', Buffer.of());
  }) as [SnapshotRecord, SnapshotRecord];
  expect([...findChangesInSteps(older, newer)].length).toBeGreaterThan(2);
});

it('groups the images of a contact sheet in linear time', async () => {
  const createTask = (size: number) => async () => {
    const [row] = listImageRows(readRecord({ imagesCollection: { images: [{ imageId: '1' }] } }), () => true);
    const card = { row: row as ImageRow, name: '', page: undefined, group: 'a' };
    const cards = repeat(size, () => card);
    for await (const _ of renderContactSheet(cards, SHEET));
  };
  expect(await measureGrowth(createTask)).toBeLessThan(2.5);
});

const SHEET: SheetOptions = {
  title: '',
  grouped: true,
  byColor: false,
  link: true,
  client: { fetchFile: () => Promise.reject(new Error('links need no request')) },
  concurrency: 1,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onMissing: () => undefined,
};

it('creates unique names for the files of one image in linear time', async () => {
  const createTask = (size: number) => () => {
    const names = new UniqueNames();
    for (let n = 0; n < size; n++) names.add('a');
    const assignName = names.createAssigner();
    const all = new Set(repeat(size, () => assignName('a', 'key')));
    expect(all.size).toBe(size);
  };
  expect(await measureGrowth(createTask)).toBeLessThan(2.5);
});

it('measures more than linear growth for quadratic tasks', async () => {
  const copy = (size: number) => {
    let all: readonly number[] = [];
    for (let n = 0; n < size; n++) all = [...all, n];
  };
  const find = (size: number) => repeat(size, (n) => repeat(size, Number).indexOf(n));
  for (const task of [copy, find])
    expect(await measureGrowth((size) => () => task(size))).toBeGreaterThan(3.5);
});

it('compares tables with many columns in linear time', async () => {
  const folder = await createFolder();
  const compare = async (columns: number) => {
    for (const [name, value] of [
      ['older.csv', '1'],
      ['newer.csv', '2'],
    ] as const) {
      const header = ['id', ...repeat(columns, (n) => `c${n}`)].join(',');
      await writeFile(join(folder, name), `${header}\n1${`,${value}`.repeat(columns)}\n`);
    }
    return countSteps(() =>
      opac(['diff', join(folder, 'older.csv'), join(folder, 'newer.csv'), '-f', 'csv']),
    );
  };
  expect((await compare(3000)) / (await compare(1500))).toBeLessThan(2.5);
});

it('compares the words in a report only up to a total number of characters', () => {
  const words = new WordDiff();
  const change = {
    field: 'a',
    change: 'changed',
    old: ['a b '.repeat(4000)],
    new: ['c b '.repeat(4000)],
  } as const;
  const isCompared = () => words.compare(change)[0]?.some(({ text }) => text.trim() === 'b');
  const short = { ...change, old: ['one two'], new: ['one three'] };
  expect(words.compare(short)[0]?.map(({ type }) => type)).toEqual(['same', 'old', 'new']);
  for (let n = 0; n < 100; n++) isCompared();
  expect(words.compare(short)[0]?.map(({ type }) => type)).toEqual(['old', 'same', 'new']);
});

it('compares 150,000 values of a field in a report', () => {
  const values = (letter: string) => Array.from({ length: 150_000 }, (_, n) => `${letter}${n}`);
  const change = { field: 'a', change: 'changed', old: values('v'), new: values('w') } as const;
  expect(new WordDiff().compare(change)).toHaveLength(150_000);
});

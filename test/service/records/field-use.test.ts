import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFieldUse, mergeFieldUse } from '../../../src/service/records/field-use.js';
import { type CollectionRecord, readRecord } from '../../../src/service/records/record.js';
import { chooseSamplePages } from '../../../src/service/records/sample-pages.js';

type Value = string | { readonly value: string; readonly attribute: string };

function createObject(id: number, fields: Readonly<Record<string, readonly Value[]>>, more: object = {}) {
  return readRecord(
    {
      opacObjectId: id,
      opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
        identifier,
        opacObjectFields: values.map((each) =>
          typeof each === 'string'
            ? { value: each }
            : { value: each.value, opacObjectFieldAttributes: [{ key: each.attribute, value: 'x' }] },
        ),
      })),
      ...more,
    },
    'objects',
  );
}

const records = () => [
  createObject(1, { name: ['vase'], maker_name: ['Ann', 'Bob'] }),
  createObject(2, { name: [{ value: 'bowl', attribute: 'title' }], maker_name: [''], secret: ['x'] }),
  createObject(3, { name: [], title: ['no title of ours'] }),
];

describe('countFieldUse', () => {
  const countUse = () =>
    countFieldUse(records(), [
      { identifier: 'maker_name', label: 'Maker', views: ['label', 'detail'] },
      { identifier: 'never', label: '', views: ['detail'] },
    ]);
  const findUse = (name: string) => countUse().find(({ column }) => column === name);

  it('lists the fields of views first, then fields that occur only in records', () => {
    expect(countUse().map(({ column }) => column)).toEqual([
      'maker_name',
      'never',
      'name',
      'secret',
      'field.title',
    ]);
  });

  it('counts records with a value, but not empty texts and empty lists', () => {
    expect(findUse('maker_name')).toMatchObject({
      filled: 1,
      empty: 2,
      percent: 33.3,
      most: 2,
      example: 'Ann',
    });
    expect(findUse('name')).toMatchObject({ filled: 2, percent: 66.7, most: 1 });
    expect(findUse('never')).toMatchObject({ filled: 0, percent: 0, most: 0, example: '' });
  });

  it('returns the label, the views and the attributes of a field if they are known', () => {
    expect(findUse('maker_name')).toMatchObject({
      label: 'Maker',
      views: ['label', 'detail'],
      attributes: [],
    });
    expect(findUse('name')).toMatchObject({ label: '', views: [], attributes: ['title'] });
  });

  it('lists the relationships and images of records after the fields', () => {
    const related = createObject(
      4,
      { name: ['a'] },
      {
        relationshipsCollection: {
          relationships: [{ relationshipId: 'kin', relatedRecords: [{ relatedRecordId: 1, title: 'b' }] }],
        },
        imagesCollection: {
          images: [
            {
              imageDerivatives: [{ identifier: 'TINY', url: 'https://x/1' }],
              imageAttributes: [{ key: 'copyright', value: 'CC0' }],
            },
          ],
        },
      },
    );
    expect(countFieldUse([related, ...records()], []).map(({ column }) => column)).toEqual([
      'name',
      'maker_name',
      'secret',
      'field.title',
      'relationship.kin',
      'relationship.kin.id',
      'image.url',
      'image@copyright',
    ]);
  });

  it('returns 0 percent if there are no records', () => {
    expect(countFieldUse([], [{ identifier: 'a', label: '', views: [] }])).toMatchObject([{ percent: 0 }]);
    expect(countFieldUse([], [])).toEqual([]);
  });
});

describe('mergeFieldUse', () => {
  const related = () =>
    createObject(
      4,
      { name: [{ value: 'jar', attribute: 'search' }], maker_name: ['Cy', 'Di', 'Ed'], never: ['now'] },
      {
        relationshipsCollection: { relationships: [{ relationshipId: 'kin' }] },
        imagesCollection: {
          images: [
            {
              imageLabels: [{ imageLabel: 'x' }],
              imageDerivatives: [{ identifier: 'A', url: 'https://x/1' }],
            },
          ],
        },
      },
    );
  const views = [{ identifier: 'never', label: 'Never', views: ['detail'] }];
  const mergePages = (...pages: (readonly CollectionRecord[])[]) =>
    mergeFieldUse(
      pages.map((page) => countFieldUse(page, views)),
      pages.flat().length,
    );

  it('returns the same for several pages as countFieldUse for all records', () => {
    const all = [...records(), related()];
    for (const list of [all, all.toReversed()]) {
      const expected = countFieldUse(list, views);
      expect(mergePages(list)).toEqual(expected);
      for (const at of [1, 2, 3])
        expect(mergePages(list.slice(0, at), list.slice(at))).toEqual(expect.arrayContaining(expected));
    }
  });

  it('lists each column once: fields, then relationships, then images', () => {
    expect(mergePages([related()], records()).map(({ column }) => column)).toEqual([
      'never',
      'name',
      'maker_name',
      'secret',
      'field.title',
      'relationship.kin',
      'image.url',
      'label',
    ]);
  });

  it('returns 0 percent if there are no records', () => {
    expect(mergePages([])).toMatchObject([{ column: 'never', filled: 0, empty: 0, percent: 0 }]);
  });
});

describe('chooseSamplePages', () => {
  it('returns all pages of a small result', () => {
    expect(chooseSamplePages(45, 200)).toEqual([
      { offset: 0, limit: 20 },
      { offset: 20, limit: 20 },
      { offset: 40, limit: 5 },
    ]);
  });

  it('returns ten pages of a large result, with its first and last records', () => {
    const pages = chooseSamplePages(1_033_000, 200);
    expect(pages).toHaveLength(10);
    expect(pages[0]).toEqual({ offset: 0, limit: 20 });
    expect(pages.at(-1)).toEqual({ offset: 1_032_980, limit: 20 });
  });

  it('returns the requested number of records, without duplicates, up to the end of the result', () => {
    fc.assert(
      fc.property(fc.nat({ max: 50_000 }), fc.integer({ min: 1, max: 2_000 }), (total, size) => {
        const pages = chooseSamplePages(total, size);
        expect(pages.reduce((sum, { limit }) => sum + limit, 0)).toBe(Math.min(total, size));
        let end = 0;
        for (const { offset, limit } of pages) {
          expect(offset).toBeGreaterThanOrEqual(end);
          end = offset + limit;
        }
        expect(end).toBeLessThanOrEqual(total);
      }),
      { examples: [[142, 141]] },
    );
  });
});

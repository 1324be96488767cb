import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFieldUse, mergeFieldUse } from '../../../src/service/records/field-use.js';
import { type CollectionRecord, readRecord } from '../../../src/service/records/record.js';
import { chooseSamplePages } from '../../../src/service/records/sample-pages.js';

type Value = string | { readonly value: string; readonly attribute: string };

function object(id: number, fields: Readonly<Record<string, readonly Value[]>>, more: object = {}) {
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
  object(1, { name: ['vase'], maker_name: ['Ann', 'Bob'] }),
  object(2, { name: [{ value: 'bowl', attribute: 'title' }], maker_name: [''], secret: ['x'] }),
  object(3, { name: [], title: ['no title of ours'] }),
];

describe('the census of fields', () => {
  const census = () =>
    countFieldUse(records(), [
      { identifier: 'maker_name', label: 'Maker', views: ['label', 'detail'] },
      { identifier: 'never', label: '', views: ['detail'] },
    ]);
  const of = (name: string) => census().find(({ column }) => column === name);

  it('has the fields of the views first, then those that only records have', () => {
    expect(census().map(({ column }) => column)).toEqual([
      'maker_name',
      'never',
      'name',
      'secret',
      'field.title',
    ]);
  });

  it('counts records with a value, and takes none of the spellings of no value for one', () => {
    expect(of('maker_name')).toMatchObject({ filled: 1, empty: 2, percent: 33.3, most: 2, example: 'Ann' });
    expect(of('name')).toMatchObject({ filled: 2, percent: 66.7, most: 1 });
    expect(of('never')).toMatchObject({ filled: 0, percent: 0, most: 0, example: '' });
  });

  it('tells the label, the views and the attributes where they are known', () => {
    expect(of('maker_name')).toMatchObject({ label: 'Maker', views: ['label', 'detail'], attributes: [] });
    expect(of('name')).toMatchObject({ label: '', views: [], attributes: ['title'] });
  });

  it('has relationships and images behind the fields, where records have them', () => {
    const related = object(
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

  it('divides by nothing when there are no records', () => {
    expect(countFieldUse([], [{ identifier: 'a', label: '', views: [] }])).toMatchObject([{ percent: 0 }]);
    expect(countFieldUse([], [])).toEqual([]);
  });
});

describe('the census of the pages of a result', () => {
  const related = () =>
    object(
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
  const cut = (...pages: (readonly CollectionRecord[])[]) =>
    mergeFieldUse(
      pages.map((page) => countFieldUse(page, views)),
      pages.flat().length,
    );

  it('is that of all records at once, wherever the pages begin', () => {
    const all = [...records(), related()];
    for (const whole of [all, all.toReversed()]) {
      const census = countFieldUse(whole, views);
      expect(cut(whole)).toEqual(census);
      for (const at of [1, 2, 3])
        for (const use of cut(whole.slice(0, at), whole.slice(at)))
          expect(use).toEqual(census.find(({ column }) => column === use.column));
    }
  });

  it('has fields first, then relationships, then images, and each column once', () => {
    expect(cut([related()], records()).map(({ column }) => column)).toEqual([
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

  it('divides by nothing when there are no records', () => {
    expect(cut([])).toMatchObject([{ column: 'never', filled: 0, empty: 0, percent: 0 }]);
  });
});

describe('the pages of a sample', () => {
  it('are the whole of a small result', () => {
    expect(chooseSamplePages(45, 200)).toEqual([
      { offset: 0, limit: 20 },
      { offset: 20, limit: 20 },
      { offset: 40, limit: 5 },
    ]);
  });

  it('begin where a large result begins, and end where it ends', () => {
    const pages = chooseSamplePages(1_033_000, 200);
    expect(pages).toHaveLength(10);
    expect(pages[0]).toEqual({ offset: 0, limit: 20 });
    expect(pages.at(-1)).toEqual({ offset: 1_032_980, limit: 20 });
  });

  it('have as many records as are wanted, none twice and none beyond the end', () => {
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

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdentityScanner } from '../../../src/records/json/id-scan.js';
import { asObject } from '../../../src/service/json.js';
import { hasFieldValues, readRecord } from '../../../src/service/records/record.js';
import { hasUnreadableParts, lacksImages } from '../../../src/service/records/unreadable-parts.js';

const oddValue = fc.oneof(
  fc.constantFrom(null, '', 0, true, 'x'),
  fc.constant([]),
  fc.constant({}),
  fc.constant(['x']),
);
const attributes = fc.oneof(oddValue, fc.constant([{ key: 'k', value: 'v' }]));
const field = fc.oneof(
  oddValue,
  fc.record({ value: oddValue, text: oddValue, opacObjectFieldAttributes: attributes }, { requiredKeys: [] }),
);
const set = fc.oneof(
  oddValue,
  fc.record(
    { identifier: oddValue, opacObjectFields: fc.oneof(oddValue, fc.array(field, { maxLength: 2 })) },
    { requiredKeys: [] },
  ),
);
const list = (key: string) =>
  fc.oneof(
    oddValue,
    fc.record(
      {
        [key]: fc.oneof(oddValue, fc.array(fc.oneof(oddValue, fc.constant({})))),
        totalImages: fc.oneof(oddValue, fc.nat(3)),
      },
      { requiredKeys: [] },
    ),
  );
const record = fc.record(
  {
    opacObjectFieldSets: fc.oneof(oddValue, fc.array(set, { maxLength: 3 })),
    imagesCollection: list('images'),
    relationshipsCollection: list('relationships'),
  },
  { requiredKeys: [] },
);

it('never reports a record with unreadable or missing parts as readable', () => {
  const scan = new IdentityScanner({ checksParts: true });
  const counts = { readable: 0, unreadable: 0 };
  fc.assert(
    fc.property(record, (raw) => {
      const isReadable = scan.scan(Buffer.from(JSON.stringify(raw)), 0)?.isReadable;
      const isUnreadable = hasUnreadableParts(asObject(raw)) || lacksImages(asObject(raw));
      counts[isUnreadable ? 'unreadable' : 'readable']++;
      expect(isReadable && (isUnreadable || !hasFieldValues(readRecord(raw)))).toBe(false);
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(counts.readable, counts.unreadable)).toBeGreaterThan(100);
});

it('reports complete records as readable, but not incomplete or ambiguous records', () => {
  const scan = new IdentityScanner({ checksParts: true });
  const field = { value: 'Bowl', opacObjectFieldAttributes: [{ key: 'title', value: 'Bowl' }] };
  const raw = {
    opacObjectId: '1',
    opacObjectFieldSets: [
      { identifier: 'brief_desc', opacObjectFields: [{ value: '' }] },
      { identifier: 'name', opacObjectFields: [field, { value: 'Vase' }] },
    ],
    imagesCollection: { images: [{ imageId: '1' }], totalImages: 1 },
    relationshipsCollection: { relationships: [], totalRelationships: 3 },
  };
  expect(scan.scan(Buffer.from(JSON.stringify(raw)), 0)?.isReadable).toBe(true);
  const empty = { ...raw, opacObjectFieldSets: raw.opacObjectFieldSets.slice(0, 1) };
  expect(scan.scan(Buffer.from(JSON.stringify(empty)), 0)?.isReadable).toBe(false);
  const withMissingImage = JSON.stringify(raw).replace('"totalImages":1', '"totalImages":"2"');
  expect(scan.scan(Buffer.from(withMissingImage), 0)?.isReadable).toBe(false);
  const withTwoImageLists = JSON.stringify(raw).replace('"totalImages"', '"images":[],"totalImages"');
  expect(scan.scan(Buffer.from(withTwoImageLists), 0)?.isReadable).toBe(false);
  const withTwoFieldSetLists = JSON.stringify(raw).replace(/}$/, ',"opacObjectFieldSets":[]}');
  expect(scan.scan(Buffer.from(withTwoFieldSetLists), 0)?.isReadable).toBe(false);
});

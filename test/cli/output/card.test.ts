import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderObjectCard } from '../../../src/cli/output/cards/object-card.js';
import { renderRecordCard } from '../../../src/cli/output/cards/record-card.js';
import type { JsonObject } from '../../../src/service/json.js';
import { readRecord } from '../../../src/service/records/record.js';
import { anyScreen, createTerminal, expectToFit, formatApproved, nastyText, SCREENS } from './screens.js';

const sample = JSON.parse(
  readFileSync(new URL('../../fixtures/opacobjects-detail.json', import.meta.url), 'utf8'),
);
const record = readRecord(sample.opacObjects[0], 'objects');

describe('renderRecordCard', () => {
  it.each(SCREENS)('draws the captured record as approved: %s', async (name, terminal) => {
    await expect(formatApproved(renderRecordCard(record, terminal))).toMatchFileSnapshot(
      `approved/card-${name}.txt`,
    );
  });

  it('cuts a very long text, and shows the number of omitted characters', () => {
    const long = readRecord({
      opacObjectId: 1,
      opacObjectFieldSets: [
        { identifier: 'note', opacObjectFields: [{ value: `${'word '.repeat(4000)}${'x'.repeat(1234)}` }] },
      ],
    });
    const drawn = renderRecordCard(long, createTerminal(80)).replace(/\s+/g, ' ');
    expect(drawn).toContain('word word [1,234 more characters; use -f json]');
    expect(drawn).not.toContain('xx');
  });

  it('shows how many related records and images it omits', () => {
    const many = readRecord({
      opacPersonId: 1,
      relationshipsCollection: {
        relationships: [
          {
            relationshipId: 'made',
            relatedRecordType: 'object',
            relatedRecords: Array.from({ length: 20 }, (_, id) => ({
              relatedRecordId: id,
              title: `Model ${id}`,
            })),
            totalRelatedRecords: 1873,
          },
        ],
      },
      imagesCollection: { images: Array.from({ length: 9 }, (_, imageId) => ({ imageId })) },
    });
    const drawn = renderRecordCard(many, createTerminal(80));
    expect(drawn).toContain('made  1,873 objects\n');
    expect(drawn).toContain('… and 1,861 more\n');
    expect(drawn).toContain('Images (9)\n');
    expect(drawn.endsWith('\n… and 3 more')).toBe(true);
  });

  it('draws only "(no title)" for an empty record', () => {
    expect(renderRecordCard(readRecord({}), createTerminal(80))).toBe('(no title)');
  });

  it('fits any terminal with any record', () => {
    const number = fc.oneof(fc.nat(), fc.double(), nastyText);
    const anyRecord = fc.record({
      opacObjectId: nastyText,
      objectSearchScore: number,
      opacCollection: fc.record({ opacCollectionId: nastyText, collectionName: nastyText }),
      opacObjectFieldSets: fc.array(
        fc.record({
          identifier: nastyText,
          opacObjectFields: fc.array(fc.record({ value: nastyText }), { maxLength: 3 }),
        }),
        { maxLength: 4 },
      ),
      relationshipsCollection: fc.record({
        relationships: fc.array(
          fc.record({
            relationshipId: nastyText,
            relatedRecordType: nastyText,
            relatedRecords: fc.array(fc.record({ relatedRecordId: nastyText, title: nastyText }), {
              maxLength: 3,
            }),
            totalRelatedRecords: number,
          }),
          { maxLength: 2 },
        ),
      }),
      imagesCollection: fc.record({
        images: fc.array(
          fc.record({
            imageId: nastyText,
            caption: nastyText,
            imageDerivatives: fc.array(
              fc.record({ identifier: nastyText, url: nastyText, width: number, height: number }),
              { maxLength: 3 },
            ),
            cssColors: fc.array(
              fc.record({ hex: nastyText, formattedColorName: nastyText, presence: number }),
              { maxLength: 3 },
            ),
            imageLabels: fc.array(fc.record({ imageLabel: nastyText, score: number }), { maxLength: 3 }),
          }),
          { maxLength: 2 },
        ),
      }),
    });
    fc.assert(
      fc.property(anyRecord, anyScreen, (payload, terminal) => {
        expectToFit(renderRecordCard(readRecord(payload, 'objects'), terminal), terminal);
      }),
    );
  });
});

describe('renderObjectCard', () => {
  it('orders the columns of a list by the first appearance of their keys', () => {
    const card = renderObjectCard(
      {
        xs: [
          { a: '', b: 'x' },
          { a: 'y', c: '' },
        ],
      },
      createTerminal(80),
    );
    expect(card.split('\n')[1]).toMatch(/^a +b$/);
  });

  it('shows at most 50 columns of a list', () => {
    const xs = Array.from({ length: 2_000 }, (_, n) => ({ [`k${n}`]: `v${n}` }));
    const card = renderObjectCard({ id: '1', xs }, createTerminal(80));
    expect(card).toContain('xs (2000; 50 of 2000 columns)');
    expect(card).not.toContain('v50 ');
  });

  const highlight: JsonObject = {
    highlightId: 3,
    title: 'Glass from the sea',
    description: '',
    tags: ['glass', 'sea', null],
    image: {
      caption: 'Physalia',
      url: 'https://example.org/images/large/411139/a47567c793ecbcacfd5aec6eaa1d5bbef063b82a.jpg',
      hex: 'b0c4de',
      imageDerivatives: [
        { identifier: 'LARGE', width: 545, crop: null },
        { identifier: 'SMALL', width: 102 },
      ],
    },
  };

  it('draws values, lists and nested objects', () => {
    expect(renderObjectCard(highlight, createTerminal(60))).toBe(
      [
        'Glass from the sea',
        '',
        'highlightId    3',
        'title          Glass from the sea',
        'tags           • glass',
        '               • sea',
        'image.caption  Physalia',
        'image.url      https://example.org/images/large/411139/a4756',
        '               7c793ecbcacfd5aec6eaa1d5bbef063b82a.jpg',
        'image.hex      b0c4de',
        '',
        'image.imageDerivatives (2)',
        'identifier  width',
        '──────────  ─────',
        'LARGE       545',
        'SMALL       102',
      ].join('\n'),
    );
  });

  it('fits any terminal with any object', () => {
    const { tree } = fc.letrec<{ tree: Record<string, unknown>; value: unknown }>((tie) => ({
      tree: fc.dictionary(fc.oneof(nastyText, fc.constantFrom('hex', 'name', 'url')), tie('value'), {
        maxKeys: 4,
      }),
      value: fc.oneof(
        { maxDepth: 3 },
        nastyText,
        fc.constantFrom(null, 7, true, 'b0c4de', 'https://example.org/'),
        tie('tree'),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, anyScreen, (json, terminal) => {
        expectToFit(renderObjectCard(json as JsonObject, terminal), terminal);
      }),
    );
  });
});

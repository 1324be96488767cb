/** A comparison is complete: it reports an edit of any leaf, key or list item of a record, unless the edit is noise. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findChanges } from '../../src/diff/changes.js';
import { createJsonRecord } from '../../src/diff/snapshot-record.js';
import type { Json, JsonObject } from '../../src/service/json.js';

const RUNS = 3000;

type Writable = Json | Writable[] | { [key: string]: Writable };

const ALL = { include: new Set<never>(), isCompared: () => true };

function changes(before: Writable, after: Writable) {
  const [older, newer] = [before, after].map((raw) =>
    createJsonRecord(raw as JsonObject, 'objects', Buffer.from(JSON.stringify(raw))),
  );
  return older && newer ? findChanges(older, newer, [], ALL) : [];
}

const fields = (before: Writable, after: Writable) =>
  changes(before, after).map(({ field, change }) => `${field} ${change}`);

// Few names and texts, so that the same id, key or value often occurs twice.
const name = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('', 'one', 'two', 'a|b', '5', 'https://x.example/1.jpg');
const size = fc.oneof(fc.nat(3), fc.nat(3).map(String));
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });
const attributes = list(fc.record({ key: name, value: text }));
const color = some({ hex: text, presence: size, rank: size, colorName: text });

const record = some({
  objectSearchScore: fc.nat(9),
  recordType: fc.constant('object'),
  slug: text,
  published: fc.oneof(text, fc.boolean(), fc.record({ by: text })),
  opacCollection: fc.oneof(text, some({ opacCollectionId: size, collectionName: text, more: text })),
  opacObjectFieldSets: list(
    some({
      identifier: name,
      note: text,
      opacObjectFields: list(
        fc.oneof(text, some({ value: text, more: text, opacObjectFieldAttributes: attributes })),
      ),
    }),
  ),
  imagesCollection: some({
    totalImages: size,
    images: list(
      some({
        imageId: size,
        caption: text,
        imageAttributes: attributes,
        imageDerivatives: list(fc.record({ identifier: name, url: text, width: size, height: size })),
        cssColors: list(color),
        rawColors: list(color),
        imageLabels: list(
          some({ imageLabelId: size, imageLabel: text, status: text, count: size, score: size }),
        ),
      }),
    ),
  }),
  relationshipsCollection: some({
    totalRelationships: size,
    relationships: list(
      some({
        relationshipId: name,
        relatedRecordType: fc.constantFrom('person', 'venue'),
        totalRelatedRecords: size,
        relatedRecords: list(
          some({
            relatedRecordId: size,
            title: text,
            slug: text,
            image: some({ url: text }),
            relatedRecordAttributes: list(some({ identifier: name, label: text, values: list(text) })),
          }),
        ),
      }),
    ),
  }),
});

interface Edit {
  readonly apply: (edited: Writable) => void;
  readonly isOfTotal?: boolean;
}

/** Returns every single edit of a value: a replaced or removed leaf, an additional key, an additional or removed item. */
function editsOf(value: Writable, path: readonly (string | number)[] = []): Edit[] {
  const at = (root: Writable) => path.reduce<Writable>((node, key) => (node as never)[key], root);
  const edits: Edit[] = [];
  if (Array.isArray(value)) {
    edits.push({ apply: (root) => void (at(root) as Writable[]).push('an item more') });
    edits.push({ apply: (root) => void (at(root) as Writable[]).unshift('an item more') });
  } else if (isJsonObject(value)) {
    edits.push({ apply: (root) => void Object.assign(at(root) as object, { 'a key more': 'added' }) });
  } else return edits;
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    const isOfTotal = TOTALS[key] !== undefined;
    const remove = (root: Writable) => {
      const parent = at(root) as Writable[] & { [key: string]: Writable };
      if (typeof step === 'number') parent.splice(step, 1);
      else delete parent[step];
    };
    edits.push({ apply: remove, isOfTotal });
    if (typeof member !== 'object')
      edits.push({
        apply: (root) => void Object.assign(at(root) as object, { [step]: 'edited' }),
        isOfTotal,
      });
    edits.push(...editsOf(member as Writable, [...path, step]));
  }
  return edits;
}

const isJsonObject = (value: Writable): value is { [key: string]: Writable } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TOTALS: Readonly<Record<string, string>> = {
  totalImages: 'images',
  totalRelationships: 'relationships',
  totalRelatedRecords: 'relatedRecords',
};
/** Keys whose values only name the values beside them. */
const NAMES = ['identifier', 'key', 'relationshipId'];
/** Lists of names with values. A name without a value is noise. */
const NAMED = /Sets$|Attributes$|Derivatives$|^relationships$/;

/** Returns a record in one normal form, without the noise of noise.ts. `isTotal` returns true if a total is compared. */
function normalize(
  value: Writable,
  isTotal: (name: string, parent: { [key: string]: Writable }) => boolean,
  key = '',
): Writable | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item) => normalize(item, isTotal, key));
    if (items.every((item) => item === undefined)) return undefined;
    return NAMED.test(key) ? items.filter((item) => item !== undefined) : items.map((item) => item ?? '');
  }
  if (!isJsonObject(value)) return value === '' || value === null ? undefined : String(value);
  const parts = Object.entries(value)
    .filter(([name]) => name !== 'objectSearchScore')
    .filter(([name]) => !(key === 'imageLabels' && (name === 'score' || name === 'count')))
    .filter(([name]) => TOTALS[name] === undefined || isTotal(name, value))
    .map(([name, member]) => [name, normalize(member, isTotal, name)] as const)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (parts.every(([name]) => NAMES.includes(name))) return undefined;
  // A text equals an object that contains only this text as its `value`.
  return parts.length === 1 && parts[0]?.[0] === 'value' ? parts[0][1] : Object.fromEntries(parts);
}

/** For an edit of a total: returns true unless the total equals the length of its list, which is the same as no total. */
const isTotalCompared: Parameters<typeof normalize>[1] = (name, parent) => {
  const listed = parent[TOTALS[name] ?? ''];
  return Number(parent[name]) !== (Array.isArray(listed) ? listed.length : 0);
};

/** Adds `recordType`, because the key of the id already shows that the record is an object. */
function isNoise({ isOfTotal = false }: Edit, ...sides: readonly [Writable, Writable]): boolean {
  const [before, after] = sides.map((side) =>
    JSON.stringify(
      normalize({ recordType: 'object', ...(side as object) }, isOfTotal ? isTotalCompared : () => false),
    ),
  );
  return before === after;
}

describe('findChanges', () => {
  it('reports any edit of a leaf, a key or an item, and nothing for equal records', () => {
    let checked = 0;
    fc.assert(
      fc.property(record, fc.nat(), (made, n) => {
        const before = { opacObjectId: '1', ...made } as Writable;
        expect(changes(before, structuredClone(before))).toEqual([]);
        // Only the other keys are edited, because the id identifies the record.
        const edits = editsOf(made as Writable);
        const edit = edits[n % edits.length] as Edit;
        const after = structuredClone(made) as Writable;
        edit.apply(after);
        const edited = { opacObjectId: '1', ...(after as object) } as Writable;
        if (isNoise(edit, before, edited)) return;
        checked++;
        expect({ found: changes(before, edited), edited }).not.toMatchObject({ found: [] });
        expect(changes(edited, before)).not.toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(checked).toBeGreaterThan(RUNS / 2);
  });

  const set = (...opacObjectFields: Writable[]) => ({
    opacObjectId: '1',
    opacObjectFieldSets: [{ identifier: 'size', opacObjectFields }],
  });
  const value = (of: string, ...pairs: [string, string][]) => ({
    value: of,
    opacObjectFieldAttributes: pairs.map(([key, each]) => ({ key, value: each })),
  });
  const images = (...imageDerivatives: Writable[]) => ({
    opacObjectId: '1',
    imagesCollection: { images: [{ imageId: '7', imageDerivatives }] },
  });
  const related = (relationship: object, ...relatedRecordAttributes: Writable[]) => ({
    opacObjectId: '1',
    relationshipsCollection: {
      relationships: [
        {
          relationshipId: 'maker',
          relatedRecordType: 'person',
          totalRelatedRecords: 50,
          relatedRecords: [{ relatedRecordId: '77', title: 'Rita', relatedRecordAttributes }],
          ...relationship,
        },
      ],
    },
  });

  it.each<[string, Writable, Writable, string[]]>([
    [
      'an attribute that moves to another value',
      set(value('10', ['unit', 'cm']), '20'),
      set('10', value('20', ['unit', 'cm'])),
      ['size@unit moved'],
    ],
    [
      'an attribute of a value that was replaced',
      set(value('c. 1500', ['earliest', '1500'])),
      set(value('c. 1510', ['earliest', '1510'])),
      ['size changed', 'size@earliest changed'],
    ],
    [
      'an attribute key that is there twice',
      set(value('10', ['unit', 'cm'], ['unit', 'mm'])),
      set(value('10', ['unit', 'in'], ['unit', 'mm'])),
      ['size@unit changed'],
    ],
    [
      'two derivatives with one name',
      images({ identifier: 'LARGE', url: 'a' }, { identifier: 'LARGE', url: 'b' }),
      images({ identifier: 'LARGE', url: 'c' }, { identifier: 'LARGE', url: 'b' }),
      ['image.7.LARGE.url changed'],
    ],
    [
      'the kind of related records',
      related({}),
      related({ relatedRecordType: 'venue' }),
      ['relationship.maker@relatedRecordType changed'],
    ],
    [
      'a total of more than are listed',
      related({}),
      related({ totalRelatedRecords: 90 }),
      ['relationship.maker@totalRelatedRecords changed'],
    ],
    [
      'attributes of a related record with one name',
      related({}, { identifier: 'role', values: ['a'] }, { identifier: 'role', values: ['b'] }),
      related({}, { identifier: 'role', values: ['c'] }, { identifier: 'role', values: ['b'] }),
      ['relationship.maker.77@role changed'],
    ],
    [
      'a collection that is text',
      { opacObjectId: '1', opacCollection: 'two' },
      { opacObjectId: '1', opacCollection: 'three' },
      ['record.opacCollection changed'],
    ],
    [
      'another id beside the one that counts',
      { opacObjectId: '1', id: '5' },
      { opacObjectId: '1', id: '6' },
      ['record.id changed'],
    ],
    [
      'one image more, and not also the total',
      { opacObjectId: '1', imagesCollection: { images: [{ imageId: '7' }], totalImages: 1 } },
      {
        opacObjectId: '1',
        imagesCollection: { images: [{ imageId: '7' }, { imageId: '8' }], totalImages: 2 },
      },
      ['image.8 added'],
    ],
    [
      'a first related record, and nothing beside it',
      { opacObjectId: '1' },
      related({ totalRelatedRecords: 1 }),
      ['relationship.maker.77 added'],
    ],
  ])('reports %s', (_, before, after, expected) => {
    expect(fields(before, after)).toEqual(expected);
  });
});

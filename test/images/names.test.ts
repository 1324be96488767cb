/** File names from the values of records: safe on every file system, unique, and independent of the order of the images. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImageRow } from '../../src/images/image-row.js';
import { foldName, getImageKey, toSafeName, UniqueNames } from '../../src/images/names/file-names.js';
import { parseTemplate } from '../../src/images/names/name-template.js';
import { readRecord } from '../../src/service/records/record.js';
import { nastyText } from '../nasty-text.js';

/** Returns the image of an object with these values. */
function rowOf(fields: Readonly<Record<string, string>>, id = '1', imageId = `7${id}`): ImageRow {
  const record = readRecord({
    opacObjectId: id,
    opacObjectFieldSets: Object.entries(fields).map(([identifier, value]) => ({
      identifier,
      opacObjectFields: [{ value }],
    })),
    imagesCollection: { images: [{ imageId, imageDerivatives: [] }] },
  });
  const [image] = record.images;
  if (!image) throw new Error('the record has an image');
  return { record, image, position: 1 };
}

const HOSTILE: readonly (readonly [value: string, name: string])[] = [
  ['../../x', '__.._x'],
  ['..', '_'],
  ['/etc/passwd', '_etc_passwd'],
  ['C:\\Museum\\jar', 'C__Museum_jar'],
  ['CON', '_CON'],
  ['con.jpg', '_con.jpg'],
  ['LPT¹', '_LPT¹'],
  ['CONSTABLE', 'CONSTABLE'],
  ['trailing dots...', 'trailing_dots'],
  ['trailing space ', 'trailing_space_'],
  ['.hidden', '_hidden'],
  ['-rf', '_rf'],
  ['a\u0000b\u001b[31m\u202ec\u200bd', 'ab[31mcd'],
  ['tab\tand\nline', 'tab_and_line'],
  ['<a href="x">|*?', '_a_href=_x_____'],
  ['ka\u0304kahu', 'kākahu'],
  ['🦜', '🦜'],
  ['\ud800lone', 'lone'],
  ['', '_'],
];

/** Returns true if the name is valid on NTFS, APFS, ext4 and FAT. */
function isSafe(name: string): boolean {
  return (
    name !== '' &&
    Buffer.byteLength(name) <= 120 &&
    Buffer.from(name).toString() === name &&
    !/[\p{Cc}\p{Cf}\s<>:"/\\|?*]/u.test(name) &&
    !/^[.\-~]|\.$/.test(name) &&
    !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
  );
}

describe('toSafeName', () => {
  it.each(HOSTILE)('converts %j to %j', (value, name) => {
    expect(toSafeName(value)).toBe(name);
    expect(isSafe(name)).toBe(true);
  });

  it('returns a safe name for any text, and does not change it a second time', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        expect(isSafe(toSafeName(text))).toBe(true);
        expect(toSafeName(toSafeName(text))).toBe(toSafeName(text));
      }),
      { numRuns: 50 },
    );
  });

  it('returns different names for long texts that differ at their end', () => {
    const long = 'ā'.repeat(300);
    expect(toSafeName(`${long}1`)).not.toBe(toSafeName(`${long}2`));
    expect(Buffer.byteLength(toSafeName(long))).toBeLessThanOrEqual(110);
  });
});

describe('parseTemplate', () => {
  it('inserts values, or the id if there is none, and creates folders only for its own slashes', () => {
    const { stem } = parseTemplate('{collection_units}/{accession_no}-{position}.{ext}');
    expect(stem(rowOf({ accession_no: '1869/1', collection_units: 'Glass' }))).toBe('Glass/1869_1-1');
    expect(stem(rowOf({ collection_units: '..' }, '20055'))).toBe('_/20055-1');
  });

  it.each([
    ['x', 'contains no field'],
    ['../{id}', 'leads outside the folder'],
    ['/{id}', 'leads outside the folder'],
    ['C:{id}', 'leads outside the folder'],
    ['a/./{id}', 'leads outside the folder'],
    ['a\\{id}', 'leads outside the folder'],
    ['{id', 'contains no field'],
    ['{id}{', 'has an unmatched { or }'],
    ['{ext}/{id}', 'has {ext} before the end'],
  ])('refuses %j', (template, message) => {
    expect(() => parseTemplate(template)).toThrow(message);
  });
});

it('removes {ext} at the end of a template, also with spaces', () => {
  expect(parseTemplate('{id}.{ ext }').columns).toHaveLength(1);
});

describe('UniqueNames', () => {
  const { stem } = parseTemplate('{accession_no}');

  /** Returns the names of the rows, by their image keys, for rows in this order. */
  function assignNames(rows: readonly ImageRow[]): Map<string, string> {
    const names = new UniqueNames();
    for (const row of rows) names.add(stem(row));
    const nameOf = names.createAssigner();
    return new Map(rows.map((row) => [getImageKey(row), nameOf(stem(row), getImageKey(row))]));
  }

  it('returns names that differ not only in case or Unicode form, for rows in any order', () => {
    const alike = [
      'A1',
      'a1',
      'Kākahu',
      'KA\u0304KAHU',
      'ka\u0304kahu',
      'straße',
      'STRASSE',
      'ﬁg',
      'fig',
      'a:1',
      'a/1',
      'own',
    ];
    const rows = alike.map((value, n) => rowOf({ accession_no: value }, String(n)));
    const names = assignNames(rows);
    expect(new Set([...names.values()].map(foldName)).size).toBe(rows.length);
    expect(names.get(getImageKey(rows.at(-1) as ImageRow))).toBe('own');
    expect(Object.fromEntries(assignNames(rows.toReversed()))).toEqual(Object.fromEntries(names));
  });

  it('returns unique and safe names for any values', () => {
    const hostile = fc.oneof(
      fc.constantFrom(...HOSTILE.map(([value]) => value), 'a', 'A', 'a~b', 'x'.repeat(300)),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 30 }), (values) => {
        const rows = values.map((value, n) => rowOf({ accession_no: value }, String(n)));
        const names = [...assignNames(rows).values()];
        expect(new Set(names.map(foldName)).size).toBe(rows.length);
        expect(names.filter((name) => !isSafe(name))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('returns different names for repetitions of the same image in a record', () => {
    const row = rowOf({ accession_no: 'A' });
    const names = new UniqueNames();
    for (let n = 0; n < 3; n++) names.add(stem(row));
    const nameOf = names.createAssigner();
    const given = [1, 2, 3].map(() => nameOf(stem(row), getImageKey(row)));
    expect(new Set(given).size).toBe(3);
  });
});

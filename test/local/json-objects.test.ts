import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotObjects, ObjectFinder } from '../../src/local/files/json-objects.js';

function objectsIn(text: Buffer, pieceLength: number): { text: string; line: number }[] {
  const finder = new ObjectFinder();
  const pieces: Buffer[] = [];
  for (let at = 0; at < text.length; at += pieceLength) pieces.push(text.subarray(at, at + pieceLength));
  const found = [...pieces.flatMap((piece) => finder.next(piece)), ...finder.end()];
  return found.map(({ bytes, line }) => ({ text: bytes.toString(), line }));
}

describe('JSON objects in pieces of a text', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());

  it('are found whatever the length of the pieces, with the line they begin in', () => {
    fc.assert(
      fc.property(
        fc.array(object),
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        (list, indented, length) => {
          const texts = list.map((each) => JSON.stringify(each, null, indented ? 2 : 0));
          const text = indented ? `\uFEFF[${texts.join(',\r\n')}]` : texts.join('\n');
          let line = 1;
          const expected = texts.map((each) => {
            const found = { text: each, line };
            line += each.split('\n').length;
            return found;
          });
          expect(objectsIn(Buffer.from(text), Math.max(length, 3))).toEqual(expected);
        },
      ),
    );
  });

  it('are refused when the text ends within one, with the line it begins in', () => {
    fc.assert(
      fc.property(object, fc.nat(), fc.integer({ min: 1, max: 50 }), (value, cut, length) => {
        const bytes = Buffer.from(JSON.stringify(value, null, 1));
        const text = Buffer.concat([Buffer.from('{}\n'), bytes.subarray(0, 1 + (cut % (bytes.length - 1)))]);
        expect(() => objectsIn(text, length)).toThrow(new NotObjects(2));
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecordsInFiles } from '../../src/local/file-record-list.js';
import { FileRecord, TextRecord } from '../../src/local/record.js';
import { arrayRecordList } from '../../src/local/record-list.js';
import { Searcher } from '../../src/local/search/searcher.js';
import { createStore } from '../../src/local/store.js';
import { nastyText } from '../nasty-text.js';

/** Characters whose number changes with case mapping or normalization, and two characters with an ASCII lower case. */
const TRICKY = [
  ...'aAeéÉēıİiIßẞςσΣάΆŉǰﬁﬀÅÅK가각kK/',
  'e\u0301',
  '\u0301',
  'ᾳ',
  'ΐ',
  'Ǆ',
  '\0',
  ' ',
  '-',
  '\n',
];
const text = fc.oneof(nastyText, fc.string({ unit: fc.constantFrom(...TRICKY), maxLength: 12 }));

const objectOf = (id: number, fields: Readonly<Record<string, readonly string[]>>) => ({
  opacObjectId: String(id),
  opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
    identifier,
    opacObjectFields: values.map((value) => ({ value })),
  })),
  imagesCollection: { images: [{ imageDerivatives: [{ identifier: 'LARGE' }] }] },
});

/** Ways to write the same JSON. */
const WRITERS: readonly ((value: unknown) => string)[] = [
  JSON.stringify,
  (value) => JSON.stringify(value, undefined, 1),
  (value) =>
    JSON.stringify(value).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (value) => JSON.stringify(value).replaceAll('/', '\\/'),
];

it('finds the same records in files as in memory, with any text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.dictionary(
          fc.oneof(fc.constantFrom('name', 'place', 'LARGE'), text),
          fc.array(text, { maxLength: 3 }),
          { maxKeys: 3 },
        ),
        {
          minLength: 1,
          maxLength: 6,
        },
      ),
      fc.nat(),
      fc.nat(),
      fc.nat({ max: 4 }),
      fc.constantFrom(...WRITERS),
      async (drafts, from, begin, length, write) => {
        const texts = drafts.map((fields, id) => write(objectOf(id, fields)));
        const files = new RecordsInFiles(async function* () {
          for (const [id, json] of texts.entries())
            yield [
              new FileRecord({
                kind: 'objects',
                id: String(id),
                bytes: Buffer.from(json),
                path: '',
                place: '',
              }),
            ];
        });
        const textRecords = texts.map((json, id) => new TextRecord('objects', String(id), () => json));
        const inFiles = createStore((kind) => files.listOf(kind));
        const inMemory = createStore((kind) => arrayRecordList(kind === 'objects' ? textRecords : []));
        expect(await inFiles.records.objects.identifiers()).toEqual(
          await inMemory.records.objects.identifiers(),
        );

        const values = drafts.flatMap((fields) => Object.values(fields).flat());
        const letters = [...(values[from % (values.length || 1)] ?? '')];
        const start = letters.length === 0 ? 0 : begin % letters.length;
        const wanted = letters
          .slice(start, start + 1 + length)
          .join('')
          .replace(/[\\"]/g, '\\$&');
        for (const word of [wanted, wanted.toLowerCase(), wanted.toUpperCase()])
          for (const query of [
            `"${word}"`,
            `name:"${word}"`,
            `place:("${word}", "x")`,
            `NOT name:"${word}"`,
          ]) {
            const ids = async (store: typeof inFiles) => {
              const { count, read } = await new Searcher(store).select(
                'objects',
                new URLSearchParams({ query }),
              );
              return (await read(Array.from({ length: count }, (_, index) => index))).map(({ id }) => id);
            };
            expect(await ids(inFiles), query).toEqual(await ids(inMemory));
          }
      },
    ),
  );
});

it('continues to read the files where it stopped, and restarts for earlier records', async () => {
  let read = 0;
  const files = new RecordsInFiles(async function* () {
    for (let begin = 0; begin < 25_000; begin += 500) {
      read++;
      yield Array.from({ length: 500 }, (_, index) => {
        const id = String(begin + index);
        const bytes = Buffer.from(`{"opacObjectId":"${id}"}`);
        return new FileRecord({ kind: 'objects', id, bytes, path: '', place: '' });
      });
    }
  });
  const store = createStore((kind) => files.listOf(kind));
  const selection = await new Searcher(store).select('objects', new URLSearchParams());
  expect([selection.count, read]).toEqual([25_000, 50]);
  for (const first of [0, 9_000, 12_000, 24_990, 100]) {
    const records = await selection.read([first, first + 1, first + 9]);
    expect(records.map(({ id }) => Number(id))).toEqual([first, first + 1, first + 9]);
  }
  expect(read).toBeLessThan(50 + 50 + 25);
});

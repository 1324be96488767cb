import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRecord, type StoredRecord } from '../../../src/mock/data/record-list.js';
import { HeldRecords } from '../../../src/mock/files/held-records.js';
import { IndexedRecord } from '../../../src/mock/files/search-index.js';
import { queryPredicate } from '../../../src/mock/search/match.js';
import { nastyText } from '../../nasty-text.js';

/** Letters whose case or accents change their number or their neighbours. */
const TRICKY = [...'aAeéÉēıİiIßẞςσΣάΆŉǰﬁﬀÅÅK가각', 'e\u0301', '\u0301', 'ᾳ', 'ΐ', 'Ǆ', '\0', ' ', '-'];
const text = fc.oneof(nastyText, fc.string({ unit: fc.constantFrom(...TRICKY), maxLength: 12 }));

const objectOf = (id: number, fields: Readonly<Record<string, readonly string[]>>) => ({
  opacObjectId: String(id),
  opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
    identifier,
    opacObjectFields: values.map((value, n) => ({
      value,
      ...(n === 1 && { opacObjectFieldAttributes: [{ key: 'earliest_date', value: `${values[0]}` }] }),
    })),
  })),
});

it('finds in columns what is found in the records themselves, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ name: fc.array(text, { maxLength: 3 }), place: fc.array(text, { maxLength: 2 }) }),
        {
          minLength: 1,
          maxLength: 6,
        },
      ),
      fc.nat(),
      fc.nat(),
      fc.nat({ max: 4 }),
      fc.constantFrom<(text: string) => string>(
        (same) => same,
        (each) => each.toUpperCase(),
        (each) => each.toLowerCase(),
        (each) => each.normalize('NFD'),
      ),
      (drafts, from, begin, length, changed) => {
        const records = drafts.map((fields, id) => objectOf(id, fields));
        const held = new HeldRecords('objects');
        for (const record of records) {
          const bytes = Buffer.from(JSON.stringify(record));
          held.add({ kind: 'objects', id: record.opacObjectId, bytes, path: '', place: '' });
        }
        const values = drafts.flatMap(({ name, place }) => [...name, ...place]);
        const value = values[from % (values.length || 1)] ?? '';
        // Whole letters: half of one cannot be asked for.
        const letters = [...value];
        const start = letters.length === 0 ? 0 : begin % letters.length;
        const wanted = changed(letters.slice(start, start + 1 + length).join(''));
        for (const field of ['name', undefined])
          for (const quoted of [true, false])
            for (const each of [wanted, `${wanted}*`, '', '*']) {
              const term = {
                type: 'term' as const,
                ...(field && { field }),
                values: [{ text: each, quoted }],
              };
              const found = queryPredicate(term, { highlights: [] });
              for (const [index, record] of records.entries()) {
                const parsed = parseRecord('objects', record);
                const searched = new IndexedRecord(held.index, index);
                const indexed = found({ kind: 'objects', id: '', searched } as unknown as StoredRecord);
                expect(indexed).toBe(
                  found({ kind: 'objects', id: '', searched: parsed } as unknown as StoredRecord),
                );
                expect(searched.get('name') ?? []).toEqual(parsed.fields.get('name') ?? []);
              }
            }
      },
    ),
    { numRuns: 300 },
  );
});

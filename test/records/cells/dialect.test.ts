import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDelimited } from '../../../src/cli/output/rows.js';
import { replaceInBlocks, replaceMatches } from '../../../src/records/cells/dialect.js';

describe('replaceInBlocks', () => {
  it('doubles and reduces the quotes of long texts in the same way as replaceAll', () => {
    const run = fc.record({ quotes: fc.nat(70_000), others: fc.nat(70_000) });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), (runs) => {
        const text = runs.map(({ quotes, others }) => '"'.repeat(quotes) + 'a'.repeat(others)).join('');
        const doubled = replaceInBlocks(text, '"', '""');
        expect(doubled === text.replaceAll('"', '""')).toBe(true);
        expect(replaceInBlocks(doubled, '""', '"') === text).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('formatDelimited', () => {
  it('writes a very long cell, and the rows around it, like other cells', async () => {
    const long = `${'"'.repeat(1_000_000)},`;
    const print = async (rows: readonly (readonly string[])[]) => {
      async function* iterateRows() {
        yield* rows;
      }
      const texts: string[] = [];
      for await (const text of formatDelimited(iterateRows(), 'csv')) texts.push(text);
      return texts.join('');
    };
    const quoted = `"${'""'.repeat(1_000_000)},"`;
    expect((await print([['a'], [''], [long], ['x"y\r']])) === `a\n""\n${quoted}\n"x""y\r"\n`).toBe(true);
    expect(
      (await print([
        ['', ''],
        [long, 'b,'],
      ])) === `,\n${quoted},"b,"\n`,
    ).toBe(true);
  });
});

it('replaces matches in long texts in the same way as String.replace', () => {
  const part = fc.constantFrom('\n', ';', '=', 'a', '\t');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('').repeat(20_000 / (parts.length + 1));
      expect(replaceMatches(text, /[\n\t]/g, () => ' ') === text.replace(/[\n\t]/g, ' ')).toBe(true);
    }),
  );
});

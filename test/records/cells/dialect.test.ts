import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDelimited } from '../../../src/cli/output/rows.js';
import { replaceInBlocks, replaceMatches } from '../../../src/records/cells/dialect.js';

describe('quotes in a long text', () => {
  it('are doubled and reduced as by replaceAll, also at the ends of blocks', () => {
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

describe('a very long cell', () => {
  it('is written as other cells, and so are the rows around it', async () => {
    const long = `${'"'.repeat(1_000_000)},`;
    const print = async (rows: readonly (readonly string[])[]) => {
      async function* all() {
        yield* rows;
      }
      const texts: string[] = [];
      for await (const text of formatDelimited(all(), 'csv')) texts.push(text);
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

it('matches in a long text are replaced as by replace', () => {
  const part = fc.constantFrom('\n', ';', '=', 'a', '\t');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('').repeat(20_000 / (parts.length + 1));
      expect(replaceMatches(text, /[\n\t]/g, () => ' ') === text.replace(/[\n\t]/g, ' ')).toBe(true);
    }),
  );
});

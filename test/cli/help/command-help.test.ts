/** What help says, on the narrowest terminal that people have. */
import { describe, expect, it } from 'vitest';
import { NOUNS } from '../../../src/cli/nouns.js';
import { FAULT_KINDS } from '../../../src/mock/faults/fault.js';
import { opac } from '../run-in-process.js';

const COLUMNS = 80;

async function help(...words: readonly string[]): Promise<string> {
  return (await opac([...words, '--help'], { columns: COLUMNS, environment: { NO_COLOR: '1' } })).stdout;
}

describe('help', () => {
  it('breaks no line where the terminal would, but command lines, which are copied', async () => {
    const pages: (readonly [page: string, text: string])[] = [['opac', await help()]];
    for (const { name, load } of NOUNS) {
      pages.push([name, await help(name)]);
      for (const verb of (await load()).commands)
        if (verb.name !== name) pages.push([`${name} ${verb.name}`, await help(name, verb.name)]);
    }
    const tooLong = pages.flatMap(([page, text]) =>
      text
        .split('\n')
        .filter((line) => line.length > COLUMNS && !line.startsWith('  $ '))
        .map((line) => `${page}: ${line}`),
    );
    expect(tooLong).toEqual([]);
  });

  it('of an export names the formats that it has, and their default', async () => {
    const text = (await help('objects', 'export')).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      '--format <name> tsv, csv, json, ndjson, ids, xlsx, parquet (default: by file extension, otherwise csv)',
    );
    expect(text.match(/--format/g)).toHaveLength(1);
    expect(text).not.toMatch(/\bcard\b/);
  });

  it('of the museum names every fault it has', async () => {
    const text = (await help('mock')).replaceAll(/\s+/g, ' ');
    expect(FAULT_KINDS.filter((kind) => !text.includes(kind))).toEqual([]);
  });
});

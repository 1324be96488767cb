/** The output of `--help` on a terminal with 80 columns. */
import { describe, expect, it } from 'vitest';
import { NOUNS } from '../../../src/cli/nouns.js';
import { FAULT_KINDS } from '../../../src/mock/faults/fault.js';
import { opac } from '../run-in-process.js';

const COLUMNS = 80;

async function printHelp(...words: readonly string[]): Promise<string> {
  return (await opac([...words, '--help'], { columns: COLUMNS, environment: { NO_COLOR: '1' } })).stdout;
}

describe('--help', () => {
  it('prints no lines that are wider than the terminal, except command lines', async () => {
    const pages: (readonly [page: string, text: string])[] = [['opac', await printHelp()]];
    for (const { name, load } of NOUNS) {
      pages.push([name, await printHelp(name)]);
      for (const verb of (await load()).commands)
        if (verb.name !== name) pages.push([`${name} ${verb.name}`, await printHelp(name, verb.name)]);
    }
    const tooLong = pages.flatMap(([page, text]) =>
      text
        .split('\n')
        .filter((line) => line.length > COLUMNS && !line.startsWith('  $ '))
        .map((line) => `${page}: ${line}`),
    );
    expect(tooLong).toEqual([]);
  });

  it('lists the formats of an export, and the default format', async () => {
    const text = (await printHelp('objects', 'export')).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      '--format <name> tsv, csv, json, ndjson, ids, xlsx, parquet (default: by file extension, otherwise csv)',
    );
    expect(text.match(/--format/g)).toHaveLength(1);
    expect(text).not.toMatch(/\bcard\b/);
  });

  it('lists all faults of the built-in museum', async () => {
    const text = (await printHelp('mock')).replaceAll(/\s+/g, ' ');
    expect(FAULT_KINDS.filter((kind) => !text.includes(kind))).toEqual([]);
  });
});

/** `opac diff`: long texts, marked words on a terminal, --collection, and unknown options. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../e2e/opac.js';
import { opac, type RunOptions } from '../run-in-process.js';

interface TestRecord {
  readonly id: string;
  readonly name: string;
  readonly collection?: object;
}

/** Compares two files of these records. */
async function diffOf(
  older: readonly TestRecord[],
  newer: readonly TestRecord[],
  words: string[],
  options?: RunOptions,
) {
  const folder = await createFolder();
  const files = await Promise.all(
    [older, newer].map(async (records, n) => {
      const lines = records.map(({ id, name, collection }) =>
        JSON.stringify({
          opacObjectId: id,
          recordType: 'object',
          opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value: name }] }],
          ...(collection && { opacCollection: collection }),
        }),
      );
      const file = join(folder, `${n}.ndjson`);
      await writeFile(file, `${lines.join('\n')}\n`);
      return file;
    }),
  );
  return opac(['diff', ...files, ...words], options);
}

describe('long texts', () => {
  it('are cut and compared as a whole, not word by word', async () => {
    const long = 'word '.repeat(200_000);
    const { code, stdout } = await diffOf(
      [{ id: '1', name: `old ${long}` }],
      [{ id: '1', name: `new ${long}` }],
      ['-f', 'html'],
    );
    expect([code, stdout.length < 20_000]).toEqual([0, true]);
    expect(stdout).toMatch(/<del>old word [^<]*… \(1,000,00\d characters\)<\/del> <ins>new word /);
  });
});

describe('changed words', () => {
  it.each([
    ['Fern', 'Fern (Plate 3)', 'Fern {+(Plate 3)+}'],
    ['Fern (Plate 3)', 'Fern', 'Fern [-(Plate 3)-]'],
    ['Fern (Plate 3), 1840', 'Fern, 1840', 'Fern [-(Plate 3)-], 1840'],
    ['red', 'red, blue and green', 'red{+, blue and green+}'],
    ['A study of two ferns', 'A study of three ferns', 'A study of [-two-]{+three+} ferns'],
    ['A fern', 'Two tuis (1840)', '[-A fern-] {+Two tuis (1840)+}'],
    ['Oil paint on canvas', 'Graphite on paper', '[-Oil paint-] {+Graphite+} on [-canvas-]{+paper+}'],
    ['Graphite on paper', 'Oil paint on canvas', '[-Graphite-] {+Oil paint+} on [-paper-]{+canvas+}'],
  ])('are marked once without colours: from %j to %j', async (older, newer, shown) => {
    const screen = { columns: 80, environment: { NO_COLOR: '1' } };
    const { code, stdout } = await diffOf([{ id: '1', name: older }], [{ id: '1', name: newer }], [], screen);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.trim())).toContain(shown);
  });

  it('are marked once without colours, even if they continue on the next line', async () => {
    const long = Array.from({ length: 30 }, (_, n) => `word${n}`).join(' ');
    const screen = { columns: 50, environment: { NO_COLOR: '1' } };
    const { stdout } = await diffOf(
      [{ id: '1', name: 'Fern' }],
      [{ id: '1', name: `Fern ${long}` }],
      [],
      screen,
    );
    expect(stdout.match(/\{\+/g)).toHaveLength(1);
    expect(stdout.match(/\+\}/g)).toHaveLength(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Fern {+${long}+}`);
  });

  it('have colours instead of marks on a terminal with colours', async () => {
    const screen = { columns: 80, environment: { COLORTERM: 'truecolor', TERM: 'xterm-256color' } };
    const { stdout } = await diffOf(
      [{ id: '1', name: 'Fern' }],
      [{ id: '1', name: 'Fern (Plate 3)' }],
      [],
      screen,
    );
    expect(stdout).toContain('\u001b[');
    expect(stdout).not.toMatch(/\{\+|\[-/);
  });
});

describe('--collection', () => {
  const collections = {
    names: [{ collectionName: 'Prints' }, { collectionName: 'Textiles' }],
    'names and empty ids': [
      { opacCollectionId: '', collectionName: 'Prints' },
      { opacCollectionId: null, collectionName: 'Textiles' },
    ],
    'ids and names': [
      { opacCollectionId: 4, collectionName: 'Prints' },
      { opacCollectionId: 5, collectionName: 'Textiles' },
    ],
  };

  it.each(Object.entries(collections))(
    'compares only the records of one collection, for collections with %s',
    async (_, [prints, textiles]) => {
      const records = (suffix: string) => [
        { id: '1', name: `Fern${suffix}`, collection: prints as object },
        { id: '2', name: `Cloak${suffix}`, collection: textiles as object },
        { id: '3', name: `Stone${suffix}` },
      ];
      const compare = (...words: string[]) => diffOf(records(''), records(' 2'), [...words, '-f', 'ids']);
      expect((await compare()).stdout).toBe('1\n2\n3\n');
      expect(await compare('--collection', 'Prints')).toMatchObject({ code: 0, stdout: '1\n' });
      expect(await compare('--collection', 'textiles')).toMatchObject({ code: 0, stdout: '2\n' });
      const unknown = await compare('--collection', 'Pirnts');
      expect([unknown.code, unknown.stdout]).toEqual([2, '']);
      expect(unknown.stderr).toContain('unknown collection "Pirnts"');
      expect(unknown.stderr).toContain('(Prints)');
    },
  );
});

describe('an unknown option', () => {
  it.each(['--labels', '--split', '--excel', '--strict'])(
    'causes no hint with --where if other commands have the option: %s',
    async (option) => {
      const { code, stdout, stderr } = await opac(['diff', 'mirror', option]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`unknown option "${option}"`);
      expect(stderr).not.toContain('--where');
    },
  );

  it('causes a hint with --where if no command has the option', async () => {
    const { code, stderr } = await opac(['diff', 'mirror', '--maker_name']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--where "maker_name=<value>"')]);
  });
});

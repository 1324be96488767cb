/** Damaged exports, mirrors and pages: opac reads exactly what they contain, or refuses them with a clear message. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createTableConverter } from '../../src/export/convert/table-writer.js';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { TSV } from '../../src/records/cells/dialect.js';
import { parseMultiValueRule } from '../../src/records/cells/multi-value-rule.js';
import { createChosenColumns } from '../../src/records/columns/parsed-columns.js';
import { readTable } from '../../src/records/files/read-table.js';
import { readLines } from '../../src/records/json/page-records.js';
import { asList, asObject, type Json, type JsonObject } from '../../src/service/json.js';
import { parseColumns } from '../../src/service/records/columns.js';
import { readRecord } from '../../src/service/records/record.js';
import { opac } from '../cli/run-in-process.js';
import { convertText } from '../export/convert.js';
import { damagedBytes, damagedJson } from './damage.js';
import { expectPlain } from './plain.js';
import { runs } from './runs.js';

vi.setConfig({ testTimeout: 1_800_000 });

let museum: Museum;
let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  museum = await startMuseum({ records: 12 });
  folder = await mkdtemp(join(tmpdir(), 'opac-fuzz-'));
  return async () => {
    await museum.close();
    await rm(folder, { recursive: true, force: true });
  };
});

const run = (...words: string[]) => opac([...words, '--quiet']);

/** Returns the records of all lines that are JSON, without fields that have no value, because these are noise. */
function recordsIn(text: string): JsonObject[] {
  return text.split('\n').flatMap((line) => {
    try {
      // These keys have the same meaning for each kind of record.
      const plain = line.replace(/"opac\w*(FieldSets|Fields|FieldAttributes)":/g, '"opacObject$1":');
      const record = asObject(JSON.parse(plain, removeEmpty));
      const fieldSets = asList(record.opacObjectFieldSets).filter((each) => fieldValues(each).length > 0);
      return [{ ...record, opacObjectFieldSets: fieldSets }];
    } catch {
      return [];
    }
  });
}

/** A reviver for JSON.parse. Removes keys without a value and totals of 0, because these are noise. */
function removeEmpty(key: string, value: Json): Json | undefined {
  if (value === '' || value === null || (value === 0 && key.startsWith('total'))) return undefined;
  if (Array.isArray(value)) return value.every((each) => each === undefined) ? undefined : value;
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value;
}

function fieldValues(fieldSet: Json): readonly Json[] {
  return asList(asObject(fieldSet).opacObjectFields).filter((field) =>
    Object.values(asObject(field)).some((each) => each !== ''),
  );
}

/** Exports three records. Returns the lines of the export by the ids of the records. */
async function exportThreeRecords(): Promise<ReadonlyMap<string, string>> {
  await run(
    'objects',
    'export',
    '--limit',
    '3',
    '-o',
    at('three.ndjson'),
    '--base-url',
    museum.url,
    '--force',
  );
  const lines = (await readFile(at('three.ndjson'), 'utf8')).trimEnd().split('\n');
  await rm(at('three.ndjson.manifest.json'));
  return new Map(lines.map((line) => [JSON.parse(line).opacObjectId as string, line]));
}

describe('an export', () => {
  it('is refused by diff if it is damaged, or diff reports every changed record', async () => {
    const records = await exportThreeRecords();
    const intact = Buffer.from(`${[...records.values()].join('\n')}\n`);
    await fc.assert(
      fc.asyncProperty(damagedBytes(intact), async (bytes) => {
        await writeFile(at('new.ndjson'), bytes);
        const ran = await run('diff', at('three.ndjson'), at('new.ndjson'), '--noise', 'all', '-f', 'ids');
        expectPlain(ran, [0, 2, 6]);
        fc.pre(ran.code === 0);
        const reported = ran.stdout.split('\n');
        for (const [id, line] of records)
          if (!reported.includes(id)) expect(recordsIn(bytes.toString())).toContainEqual(recordsIn(line)[0]);
      }),
      runs(8),
    );
  });

  it('is refused by --from if it is damaged, or all its undamaged records are listed', async () => {
    const records = await exportThreeRecords();
    const intact = Buffer.from(`${[...records.values()].join('\n')}\n`);
    await fc.assert(
      fc.asyncProperty(damagedBytes(intact), async (bytes) => {
        await writeFile(at('from.ndjson'), bytes);
        const ran = await run('objects', 'list', '--all', '-f', 'ids', '--from', at('from.ndjson'));
        expectPlain(ran, [0, 2, 6]);
        fc.pre(ran.code === 0);
        const listed = ran.stdout.split('\n');
        const lines = bytes.toString().split('\n');
        for (const [id, line] of records) if (lines.includes(line)) expect(listed).toContain(id);
      }),
      runs(8),
    );
  });
});

describe('a mirror', () => {
  it('contains every record after the next run, although its state is damaged', async () => {
    const sync = () =>
      run('sync', at('mirror'), '--kinds', 'objects', '--ending', 'ndjson', '--base-url', museum.url);
    expect((await sync()).code).toBe(0);
    const state = await readFile(at('mirror/mirror.json'), 'utf8');
    const intact = await readFile(at('mirror/objects.ndjson'), 'utf8');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(damagedJson(JSON.parse(state)), damagedBytes(Buffer.from(state))),
        async (damaged) => {
          await writeFile(at('mirror/mirror.json'), damaged);
          expectPlain(await sync(), [0, 2, 6]);
          expect(await readFile(at('mirror/objects.ndjson'), 'utf8')).toBe(intact);
        },
      ),
      runs(10),
    );
  });
});

describe('cells', () => {
  const names = 'id,title,slug,collection,name,accession_no,maker_name,image.count,image.url';
  const chosen = parseColumns(names);
  const multi = parseMultiValueRule('first');

  it('have the same values from the bytes of a damaged page as from its parsed records', async () => {
    const page = await (await fetch(`${museum.url}/api/v3/opacobjects?limit=2&view=detail`)).text();
    await fc.assert(
      fc.asyncProperty(damagedBytes(Buffer.from(page)), async (bytes) => {
        const table = createTableConverter({
          columns: createChosenColumns('objects', chosen),
          dialect: TSV,
          multi,
        });
        let records: unknown[];
        try {
          records = JSON.parse(bytes.toString()).opacObjects;
        } catch {
          expect(readLines(bytes, 'objects', 0)).toBeUndefined();
          records = [];
        }
        const listed = readLines(bytes, 'objects', 0);
        fc.pre(listed !== undefined && Array.isArray(records));
        const lines = listed.records.map(({ bytes, start, end }) => bytes.toString('utf8', start, end));
        const text = await convertText(table, lines);
        const rows: string[][] = [];
        for await (const row of readTable([text], { format: 'tsv', excel: false })) rows.push(row);
        const objects = records.filter((each) => typeof each === 'object' && each && !Array.isArray(each));
        const cells = objects.map((raw) => {
          const record = readRecord(raw, 'objects');
          return chosen.map((column) => [...column.values(record)].find((value) => value !== '') ?? '');
        });
        expect(rows.slice(1)).toEqual(cells);
      }),
      runs(24),
    );
  });
});

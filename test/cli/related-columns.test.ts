/** Columns with the ids and slugs of related records, which join tables of objects and persons. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTable } from '../../src/records/files/read-table.js';
import { opac } from './run-in-process.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-related-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const MAKER = 'relationship.object_prod_pri_person';
const run = (line: string) => opac([...line.split(' '), '--mock']);

async function exportTable(line: string): Promise<readonly string[][]> {
  const file = join(folder, `${line.split(' ')[0]}.csv`);
  expect((await run(`${line} -o ${file}`)).code).toBe(0);
  const rows: string[][] = [];
  for await (const row of readTable([await readFile(file, 'utf8')], { format: 'csv' })) rows.push(row);
  return rows.slice(1);
}

describe('relationship.<id>.id', () => {
  it('joins exports of objects and persons', async () => {
    const persons = new Map(
      (await exportTable('persons export --columns id,title,slug')).map(([id, ...rest]) => [id, rest]),
    );
    const objects = await exportTable(
      `objects export --columns ${MAKER}.id,${MAKER},${MAKER}.slug --multi rows=${MAKER}.id,${MAKER},${MAKER}.slug`,
    );
    const related = objects.filter(([id]) => id !== '');
    expect(related.length).toBeGreaterThan(100);
    for (const [id, ...rest] of related) expect(rest).toEqual(persons.get(id));
  });

  it('has the same values in a list and an export, and is an array in JSON', async () => {
    const columns = `--columns id,${MAKER}.id`;
    const [shown, piped] = [
      await run(`objects list --all ${columns} -f csv`),
      await run(`objects export ${columns} -f csv`),
    ];
    expect(shown.stdout).toBe(piped.stdout);
    const { stdout } = await run(`objects get 20011 --columns ${MAKER}.id -f json --single`);
    expect(JSON.parse(stdout)).toEqual({ [`${MAKER}.id`]: expect.any(Array) });
  });

  it('is part of --columns all and of fields, and works in --where', async () => {
    const { stdout: header } = await run('objects export --columns all -f csv');
    expect(header.split('\n')[0]).toContain(`${MAKER},${MAKER}.id,${MAKER}.slug`);
    expect((await run('objects fields -f ids')).stdout).toContain(`${MAKER}.id\n${MAKER}.slug\n`);
    const ids = JSON.parse((await run(`objects get 20022 --columns ${MAKER}.id -f json --single`)).stdout);
    const [id] = ids[`${MAKER}.id`];
    const found = await run(`objects list --where ${MAKER}.id=${id} -f ids --all`);
    expect(found.stdout.split('\n')).toContain('20022');
  });

  it.each([
    ['list', `${MAKER}.ids`],
    ['export', `${MAKER}@id`],
    ['get 20022', `${MAKER}.name`],
  ])('causes an error if it is misspelt: %s --columns %s', async (verb, name) => {
    const { code, stdout, stderr } = await run(`objects ${verb} --columns id,${name}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`unknown column "${name}"; use relationship.<id>, relationship.<id>.id`);
  });

  it('is the suggestion for a misspelt relationship', async () => {
    const { stderr } = await run('objects list --where relationship.object_prod_pri_persn.id=1');
    expect(stderr).toContain(`did you mean "${MAKER}.id"?`);
  });
});

/** Comparisons of exports: every edit is reported, and nothing else. */
import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { check } from '../context.js';
import { differenceOf } from '../reference/difference.js';
import { readJson } from '../reference/json.js';
import { readTable } from '../reference/table.js';
import { Collection } from '../service/collection.js';
import { applyOdd, editLeaf, ODD_EDITS, respell } from '../service/edit-leaf.js';
import { createRecordStyle } from '../service/make-record.js';

/** By id, what `opac diff -f ndjson` says. */
async function reported(context, words, options) {
  const { stdout, stderr } = await context.run(['diff', ...words, '-f', 'ndjson'], options);
  const lines = stdout.toString().split('\n').slice(0, -1).map(readJson);
  return { stderr, changes: new Map(lines.map((line) => [line.get('id'), line.get('change')])) };
}

function checkChanges(found, expected, describe = () => '') {
  const wrong = [...new Set([...found.keys(), ...expected.keys()])].filter(
    (id) => found.get(id) !== expected.get(id),
  );
  const facts = wrong.map((id) => `${id} is ${expected.get(id) ?? 'the same'} ${describe(id)}`);
  check(
    wrong.length === 0,
    () => `diff is wrong about ${wrong.length} records: ${facts.slice(0, 20).join(', ')}`,
  );
}

/** Files of records that no export wrote, each record with one edit, or with changes that say nothing. */
export async function diffLeaves(context) {
  const { random } = context;
  const collection = new Collection(random, createRecordStyle(random, { days: ['2026-01-05'] }), {
    objects: 80,
  });
  const edits = new Map();
  const pairs = collection.records.objects.map((record) => {
    const choice = random.next();
    if (choice < 0.15) return [record, respell(random, record)];
    if (choice < 0.25) {
      const [what, shape, edit] = random.pick(ODD_EDITS);
      const older = applyOdd(record, shape);
      edits.set(record.id, what);
      return [older, applyOdd(older, edit)];
    }
    if (choice < 0.3) return random.pick([[record], [undefined, record]]);
    const edited = editLeaf(random, record);
    edits.set(record.id, edited.what);
    return [record, edited.record];
  });
  const sides = [0, 1].map((side) =>
    pairs.map((pair) => pair[side]).filter((record) => record !== undefined),
  );
  const names = [
    await writeRecords(context, 'old', sides[0]),
    await writeRecords(context, 'new', random.shuffle(sides[1])),
  ];
  const { changes } = await reported(context, names);
  const states = sides.map((records) => new Map(records.map((record) => [record.id, record])));
  checkChanges(changes, differenceOf(...states), (id) => `(${edits.get(id) ?? 'in another spelling'})`);
}

async function writeRecords(context, stem, records) {
  const texts = records.map(({ text }) => text);
  const [name, bytes] = context.random.pick([
    [`${stem}.ndjson`, texts.map((text) => `${text}\n`).join('')],
    [`${stem}.ndjson.gz`, gzipSync(texts.map((text) => `${text}\n`).join(''))],
    [`${stem}.json`, `[${texts.join(',\n')}]\n`],
  ]);
  await writeFile(context.path(name), bytes);
  return name;
}

/** Two exports of a service, in any two formats, with edits between them. */
export async function diffExports(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(5, 80) }, { deployment: { cap: 100 } });
  const { collection } = service;
  const before = collection.snapshot();
  const formats = ['ndjson', 'json', 'csv', 'tsv'];
  const names = ['old', 'new'].map((stem) => `${stem}.${random.pick(formats)}`);
  await context.run(['objects', 'export', '-o', names[0]], { service });
  if (random.chance(0.9)) collection.disturb();
  await context.run(['objects', 'export', '-o', names[1]], { service });
  const expected = differenceOf(before, collection.snapshot());
  const exits = expected.size > 0 ? [9] : [0];
  const { changes } = await reported(context, [...names, '--exit-code'], { exits });
  checkChanges(changes, expected);
}

/** A person edits a copy of a CSV export, which then has no manifest, and leaves columns out. */
export async function diffCopy(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(4, 30) }, { deployment: { cap: 100 } });
  const [format, separator] = random.pick([
    ['csv', ','],
    ['tsv', '\t'],
  ]);
  const columns = random.pick([
    [],
    ['--columns', 'id,title,accession_no,brief_desc'],
    ['--columns', 'id,recordType,title,name'],
  ]);
  await context.run(['objects', 'export', '-o', `own.${format}`, ...columns], { service });
  const [header, ...rows] = readTable(await readFile(context.path(`own.${format}`), 'utf8'), separator);
  const dropped = random.chance(0.5) ? random.some(header.slice(1), 1) : [];
  const kept = header.filter((name) => !dropped.includes(name));
  const expected = new Map();
  const copy = rows.flatMap((row) => {
    const cells = new Map(header.map((name, n) => [name, row[n]]));
    const id = cells.get('id');
    if (random.chance(0.1)) {
      expected.set(id, 'removed');
      return [];
    }
    if (random.chance(0.4)) {
      expected.set(id, 'changed');
      const name = random.pick(
        kept.filter((each) => ['title', 'accession_no', 'brief_desc', 'name'].includes(each)),
      );
      cells.set(name, `edited ${random.integer(1, 99)}`);
    }
    return [kept.map((name) => cells.get(name))];
  });
  const quoted = (cell) => (/["\t,\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [kept, ...copy].map((row) => `${row.map(quoted).join(separator)}\n`);
  await writeFile(context.path(`copy.${format}`), lines.join(''));
  const { changes, stderr } = await reported(context, [`own.${format}`, `copy.${format}`]);
  checkChanges(changes, expected);
  const unnamed = dropped.find((name) => name !== 'recordType' && !stderr.includes(name));
  check(
    unnamed === undefined,
    () => `diff does not say that the column ${unnamed} was not compared: ${stderr}`,
  );
}

/** Comparisons of exports. `opac diff` must report every edit, and nothing else. */
import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { check } from '../context.js';
import { computeDifference } from '../reference/difference.js';
import { readJson } from '../reference/json.js';
import { readTable } from '../reference/table.js';
import { Collection } from '../service/collection.js';
import { applyEdit, changeNotation, editLeaf, UNUSUAL_EDITS } from '../service/edit-leaf.js';
import { createRecordStyle } from '../service/make-record.js';

/** Runs `opac diff -f ndjson`. Returns its messages, and its changes by id. */
async function runDiff(context, words, options) {
  const { stdout, stderr } = await context.run(['diff', ...words, '-f', 'ndjson'], options);
  const lines = stdout.toString().split('\n').slice(0, -1).map(readJson);
  return { stderr, changes: new Map(lines.map((line) => [line.get('id'), line.get('change')])) };
}

function checkChanges(found, expected, describe = () => '') {
  const wrong = [...new Set([...found.keys(), ...expected.keys()])].filter(
    (id) => found.get(id) !== expected.get(id),
  );
  const facts = wrong.map((id) => `${id} is ${expected.get(id) ?? 'unchanged'} ${describe(id)}`);
  check(
    wrong.length === 0,
    () => `diff is wrong about ${wrong.length} records: ${facts.slice(0, 20).join(', ')}`,
  );
}

/** Compares files without a manifest. Each record has one edit, or only another notation. */
export async function diffLeaves(context) {
  const { random } = context;
  const collection = new Collection(random, createRecordStyle(random, { days: ['2026-01-05'] }), {
    objects: 80,
  });
  const edits = new Map();
  const pairs = collection.records.objects.map((record) => {
    const choice = random.next();
    if (choice < 0.15) return [record, changeNotation(random, record)];
    if (choice < 0.25) {
      const [what, shape, edit] = random.pick(UNUSUAL_EDITS);
      const older = applyEdit(record, shape);
      edits.set(record.id, what);
      return [older, applyEdit(older, edit)];
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
  const { changes } = await runDiff(context, names);
  const states = sides.map((records) => new Map(records.map((record) => [record.id, record])));
  checkChanges(changes, computeDifference(...states), (id) => `(${edits.get(id) ?? 'in another notation'})`);
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

/** Compares two exports of a service in any formats, with edits between them. */
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
  const expected = computeDifference(before, collection.snapshot());
  const exits = expected.size > 0 ? [9] : [0];
  const { changes } = await runDiff(context, [...names, '--exit-code'], { exits });
  checkChanges(changes, expected);
}

/** Simulates a user who edits a copy of a table and deletes a column. The copy has no manifest. */
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
  const quote = (cell) => (/["\t,\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [kept, ...copy].map((row) => `${row.map(quote).join(separator)}\n`);
  await writeFile(context.path(`copy.${format}`), lines.join(''));
  const { changes, stderr } = await runDiff(context, [`own.${format}`, `copy.${format}`]);
  checkChanges(changes, expected);
  const unreported = dropped.find((name) => name !== 'recordType' && !stderr.includes(name));
  check(
    unreported === undefined,
    () => `diff does not report that the column ${unreported} was not compared: ${stderr}`,
  );
}

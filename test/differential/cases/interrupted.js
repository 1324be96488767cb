/** Exports that are interrupted and resumed. In some cases, the records change meanwhile. */
import { readFile } from 'node:fs/promises';
import { check } from '../context.js';
import { FORMATS, readOutputs } from '../reference/read-output.js';
import { checkIds, checkSameRecords } from '../reference/same-data.js';
import { mayHideTotals } from '../service/deployment.js';
import { createMatcher } from '../service/query.js';
import { checkExport, chooseFormat, readExport } from './export.js';

/** Small pages, so that few records need many pages. */
const MANY_PAGES = { cap: 10, delay: 3 };

/** Sends a signal at the n-th request for a page from now. The program may end before it receives the signal. */
export function killAt(service, page, signal) {
  return {
    exits: signal === 'SIGINT' ? [130, 0] : [signal, 0],
    onStart: (kill) => service.atPage(page, () => kill(signal)),
  };
}

/** Returns a function that finds all versions of a record. */
export const findVersions =
  (service, kind = 'objects') =>
  (id) =>
    service.collection.versionsOf(kind, id);

/** Removes, adds and edits records. With `keepsTotal`, it adds as many records as it removes. */
export function changeRecords({ random }, collection, { keepsTotal }) {
  const count = random.integer(1, 8);
  collection.remove(count, 'objects', random.integer(0, 15));
  collection.add(keepsTotal ? count : random.integer(0, 8));
  for (let left = random.integer(0, 3); left > 0; left--)
    collection.edit(random.pick(collection.records.objects).id);
}

export async function exportResume(context) {
  const { random } = context;
  const deployment = { ...MANY_PAGES, ...mayHideTotals(random) };
  const service = await context.serve({ objects: random.integer(120, 250) }, { deployment });
  const chosen = chooseFormat(random);
  const strict = random.chance(0.4) ? ['--strict'] : [];
  const words = ['objects', 'export', '-o', chosen.name, ...chosen.words, ...strict];
  const concurrency = ['--concurrency', random.pick(['1', '2', '6'])];
  const signal = random.pick(['SIGKILL', 'SIGINT']);
  const first = await context.run([...words, ...concurrency], {
    service,
    ...killAt(service, random.integer(2, 11), signal),
  });
  if (first.code === 0) return;
  const isMoved = random.chance(0.8);
  if (isMoved) changeRecords(context, service.collection, { keepsTotal: random.chance(0.6) });
  await resumeToEnd(context, { service, words: [...words, '--resume'], chosen, isMoved });
}

/** An export to several files is killed and resumed, and its records may change meanwhile. */
export async function exportSeveral(context) {
  const { random } = context;
  const deployment = { ...MANY_PAGES, ...mayHideTotals(random) };
  const service = await context.serve({ objects: random.integer(60, 200) }, { deployment });
  const outputs = random.some(FORMATS, random.integer(2, 4)).map((format, n) => ({
    format,
    name: `out${n}.${format}${random.chance(0.2) && !['xlsx', 'parquet'].includes(format) ? '.gz' : ''}`,
  }));
  const wordsOf = (some) => ['objects', 'export', '--no-labels', ...some.flatMap(({ name }) => ['-o', name])];
  const { code } = await context.run(wordsOf(outputs), {
    service,
    ...killAt(service, random.integer(1, 20), random.pick(['SIGKILL', 'SIGINT'])),
  });
  const isMoved = code !== 0 && random.chance(0.6);
  if (isMoved) changeRecords(context, service.collection, { keepsTotal: random.chance(0.6) });
  const again = random.shuffle(outputs);
  if (code !== 0) {
    const resume = [...wordsOf(again), '--resume'];
    for (let left = 3; left > 0; left--) {
      const { code: next } = await context.run(resume, {
        service,
        exits: isMoved && left > 1 ? [0, 6] : [0],
      });
      if (next === 0) break;
    }
  }
  const left = (await context.names()).filter((name) => name.includes('.part'));
  check(left.length === 0, () => `left behind: ${left.join(', ')}`);
  for (const output of outputs)
    await checkExport(context, output, service.collection.snapshot(), {
      isOrdered: !isMoved,
      versionsOf: findVersions(service),
    });
}

/** Resumes an export until it is complete. If the records changed, this may need several runs. */
async function resumeToEnd(context, { service, words, chosen, isMoved, records }) {
  for (let left = 3; left > 0; left--) {
    const { code } = await context.run(words, { service, exits: isMoved && left > 1 ? [0, 6] : [0] });
    if (code === 6) continue;
    const expected = records ?? service.collection.snapshot();
    await checkExport(context, chosen, expected, { isOrdered: !isMoved, versionsOf: findVersions(service) });
    return;
  }
}

/** Records change between two pages of one run. */
export async function exportMoving(context) {
  const { random } = context;
  const deployment = { ...MANY_PAGES, ...mayHideTotals(random) };
  const service = await context.serve({ objects: random.integer(80, 200) }, { deployment });
  const { collection } = service;
  const before = collection.snapshot();
  const keepsTotal = random.chance(0.5);
  const strict = keepsTotal || random.chance(0.2) ? ['--strict'] : [];
  service.atPage(random.integer(2, 8), () => changeRecords(context, collection, { keepsTotal }));
  const chosen = chooseFormat(random);
  const concurrency = ['--concurrency', random.pick(['1', '2', '6'])];
  const { code, stderr } = await context.run(
    ['objects', 'export', '-o', chosen.name, ...chosen.words, ...strict, ...concurrency],
    { service, exits: [0, 6] },
  );
  const after = collection.snapshot();
  if (code === 6) return checkNotWritten(context, chosen, stderr);
  const listsIds = strict.length > 0 || (deployment.total !== 'none' && before.size !== after.size);
  if (listsIds) return checkExport(context, chosen, after, { versionsOf: findVersions(service) });
  // Without a list of all ids, opac promises only that each record exists or existed, and is in the export once.
  const ids = (await readExport(context, chosen)).map(({ id }) => id);
  const known = new Set([...before.keys(), ...after.keys()]);
  checkIds(
    ids,
    [...known].filter((id) => ids.includes(id)),
    { what: chosen.name },
  );
  check(deployment.total !== 'none' || /total/.test(stderr), 'no warning about the missing total');
}

/** Checks that the target does not exist, and that the message contains a number of records. */
async function checkNotWritten(context, { name }, stderr) {
  check(!(await context.names()).includes(name), () => `${name} exists after a failed export`);
  check(/\d/.test(stderr), () => `the message contains no number: ${stderr}`);
}

/** One page fails permanently. opac keeps the other records, and `--resume` receives the rest. */
export async function exportBroken(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(60, 150) }, { deployment: MANY_PAGES });
  const { collection } = service;
  const broken = `offset=${10 * random.integer(0, 5)}`;
  service.faultOf = (url) =>
    new RegExp(`[?&]${broken}(&|$)`).test(url) ? random.pick(['503', 'cut', 'damaged']) : undefined;
  const chosen = chooseFormat(random);
  const words = ['objects', 'export', '-o', chosen.name, ...chosen.words];
  const { code, stderr } = await context.run([...words, '--retries', '0'], { service, exits: [5, 6] });
  await checkNotWritten(context, chosen, stderr);
  const manifest = `${chosen.name.replace('out.', 'out.incomplete.')}.manifest.json`;
  if (code === 6 && (await context.names()).includes(manifest)) {
    const { complete, files } = JSON.parse(await readFile(context.path(manifest), 'utf8'));
    check(complete === false, 'the manifest of an incomplete export says that it is complete');
    const entries = await readOutputs(
      files.map((file) => context.path(file.name)),
      chosen.format,
    );
    const ids = entries.map(({ id }) => id);
    checkIds(
      ids,
      [...collection.snapshot().keys()].filter((id) => ids.includes(id)),
      { what: manifest },
    );
    await context.run(['verify', manifest], { exits: [6] });
  }
  service.faultOf = () => undefined;
  await resumeToEnd(context, { service, words: [...words, '--resume'], chosen, isMoved: false });
}

/** Runs the printed command that resumes an interrupted export. */
export async function exportHint(context) {
  const { random } = context;
  const service = await context.serve({ objects: 200 }, { deployment: { ...MANY_PAGES, cap: 5 } });
  const texts = random.pick([['fern'], ['moa', 'jar'], ['-5'], ['glass flute'], ['wax', '@@home']]);
  const isMatch = createMatcher(texts.map((text) => `"${text.replace('@@', '@')}"`).join(' AND '));
  const records = new Map([...service.collection.snapshot()].filter(([, record]) => isMatch(record)));
  const chosen = chooseFormat(random, ['csv', 'ndjson', 'json', 'ids']);
  const words = ['objects', 'export', '-o', chosen.name, ...chosen.words, '--', ...texts];
  const fault = random.chance(0.5);
  if (fault)
    service.faultOf = (url) => (url.includes('offset=5&') || url.endsWith('offset=5') ? '503' : undefined);
  const stop = fault ? { exits: [5, 6, 0] } : killAt(service, 3, 'SIGINT');
  const environment = { OPAC_RETRIES: '0' };
  const { code, stderr } = await context.run(words, { service, environment, ...stop });
  service.faultOf = () => undefined;
  if (code === 0) return checkExport(context, chosen, records, { isOrdered: true });
  const hint = /opac objects export [^\n;]*--resume[^\n;]*/.exec(stderr)?.[0];
  check(hint !== undefined, () => `no command to resume is printed: ${stderr}`);
  await context.runLine(hint, { service, environment: { OPAC_BASE_URL: service.url } });
  await checkExport(context, chosen, records, { isOrdered: true });
}

/** A different export to the same file does not change the partial file of an interrupted export. */
export async function exportForeignPart(context) {
  const { random } = context;
  const service = await context.serve({ objects: 150 }, { deployment: MANY_PAGES });
  const chosen = chooseFormat(random, ['csv', 'ndjson', 'json', 'tsv']);
  const words = ['objects', 'export', '-o', chosen.name, ...chosen.words];
  const first = await context.run(words, { service, ...killAt(service, random.integer(6, 9), 'SIGINT') });
  if (first.code === 0) return;
  const left = await readPartialFiles(context, chosen);
  const other = random.pick([['nosuchword'], ['--where', 'accession_no=A.5'], ['--', 'fern', '--resume']]);
  const resume = other[0] !== '--' && random.chance(0.5) ? ['--resume'] : [];
  const { stderr } = await context.run([...words, ...resume, ...other], { service, exits: [2] });
  check(stderr.includes(chosen.name), () => `the message does not contain the file: ${stderr}`);
  check(
    (await readPartialFiles(context, chosen)) === left,
    'the unfinished export was changed by another one',
  );
  await resumeToEnd(context, { service, words: [...words, '--resume'], chosen, isMoved: false });
}

/** Returns all files of an unfinished export as one text. */
async function readPartialFiles(context, { name }) {
  const names = (await context.names()).filter((each) => each.startsWith(name) && !each.endsWith('.lock'));
  const texts = names.map(async (each) => `${each}\n${await readFile(context.path(each), 'latin1')}`);
  return (await Promise.all(texts)).join('\n');
}

/** Exports each part separately. Together, the parts must contain all records. */
export async function exportParts(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(20, 200) }, { deployment: { delay: 0 } });
  const count = random.integer(2, 4);
  const names = Array.from({ length: count }, (_, n) => `part-${n + 1}.ndjson`);
  for (const [n, name] of names.entries())
    await context.run(['objects', 'export', '--part', `${n + 1}/${count}`, '-o', name], { service });
  const records = service.collection.snapshot();
  const entries = await readOutputs(
    names.map((name) => context.path(name)),
    'ndjson',
  );
  checkSameRecords(entries, records, { what: 'the parts' });
  const chosen = chooseFormat(random);
  const from = random.shuffle(names).flatMap((name) => ['--from', name]);
  await context.run(['objects', 'export', ...from.slice(2), '-o', 'short.csv'], { exits: [2, 6] });
  await context.run(['objects', 'export', ...from, '-o', chosen.name, ...chosen.words]);
  await checkExport(context, chosen, records, { isOrdered: true });
}

// `npm run bench [-- --quick] [--million]`: compares exports with simple scripts and other programs. The server is another process.
// --million also compares two exports of a million records, which need 7 GB on the disk.
// CPU is the user and system time of the measured process.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchCopies } from './copies.js';
import * as bench from './measure.js';
import { has, here, print, program, ratio, row } from './measure.js';

const QUICK = process.argv.includes('--quick');
const RECORDS = QUICK ? 20_000 : 100_000;
const MANY = QUICK ? 100_000 : 1_000_000;
const FEW = 20_000;
const SLOW_PAGES = QUICK ? 100 : 1000;
const LATENCY = 200;
const CONCURRENCY = 6;
/** The number of measurements. The bench prints the best, because other processes may slow down the machine. */
const ROUNDS = QUICK ? 1 : 5;

const folder = mkdtempSync(join(tmpdir(), 'opac-bench-'));
const file = join(folder, 'out');
const measure = (command, args, stdout) => bench.measure(command, args, { folder, stdout });

async function serve(records, latency = 0) {
  const child = fork(here('server.js'), [String(records), String(latency)]);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, records, stop: () => child.disconnect() };
}

/** Measures each subject once per round, so that a slow period of the machine affects all subjects. Returns the best results. */
async function measureBest(subjects) {
  const results = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, subject] of Object.entries(subjects)) results[name].push(await subject());
  }
  const least = (name, key) => Math.min(...results[name].map((result) => result[key]));
  return Object.fromEntries(
    Object.keys(subjects).map((name) => [
      name,
      { wall: least(name, 'wall'), cpu: least(name, 'cpu'), rss: least(name, 'rss') },
    ]),
  );
}

const node = (script, server, ...more) =>
  measure(process.execPath, [script, server.url, String(server.records), String(CONCURRENCY), ...more]);

/** Deletes the earlier export first, because replacing a file takes longer. */
function exportWithOpac(server, format) {
  for (const path of [`${file}.${format}`, `${file}.${format}.manifest.json`]) rmSync(path, { force: true });
  return measure(process.execPath, [
    program,
    ...`objects export --quiet --base-url ${server.url} --concurrency ${CONCURRENCY} -f ${format}`.split(' '),
    ...['-o', `${file}.${format}`],
  ]);
}

/** Converts an NDJSON export to CSV, without requests. */
const convert = (from) =>
  measure(process.execPath, [
    program,
    ...['objects', 'export', '--quiet', '--from', from, '-f', 'csv', '-o', `${file}.converted.csv`],
  ]);

/** Converts the CSV to Parquet with DuckDB. Returns undefined if its package cannot be installed. */
async function convertWithDuckDB(csv) {
  const script = `import { createRequire } from 'node:module';
const { DuckDBInstance } = createRequire('${folder}/x.js')('@duckdb/node-api');
const connection = await (await DuckDBInstance.create()).connect();
await connection.run("COPY (FROM read_csv('${csv}', all_varchar = true)) TO '${csv}.parquet' (FORMAT parquet)");`;
  try {
    execFileSync('npm', ['install', '--silent', '--no-audit', '--prefix', folder, '@duckdb/node-api']);
  } catch {
    return undefined;
  }
  return measure(process.execPath, ['--input-type=module', '-e', script]);
}

const megabytesOf = (path) => `  ${(statSync(path).size / 1e6).toFixed(1)} MB`;
try {
  const server = await serve(RECORDS);
  const subjects = {
    floor: () => node(here('floor.js'), server),
    plainNdjson: () => node(here('plain.js'), server, 'ndjson', file),
    opacNdjson: () => exportWithOpac(server, 'ndjson'),
    plainCsv: () => node(here('plain.js'), server, 'csv', file),
    opacCsv: () => exportWithOpac(server, 'csv'),
    parquet: () => exportWithOpac(server, 'parquet'),
  };
  const { floor, plainNdjson, opacNdjson, plainCsv, opacCsv, parquet } = await measureBest(subjects);
  const megabytes = Math.round(statSync(`${file}.ndjson`).size / 1e6);
  print(`${RECORDS} records in pages of 100, ${megabytes} MB, concurrency ${CONCURRENCY}`);
  print(''.padEnd(34) + ['wall', 'CPU', 'peak'].map((header) => header.padStart(10)).join(''));
  row('download only', floor);
  row('simple script, NDJSON', plainNdjson, ratio(plainNdjson.cpu, floor.cpu, 'the download'));
  row(
    'opac, NDJSON',
    opacNdjson,
    ratio(opacNdjson.cpu, floor.cpu, 'the download'),
    ratio(opacNdjson.cpu, plainNdjson.cpu, 'the simple script (at most 0.90)'),
  );
  row('simple script, CSV', plainCsv, ratio(plainCsv.cpu, floor.cpu, 'the download'));
  row(
    'opac, CSV, without --columns',
    opacCsv,
    ratio(opacCsv.cpu, floor.cpu, 'the download'),
    ratio(opacCsv.cpu, plainCsv.cpu, 'the simple script (at most 1.90)'),
  );
  const exported = `${file}.ndjson`;
  const { fromFile } = await measureBest({ fromFile: () => convert(exported) });
  row(
    'opac, CSV from the NDJSON',
    fromFile,
    ratio(fromFile.cpu, opacCsv.cpu, 'the CSV from the server (at most 1.20)'),
  );
  if (has('jq'))
    row('jq, CSV from the NDJSON', await measure('jq', ['-r', '-f', here('convert.jq'), exported], 'ignore'));
  if (has('python3'))
    row(
      'Python, CSV from the NDJSON',
      await measure('python3', [here('convert.py'), exported, `${file}.python.csv`]),
    );
  row(
    'opac, Parquet',
    parquet,
    megabytesOf(`${file}.parquet`),
    ratio(parquet.wall, opacNdjson.wall, 'the wall time of NDJSON (at most 2.50)'),
  );
  const duck = await convertWithDuckDB(`${file}.csv`);
  if (duck) row('DuckDB, Parquet by COPY from CSV', duck, megabytesOf(`${file}.csv.parquet`));
  await benchCopies({ exported, records: RECORDS, folder, isMany: process.argv.includes('--million') });
  if (has('curl') && has('jq'))
    row(
      'curl + jq, one page at a time',
      await measure('bash', [here('loop.sh'), server.url, String(RECORDS), file]),
    );
  if (has('python3'))
    row(
      'Python, one page at a time',
      await measure('python3', [here('loop.py'), server.url, String(RECORDS), file]),
    );
  server.stop();

  const slow = await serve(SLOW_PAGES * 100, LATENCY);
  const delayed = await exportWithOpac(slow, 'ndjson');
  slow.stop();
  const ideal = (SLOW_PAGES * LATENCY) / 1000 / CONCURRENCY;
  row(
    `opac, ${SLOW_PAGES} pages of ${LATENCY} ms`,
    delayed,
    ratio(delayed.wall, ideal, 'pages x 0.2 s / concurrency (at most 1.10)'),
  );

  for (const format of ['ndjson', 'json', 'csv', 'xlsx', 'parquet']) {
    const peaks = [];
    for (const records of [FEW, MANY]) {
      const many = await serve(records);
      const result = await exportWithOpac(many, format);
      many.stop();
      peaks.push(result.rss);
      row(
        `opac, ${format}, ${records} records`,
        result,
        records === MANY
          ? ratio(result.rss, peaks[0], `the peak with ${FEW} (at most 1.25, and 250 MB)`)
          : '',
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

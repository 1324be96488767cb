/**
 * `npm run readers`: reads exports in each format with other programs, and compares the rows and values.
 * Installs npm packages in a temporary folder. Other programs are optional; the table shows which are not installed.
 *
 *   npm run readers                       the objects of the built-in museum
 *   npm run readers -- objects.ndjson     also the objects of this export
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PACKAGES = [
  '@duckdb/node-api',
  'exceljs',
  'xlsx',
  'papaparse',
  'csv-parse',
  'parquet-wasm',
  'apache-arrow',
];
const OUTPUTS = {
  csv: ['out.csv'],
  tsv: ['out.tsv'],
  gz: ['out.csv.gz'],
  excel: ['excel.csv', '--excel'],
  xlsx: ['out.xlsx', '--no-labels', '--multi', 'join=|'],
  ndjson: ['out.ndjson'],
  json: ['out.json'],
  parquet: ['out.parquet'],
};
const LARGE = { maxBuffer: 1 << 30 };
const opac = fileURLToPath(new URL('../../bin/opac.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'opac-readers-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const at = (name) => join(folder, name);

execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', '--prefix', folder, ...PACKAGES]);
const require = createRequire(at('x.js'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

/** The reference: parses CSV (RFC 4180). */
function parseCsv(text, separator) {
  const rows = [];
  let row = [];
  const cells = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*|))(${separator}|\\r?\\n|$)`,
    'gy',
  );
  for (let cell = cells.exec(text); cell && cells.lastIndex <= text.length; cell = cells.exec(text)) {
    if (cell[0] === '' && row.length === 0) break;
    row.push(cell[1]?.replaceAll('""', '"') ?? cell[2]);
    if (cell[3] === separator) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const PYTHON = `import sys, json, csv
kind, path, sep = sys.argv[1:4]
if kind == 'csv':
    csv.field_size_limit(1 << 30)
    rows = list(csv.reader(open(path, encoding='utf-8-sig', newline=''), delimiter=sep))
elif kind == 'pandas':
    import pandas
    table = pandas.read_csv(path, sep=sep, dtype=str, keep_default_na=False)
    rows = [list(table.columns)] + table.values.tolist()
elif kind == 'pandas-json':
    import pandas
    rows = json.loads(pandas.read_json(path, lines=path.endswith('ndjson'), dtype=False).to_json(orient='records'))
elif kind == 'pandas-xlsx':
    import pandas
    table = pandas.read_excel(path, dtype=str, keep_default_na=False)
    rows = [list(table.columns)] + table.values.tolist()
elif kind == 'pandas-files':
    import glob, pandas
    tables = [pandas.read_csv(each, dtype=str, keep_default_na=False) for each in sorted(glob.glob(path))]
    rows = pandas.concat(tables)['id'].tolist()
elif kind == 'pandas-parquet':
    import glob, pandas
    tables = [pandas.read_parquet(each) for each in sorted(glob.glob(path))]
    rows = pandas.concat(tables)['id'].tolist()
elif kind == 'pyarrow':
    import pyarrow.parquet
    table = pyarrow.parquet.read_table(path).to_pydict()
    rows = [list(table)] + list(zip(*table.values()))
json.dump(rows, sys.stdout, default=str)`;
const run = (command, words) =>
  execFileSync(command, words, { ...LARGE, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const has = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const canImport = (python3, name) => spawnSync(python3, ['-c', `import ${name}`]).status === 0;
// A virtual environment may hide the Python of the system, which has pandas.
const python3 = ['python3', '/usr/bin/python3'].find((command) => canImport(command, 'pandas')) ?? 'python3';
const python = (kind, path, separator = ',') =>
  JSON.parse(run(python3, ['-c', PYTHON, kind, path, separator]));
const hasPython = (name) => canImport(python3, name);

async function duck(sql) {
  const { DuckDBInstance } = await load('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(sql);
  return [reader.columnNames(), ...reader.getRowsJson().map((row) => row.map((value) => value ?? ''))];
}

const toRows = (objects, header) => [
  header,
  ...objects.map((each) => header.map((name) => each[name] ?? '')),
];
const isText = ({ kind }) => ['csv', 'tsv', 'gz', 'excel'].includes(kind);
const getSeparator = ({ kind }) => (kind === 'tsv' ? '\t' : ',');

/**
 * By name of the program: returns the rows of a file as text, or for JSON and Parquet the ids. Returns undefined or false if the
 * program does not read the format. May return a text for the table instead, or set `file.note`.
 */
const READERS = {
  DuckDB: async (file) => {
    const path = `'${file.path}'`;
    if (isText(file)) return duck(`SELECT * FROM read_csv(${path}, all_varchar = true)`);
    if (file.kind === 'parquet') return (await duck(`SELECT id FROM ${path}`)).slice(1).flat();
    if (file.kind === 'xlsx') return undefined;
    const [[head], ...rows] = [
      await duck(`SELECT json_extract_string(json, '$.${file.id}') FROM read_json_objects(${path})`),
    ];
    return (
      head &&
      [
        ...rows,
        ...(await duck(
          `SELECT json_extract_string(json, '$.${file.id}') FROM read_json_objects(${path}, maximum_object_size = 99999999)`,
        )),
      ]
        .slice(1)
        .flat()
    );
  },
  papaparse: async (file) =>
    isText(file) && (await load('papaparse')).default.parse(file.text, { skipEmptyLines: true }).data,
  'csv-parse': async (file) =>
    isText(file) &&
    (await load('csv-parse/sync')).parse(file.text, { bom: true, delimiter: getSeparator(file) }),
  SheetJS: async (file) => {
    if (!['xlsx', 'csv', 'tsv'].includes(file.kind)) return undefined;
    const { default: sheets } = await load('xlsx');
    const source =
      file.kind === 'xlsx'
        ? [readFileSync(file.path), { type: 'buffer' }]
        : [file.text, { type: 'string', raw: true }];
    const book = sheets.read(...source);
    return sheets.utils.sheet_to_json(book.Sheets[book.SheetNames[0]], {
      header: 1,
      defval: '',
      raw: false,
      dateNF: 'yyyy-mm-dd',
    });
  },
  exceljs: async (file) => {
    if (file.kind !== 'xlsx') return undefined;
    const { default: excel } = await load('exceljs');
    const book = new excel.Workbook();
    await book.xlsx.readFile(file.path);
    const width = file.rows[0].length;
    // The value of a cell with a link is an object.
    const text = ({ value }) =>
      value instanceof Date ? value.toISOString().slice(0, 10) : (value?.text ?? value ?? '');
    return book.worksheets[0]
      .getRows(1, file.rows.length)
      .map((row) => Array.from({ length: width }, (_, n) => text(row.getCell(n + 1))));
  },
  'parquet-wasm': async (file) => {
    if (file.kind !== 'parquet') return undefined;
    const { readParquet } = require(`${PACKAGES[5]}/node`);
    const { tableFromIPC } = await load('apache-arrow');
    const ids = tableFromIPC(readParquet(readFileSync(file.path)).intoIPCStream()).getChild('id');
    return [...ids].map(String);
  },
  'Python csv': !has('python3')
    ? undefined
    : async (file) => isText(file) && file.kind !== 'gz' && python('csv', file.path, getSeparator(file)),
  pandas: !hasPython('pandas')
    ? undefined
    : async (file) => {
        if (isText(file)) return python('pandas', file.path, getSeparator(file));
        if (file.kind === 'xlsx') return hasPython('openpyxl') && python('pandas-xlsx', file.path);
        if (file.kind === 'parquet') return hasPython('pyarrow') && python('pandas-parquet', file.path);
        return python('pandas-json', file.path).map((each) => String(each[file.id]));
      },
  VisiData: !has('vd')
    ? undefined
    : async (file) => {
        if (file.kind === 'parquet') return undefined;
        const out = at('visidata.json');
        const read = (...words) => {
          run('vd', ['-b', ...words, file.path, '--save-filetype', 'json', '-o', out]);
          return JSON.parse(readFileSync(out, 'utf8').replace(/^\ufeff/, ''));
        };
        const words =
          { tsv: ['-f', 'csv', '--csv-delimiter', '\t'], xlsx: ['+:objects:0:0'] }[file.kind] ?? [];
        let rows = read(...words);
        if (file.kind === 'excel' && '\ufeffid' in rows[0]) {
          file.note =
            'before version 3, the default of its option encoding is utf-8, which keeps the BOM; read with vd --encoding utf-8-sig';
          rows = read('--encoding', 'utf-8-sig');
        }
        const isJson = file.kind === 'json' || file.kind === 'ndjson';
        return isJson ? rows.map((each) => String(each[file.id])) : toRows(rows, file.rows[0]);
      },
  sqlite3: !has('sqlite3')
    ? undefined
    : async (file) => {
        if (!['csv', 'tsv', 'excel'].includes(file.kind)) return undefined;
        const mode = file.kind === 'tsv' ? '.mode tabs' : '.mode csv';
        const rows = run('sqlite3', [
          ':memory:',
          mode,
          `.import "${file.path}" t`,
          '.mode json',
          'SELECT * FROM t',
        ]);
        return toRows(JSON.parse(rows), file.rows[0]);
      },
  Miller: !has('mlr')
    ? undefined
    : async (file) =>
        isText(file) &&
        toRows(
          JSON.parse(
            run('mlr', [
              '--icsv',
              '--no-auto-unflatten',
              ...(file.kind === 'tsv' ? ['--ifs', 'tab'] : []),
              '--ojson',
              '-S',
              'cat',
              file.path,
            ]),
          ),
          file.rows[0],
        ),
  csvkit: !has('csvjson')
    ? undefined
    : async (file) =>
        isText(file) &&
        toRows(
          JSON.parse(run('csvjson', ['-I', ...(file.kind === 'tsv' ? ['-t'] : []), file.path])),
          file.rows[0],
        ),
  LibreOffice: !has('soffice')
    ? undefined
    : async (file) => {
        if (file.kind !== 'xlsx') return undefined;
        run('soffice', [
          `-env:UserInstallation=file://${at('office')}`,
          '--headless',
          '--convert-to',
          'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true',
          '--outdir',
          at('converted'),
          file.path,
        ]);
        return parseCsv(readFileSync(at('converted/out.csv'), 'utf8'), ',');
      },
  jq: !has('jq')
    ? undefined
    : async (file) => {
        if (file.kind !== 'json' && file.kind !== 'ndjson') return undefined;
        return run('jq', ['-r', file.kind === 'json' ? `.[].${file.id}` : `.${file.id}`, file.path])
          .trim()
          .split('\n');
      },
  R: !has('Rscript')
    ? undefined
    : async (file) => {
        if (!isText(file)) return undefined;
        const separator = file.kind === 'tsv' ? '\\t' : ',';
        const script = `t <- read.csv("${file.path}", sep = "${separator}", colClasses = "character", na.strings = NULL, check.names = FALSE, encoding = "UTF-8", fileEncoding = "UTF-8-BOM"); cat(nrow(t), ncol(t))`;
        const [rows, columns] = run('Rscript', ['-e', script]).split(' ').map(Number);
        return rows === file.rows.length - 1 && columns === file.rows[0].length
          ? file.rows
          : [[rows, columns]];
      },
};

/** Returns the position and both values of the first difference; undefined if all values are equal. */
function findDifference(read, expected, { kind }) {
  // XLSX has LF as line breaks, and dates without a time zone. R and SheetJS read CRLF as LF.
  // Each run of the built-in museum has another port.
  const normalize = (value) =>
    String(value)
      .replaceAll(/127\.0\.0\.1:\d+/g, 'museum')
      .replace(/\r\n?/g, '\n')
      .replace(kind === 'xlsx' ? /^(\d{4}-\d\d-\d\d)Z$/ : /$^/, '$1');
  if (read.length !== expected.length) return `${read.length} rows, expected ${expected.length}`;
  for (const [n, row] of expected.entries()) {
    for (const [column, value] of [row].flat().entries()) {
      const other = [read[n]].flat()[column] ?? '';
      if (normalize(other) !== normalize(value))
        return `row ${n}, column ${column}: ${JSON.stringify(other).slice(0, 40)}, expected ${JSON.stringify(value).slice(0, 40)}`;
    }
  }
  return undefined;
}

async function readAll(from) {
  const results = Object.keys(READERS).map((reader) => ({ reader }));
  const files = [];
  const notes = [];
  for (const [kind, [name, ...words]] of Object.entries(OUTPUTS)) {
    const line = ['objects', 'export', ...from, '--force', '-o', at(name), ...words];
    run(process.execPath, [opac, ...line]);
    files.push({ kind, path: at(name), id: 'opacObjectId' });
  }
  const text = (name) => readFileSync(at(name), 'utf8');
  const rows = parseCsv(text('out.csv'), ',');
  const ids = text('out.ndjson')
    .trim()
    .split('\n')
    .map((line) => String(JSON.parse(line).opacObjectId));
  for (const file of files) {
    file.text = ['tsv', 'excel'].includes(file.kind)
      ? text(OUTPUTS[file.kind][0]).replace(/^\ufeff/, '')
      : text('out.csv');
    file.rows = file.kind === 'excel' ? parseCsv(file.text, ',') : rows;
    const expected = ['json', 'ndjson', 'parquet'].includes(file.kind) ? ids : file.rows;
    for (const result of results) {
      try {
        const read = await READERS[result.reader]?.(file);
        result[file.kind] = !READERS[result.reader]
          ? 'not installed'
          : typeof read === 'string'
            ? read
            : read
              ? (findDifference(read, expected, file) ?? (file.note ? 'same *' : 'same'))
              : '-';
        if (file.note) notes.push(`* ${result.reader}, ${file.kind}: ${file.note}\n`);
        file.note = undefined;
      } catch (error) {
        result[file.kind] = `failed: ${String(error.stderr || error.message)
          .trim()
          .split('\n')
          .at(-1)
          .slice(0, 60)}`;
      }
    }
  }
  process.stdout.write(
    `\n${rows.length - 1} records, ${rows[0].length} columns: opac objects export ${from.join(' ')}\n`,
  );
  const kinds = ['reader', ...Object.keys(OUTPUTS)];
  const widths = kinds.map((kind) =>
    Math.max(kind.length, ...results.map((result) => Math.min(14, result[kind].length))),
  );
  const line = (cells) =>
    `${cells
      .map((cell, n) => (cell.length > widths[n] ? 'DIFFERENT' : cell).padEnd(widths[n]))
      .join('  ')
      .trimEnd()}\n`;
  process.stdout.write(
    line(kinds) + results.map((result) => line(kinds.map((kind) => result[kind]))).join('') + notes.join(''),
  );
  for (const { reader, ...each } of results) {
    for (const [kind, result] of Object.entries(each))
      if (result.length > 14) process.stdout.write(`${reader}, ${kind}: ${result}\n`);
  }
}

/** Compares each value of the Parquet file, and reads the files of a split export as one table. `from`: as for the last `readAll`. */
async function readAsTables(from) {
  const write = (name, ...words) =>
    run(process.execPath, [opac, 'objects', 'export', ...from, '--force', '-q', '-o', at(name), ...words]);
  const printResult = (reader, what, result) => process.stdout.write(`${reader}, ${what}: ${result}\n`);
  write('flat.ndjson', '--flat');
  const records = readFileSync(at('flat.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [header, ...rows] = await duck(`SELECT * FROM '${at('out.parquet')}'`);
  printResult('DuckDB', 'values of the Parquet file', findDifferentValue(header, rows, records) ?? 'same');
  if (hasPython('pyarrow')) {
    const [names, ...read] = python('pyarrow', at('out.parquet'));
    const values = read.map((row) => row.map((value) => value ?? ''));
    printResult(
      'pyarrow',
      'values of the Parquet file',
      findDifferentValue(names, values, records) ?? 'same',
    );
  }

  write('split.parquet', '--split', String(Math.ceil(records.length / 4)));
  write('split.csv', '--split', String(Math.ceil(records.length / 4)));
  const expected = records.map(({ id }) => String(id)).sort();
  const compareIds = (ids) =>
    String(ids.sort()) === String(expected) ? 'same' : `${ids.length} ids, expected ${expected.length}`;
  for (const each of ['split-*.parquet', 'split-*.csv']) {
    const isParquet = each.endsWith('parquet');
    const options = `${isParquet ? '' : 'all_varchar = true, '}union_by_name = true`;
    const table = `read_${isParquet ? 'parquet' : 'csv'}('${at(each)}', ${options})`;
    // Selects all columns, because only then their types must be equal in all files.
    const [names, ...read] = await duck(`SELECT * FROM ${table}`);
    printResult('DuckDB', `${each} as one table`, compareIds(read.map((row) => row[names.indexOf('id')])));
    if (!hasPython('pandas')) continue;
    const canRead = !isParquet || hasPython('pyarrow');
    const readIds = () => python(isParquet ? 'pandas-parquet' : 'pandas-files', at(each));
    printResult(
      'pandas',
      `${each} as one table`,
      canRead ? compareIds(readIds()) : 'pyarrow is not installed',
    );
  }
}

/** Returns the first value that the program reads differently; undefined if all values are equal. */
function findDifferentValue(header, rows, records) {
  if (rows.length !== records.length) return `${rows.length} rows, expected ${records.length}`;
  const ownColumns = ['id', 'recordType', 'title', 'slug', 'collection', 'images', 'relationships'];
  for (const [n, { id, title, fields, images }] of records.entries()) {
    const read = Object.fromEntries(header.map((name, at) => [name, rows[n][at]]));
    const expected = { id: String(id), title: title ?? '' };
    for (const [field, values] of Object.entries(fields))
      expected[ownColumns.includes(field) ? `field.${field}` : field] = values;
    // UTF-8 has no unpaired surrogates, so they become U+FFFD.
    for (const [name, value] of Object.entries(expected))
      if (
        Buffer.from(JSON.stringify(read[name])).compare(
          Buffer.from(JSON.stringify(value).replace(/\\ud[89a-f]../g, '\ufffd')),
        )
      )
        return `record ${id}, ${name}: ${JSON.stringify(read[name])}, expected ${JSON.stringify(value)}`;
    if (read.images.length !== images.length) return `record ${id}: ${read.images.length} images`;
  }
  return undefined;
}

await readAll(['--mock']);
await readAsTables(['--mock']);
for (const path of process.argv.slice(2)) {
  await readAll(['--from', resolve(path)]);
  await readAsTables(['--from', resolve(path)]);
}

/**
 * `npm run mutants`: breaks the sources, one place at a time, and lists the breaks that no test notices (Stryker).
 * Stryker is installed into a temporary folder: 65 MB that nothing else needs, and hours of work that no CI waits for.
 *
 *   npm run mutants                         every place of service, client, auth and export
 *   npm run mutants -- src/client/paging    folders or files, each tried with the tests of its mirror first
 *   npm run mutants -- --sample 100         a hundred places of each, drawn by lot
 *   npm run mutants -- --sample 100 --seed 2
 *   npm run mutants -- --own                the tests of the mirror alone, never the commands
 *   npm run mutants -- --tests test/cli/deadline.test.ts   more tests than those of the mirror (may be repeated)
 *   npm run mutants -- --concurrency 1      processes at once (default: half of the processors)
 *   npm run mutants -- --workshop DIR       keeps Stryker there for the next time
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const VERSION = '9.6.1';
const FOLDERS = ['src/service', 'src/client', 'src/auth', 'src/export'];
const COPIED = [
  'src',
  'test',
  'bin',
  'dist',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'README.md',
  'docs',
];
/** Percent. Where the tests of a folder kill fewer, the commands, which take an hour, are tried too. */
const GOAL = 80;
/**
 * The mirror of a folder, or of what lies in it itself (`src/export/*`); and for what that leaves alive, the whole folder of
 * tests and the commands in process, but for those that take longest, or spawn the built program, which has no mutants.
 */
const OWN_TESTS = (group) => [
  `${group.replace(/^src/, 'test')}${group.endsWith('/*') ? '' : '/**/*'}.test.ts`,
  ...values.tests,
];
const ALL_TESTS = (group) => [
  ...OWN_TESTS(group),
  `test/${group.split('/')[1]}/**/*.test.ts`,
  'test/cli/**/*.test.ts',
];
const LEFT_OUT = [
  'test/cli/{examples,faults,from,linear-time}.test.ts',
  'test/export/collect/killed.test.ts',
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    own: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [] },
    concurrency: { type: 'string', default: String(Math.ceil(availableParallelism() / 2)) },
    workshop: { type: 'string' },
  },
});

const print = (line) => process.stdout.write(`${line}\n`);

function filesIn(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path), { recursive: true }).map((name) => name.split(sep).join('/'));
  return names.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => `${path}/${name}`);
}

/** A folder with Stryker and a copy of the project, which Stryker may spoil. */
function workshop() {
  const folder = values.workshop ?? mkdtempSync(join(tmpdir(), 'opac-mutants-'));
  mkdirSync(folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
    const flags = ['--no-audit', '--no-fund', '--legacy-peer-deps'];
    execFileSync('npm', ['install', ...flags, ...packages], {
      cwd: folder,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  }
  // The runner must use the project's own vitest.
  rmSync(join(modules, 'vitest'), { recursive: true, force: true });
  symlinkSync(join(root, 'node_modules/vitest'), join(modules, 'vitest'), 'junction');
  const project = join(folder, 'project');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  for (const name of COPIED) cpSync(join(root, name), join(project, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction');
  return { folder, project };
}

const KILLED = ['Killed', 'Timeout'];
const LEFT = ['Survived', 'NoCoverage'];

/** Stryker's report on each file of one folder of src; what its own tests leave alive is tried with all tests where it is much. */
function judge(shop, name, files) {
  const first = mutate(shop, name, files, { tests: OWN_TESTS(name) });
  const mutants = Object.values(first).flatMap((report) => report.mutants);
  const left = mutants.filter(({ status }) => LEFT.includes(status));
  if (values.own || left.length === 0 || scoreOf(mutants) >= GOAL) return first;
  const only = left.map(({ id }) => id);
  const second = Object.values(mutate(shop, name, files, { tests: ALL_TESTS(name), only }));
  const statuses = new Map(second.flatMap((report) => report.mutants.map(({ id, status }) => [id, status])));
  for (const mutant of left) mutant.status = statuses.get(mutant.id) ?? mutant.status;
  return first;
}

/** Breaks the files, or only the mutants with these numbers. */
function mutate({ folder, project }, name, files, { tests: patterns, only }) {
  const tests = JSON.stringify(patterns);
  const exclude = JSON.stringify(LEFT_OUT);
  // One project, without the keyring of this machine, and with no test that takes minutes.
  writeFileSync(
    join(project, 'mutants.config.ts'),
    `import config from './vitest.config.js';
const unit = config.test.projects[0];
export default { ...config, test: { ...config.test, ...unit.test, projects: undefined, setupFiles: 'mutants.setup.ts', reporters: [], include: ${tests}, exclude: ${exclude}, testTimeout: 1_200_000 } };\n`,
  );
  // That a property fails is enough: to look for the smallest example takes longer than a mutant may.
  writeFileSync(
    join(project, 'mutants.setup.ts'),
    "import fc from 'fast-check';\nfc.configureGlobal({ endOnFailure: true });\n",
  );
  const report = join(folder, 'report.json');
  writeFileSync(
    join(project, 'stryker.config.json'),
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner', './test/mutants/sample.js'],
      vitest: { configFile: 'mutants.config.ts', related: false },
      mutate: files,
      coverageAnalysis: 'perTest',
      // Tables are read when a module is loaded, so that each mutant in one costs a run of all tests.
      ignoreStatic: true,
      inPlace: true,
      concurrency: Number(values.concurrency),
      timeoutMS: 20_000,
      dryRunTimeoutMinutes: 30,
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      allowEmpty: true,
      checkers: (only ?? values.sample) === undefined ? [] : ['sample'],
      sample: { size: Number(values.sample), seed: Number(values.seed), only },
      warnings: { unknownOptions: false },
      disableTypeChecks: false,
    }),
  );
  rmSync(report, { force: true });
  const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(process.execPath, [stryker, 'run', 'stryker.config.json'], {
    cwd: project,
    stdio: 'inherit',
    // A mutant may write where the program should not.
    env: {
      ...process.env,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
      APPDATA: folder,
      LOCALAPPDATA: folder,
    },
  });
  if (!existsSync(report)) {
    print(`Stryker ended with ${status} and without a report on ${name}`);
    process.exitCode = 1;
    return {};
  }
  return JSON.parse(readFileSync(report, 'utf8')).files;
}

function printLeft(file, { mutants, source }) {
  const lines = source.split('\n');
  for (const { status, location, mutatorName, replacement = '' } of mutants) {
    if (!LEFT.includes(status)) continue;
    const { line } = location.start;
    const shown = replacement.replace(/\s+/g, ' ').slice(0, 60);
    print(`${status} ${file}:${line} ${mutatorName} → ${shown}`);
    print(`    ${(lines[line - 1] ?? '').trim().slice(0, 120)}`);
  }
}

const COLUMNS = ['mutants', 'static', 'sampled', 'killed', 'timeout', 'survived', 'not run', 'score'];

const countOf = (mutants, ...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
const scoreOf = (mutants) => (100 * countOf(mutants, ...KILLED)) / countOf(mutants, ...KILLED, ...LEFT);

/** Static ones are in tables that are read when a module is loaded; those that no test runs are `not run`. */
function cellsOf(mutants) {
  const tried = countOf(mutants, ...KILLED, ...LEFT);
  const score = tried === 0 ? '-' : `${scoreOf(mutants).toFixed(1)} %`;
  const counts = ['Ignored', undefined, 'Killed', 'Timeout', 'Survived', 'NoCoverage'].map((status) =>
    status ? countOf(mutants, status) : tried,
  );
  return [mutants.length, ...counts, score];
}

function printTable(rows) {
  const line = (name, cells) =>
    print(name.padEnd(24) + cells.map((cell) => String(cell).padStart(9)).join(''));
  print('');
  line('folder', COLUMNS);
  for (const [name, mutants] of rows) line(name, cellsOf(mutants));
  const { sample, seed } = values;
  if (sample !== undefined) print(`at most ${sample} mutants of each, drawn by lot with seed ${seed}`);
}

/** Files by the folder that was named, and files that were named by the folder they lie in. */
const groups = new Map();
for (const named of positionals.length > 0 ? positionals : FOLDERS) {
  const path = named.replace(/\/$/, '');
  const group = statSync(join(root, path)).isFile() ? `${dirname(path)}/*` : path;
  groups.set(group, [...(groups.get(group) ?? []), ...filesIn(path)].sort());
}
const shop = workshop();
try {
  const rows = [];
  for (const [group, files] of groups) {
    const reports = Object.entries(judge(shop, group, files));
    for (const [file, report] of reports) printLeft(file, report);
    rows.push([group, reports.flatMap(([, { mutants }]) => mutants)]);
  }
  if (rows.length > 1) rows.push(['together', rows.flatMap(([, mutants]) => mutants)]);
  printTable(rows);
} finally {
  if (values.workshop === undefined) rmSync(shop.folder, { recursive: true, force: true });
}

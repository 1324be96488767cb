/**
 * `npm run mutants`: adds errors to the source, one at a time (mutants), and lists the errors that no test finds. Uses Stryker.
 * Installs Stryker (65 MB) in a temporary folder. A complete run takes hours.
 *
 *   npm run mutants                         all mutants of the folders service, client, auth and export
 *   npm run mutants -- src/client/paging    all mutants of some folders or files
 *   npm run mutants -- --sample 100         100 random mutants of each folder
 *   npm run mutants -- --sample 100 --seed 2   another 100 mutants of each folder
 *   npm run mutants -- --own                runs only the tests of the same folder in test/
 *   npm run mutants -- --tests test/cli/deadline.test.ts   also runs these tests (may be repeated)
 *   npm run mutants -- --concurrency 1      number of processes (default: half of the processors)
 *   npm run mutants -- --workshop DIR       installs Stryker in this folder, and uses it again the next time
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
/** Percent. If the tests of a folder find fewer mutants, the run also tries the tests of the commands, which take an hour. */
const MIN_SCORE = 80;
/** The tests in the folder of test/ with the same name. A group is a folder, or the files directly in a folder (`src/export/*`). */
const OWN_TESTS = (group) => [
  `${group.replace(/^src/, 'test')}${group.endsWith('/*') ? '' : '/**/*'}.test.ts`,
  ...values.tests,
];
/** For mutants that OWN_TESTS do not find: also the other tests of the top-level folder, and the tests of the commands. */
const ALL_TESTS = (group) => [
  ...OWN_TESTS(group),
  `test/${group.split('/')[1]}/**/*.test.ts`,
  'test/cli/**/*.test.ts',
];
/** These tests are the slowest, or spawn the built program, which has no mutants. */
const EXCLUDED_TESTS = [
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

function listFiles(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path), { recursive: true }).map((name) => name.split(sep).join('/'));
  return names.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => `${path}/${name}`);
}

/** Prepares a folder with Stryker and a copy of the project, which Stryker changes. */
function prepareWorkshop() {
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
  // Stryker must use the vitest of the project.
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
const UNDETECTED = ['Survived', 'NoCoverage'];

/** Returns Stryker's report for each file of a group. If the score of OWN_TESTS is low, tries the undetected mutants with ALL_TESTS. */
function testMutants(workshop, name, files) {
  const first = runStryker(workshop, name, files, { tests: OWN_TESTS(name) });
  const mutants = Object.values(first).flatMap((report) => report.mutants);
  const undetected = mutants.filter(({ status }) => UNDETECTED.includes(status));
  if (values.own || undetected.length === 0 || calculateScore(mutants) >= MIN_SCORE) return first;
  const only = undetected.map(({ id }) => id);
  const second = Object.values(runStryker(workshop, name, files, { tests: ALL_TESTS(name), only }));
  const statuses = new Map(second.flatMap((report) => report.mutants.map(({ id, status }) => [id, status])));
  for (const mutant of undetected) mutant.status = statuses.get(mutant.id) ?? mutant.status;
  return first;
}

/** Runs Stryker on all mutants of the files, or on the mutants with the ids in `only`. */
function runStryker({ folder, project }, name, files, { tests: patterns, only }) {
  const tests = JSON.stringify(patterns);
  const exclude = JSON.stringify(EXCLUDED_TESTS);
  // Uses one project of vitest.config.ts. Stryker runs the tests in worker threads, which accept no options of V8.
  writeFileSync(
    join(project, 'mutants.config.ts'),
    `import config from './vitest.config.js';
const unit = config.test.projects[0];
export default { ...config, test: { ...config.test, ...unit.test, projects: undefined, setupFiles: 'mutants.setup.ts', reporters: [], execArgv: [], include: ${tests}, exclude: ${exclude}, testTimeout: 1_200_000 } };\n`,
  );
  // Without this, fast-check looks for the smallest failing example, which takes longer than the timeout of a mutant.
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
      // Mutants in code that runs when a module is loaded (static mutants) would each need a run of all tests.
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
    // A mutant may write to the folders of the user.
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
    print(`Stryker exited with ${status} and without a report for ${name}`);
    process.exitCode = 1;
    return {};
  }
  return JSON.parse(readFileSync(report, 'utf8')).files;
}

function printUndetected(file, { mutants, source }) {
  const lines = source.split('\n');
  for (const { status, location, mutatorName, replacement = '' } of mutants) {
    if (!UNDETECTED.includes(status)) continue;
    const { line } = location.start;
    const shown = replacement.replace(/\s+/g, ' ').slice(0, 60);
    print(`${status} ${file}:${line} ${mutatorName} → ${shown}`);
    print(`    ${(lines[line - 1] ?? '').trim().slice(0, 120)}`);
  }
}

const COLUMNS = ['mutants', 'static', 'sampled', 'killed', 'timeout', 'survived', 'not run', 'score'];

const countMutants = (mutants, ...statuses) =>
  mutants.filter(({ status }) => statuses.includes(status)).length;
const calculateScore = (mutants) =>
  (100 * countMutants(mutants, ...KILLED)) / countMutants(mutants, ...KILLED, ...UNDETECTED);

/** `not run`: no test runs the code of these mutants. */
function createCells(mutants) {
  const tried = countMutants(mutants, ...KILLED, ...UNDETECTED);
  const score = tried === 0 ? '-' : `${calculateScore(mutants).toFixed(1)} %`;
  const counts = ['Ignored', undefined, 'Killed', 'Timeout', 'Survived', 'NoCoverage'].map((status) =>
    status ? countMutants(mutants, status) : tried,
  );
  return [mutants.length, ...counts, score];
}

function printTable(rows) {
  const line = (name, cells) =>
    print(name.padEnd(24) + cells.map((cell) => String(cell).padStart(9)).join(''));
  print('');
  line('folder', COLUMNS);
  for (const [name, mutants] of rows) line(name, createCells(mutants));
  const { sample, seed } = values;
  if (sample !== undefined) print(`at most ${sample} random mutants of each folder, with seed ${seed}`);
}

/** The files of each folder argument, and the file arguments by their folder (`src/export/*`). */
const groups = new Map();
for (const argument of positionals.length > 0 ? positionals : FOLDERS) {
  const path = argument.replace(/\/$/, '');
  const group = statSync(join(root, path)).isFile() ? `${dirname(path)}/*` : path;
  groups.set(group, [...(groups.get(group) ?? []), ...listFiles(path)].sort());
}
const workshop = prepareWorkshop();
try {
  const rows = [];
  for (const [group, files] of groups) {
    const reports = Object.entries(testMutants(workshop, group, files));
    for (const [file, report] of reports) printUndetected(file, report);
    rows.push([group, reports.flatMap(([, { mutants }]) => mutants)]);
  }
  if (rows.length > 1) rows.push(['together', rows.flatMap(([, mutants]) => mutants)]);
  printTable(rows);
} finally {
  if (values.workshop === undefined) rmSync(workshop.folder, { recursive: true, force: true });
}

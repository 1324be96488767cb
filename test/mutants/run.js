/**
 * `npm run mutants`: breaks the sources, one place at a time, and lists the breaks that no test notices (Stryker).
 * Stryker is installed into a temporary folder: 65 MB that nothing else needs, and hours of work that no CI waits for.
 *
 *   npm run mutants                         every file of service, client, auth and export
 *   npm run mutants -- src/client/paging    folders or files
 *   npm run mutants -- --sample 10          ten files, spread evenly
 *   npm run mutants -- --concurrency 1 …    processes at once (default: half of the processors)
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
import { join, sep } from 'node:path';
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
];
/** What the tests of a folder are, beside its mirror. */
const TESTS = (folder) => [
  `test/${folder}/**/*.test.ts`,
  ...(process.env.OPAC_MUTANTS_TESTS?.split(',') ?? []),
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    concurrency: { type: 'string', default: String(Math.ceil(availableParallelism() / 2)) },
  },
});

const print = (line) => process.stdout.write(`${line}\n`);

function filesIn(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path), { recursive: true }).map((name) => name.split(sep).join('/'));
  return names
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => `${path.replace(/\/$/, '')}/${name}`);
}

function sampled(files, number) {
  return files.filter(
    (_, index) =>
      Math.floor((index * number) / files.length) !== Math.floor(((index - 1) * number) / files.length),
  );
}

/** A folder with Stryker and a copy of the project, which Stryker may spoil. */
function workshop() {
  const folder = process.env.OPAC_MUTANTS_FOLDER ?? mkdtempSync(join(tmpdir(), 'opac-mutants-'));
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

/** Breaks the files of one folder of src, and gives Stryker's report on each. */
function mutate({ folder, project }, name, files) {
  const tests = JSON.stringify(TESTS(name));
  // One project, without the keyring of this machine, and with no test that takes minutes.
  writeFileSync(
    join(project, 'mutants.config.ts'),
    `import config from './vitest.config.js';
const unit = config.test.projects[0];
export default { ...config, test: { ...config.test, ...unit.test, projects: undefined, include: ${tests}, testTimeout: 60_000 } };\n`,
  );
  const report = join(folder, `${name}.json`);
  writeFileSync(
    join(project, 'stryker.config.json'),
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'mutants.config.ts', related: false },
      mutate: files,
      coverageAnalysis: 'perTest',
      // Tables are read when a module is loaded, so that each mutant in one costs a run of all tests.
      ignoreStatic: true,
      inPlace: true,
      concurrency: Number(values.concurrency),
      timeoutMS: 20_000,
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      allowEmpty: true,
      checkers: [],
      disableTypeChecks: false,
    }),
  );
  rmSync(report, { force: true });
  const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(process.execPath, [stryker, 'run', 'stryker.config.json'], {
    cwd: project,
    stdio: 'inherit',
  });
  if (!existsSync(report)) {
    print(`Stryker ended with ${status} and without a report on ${name}`);
    process.exitCode = 1;
    return {};
  }
  return JSON.parse(readFileSync(report, 'utf8')).files;
}

const KILLED = ['Killed', 'Timeout'];
const COUNTED = [...KILLED, 'Survived', 'NoCoverage'];

function printTable(reports) {
  const rows = Object.entries(reports).map(([file, { mutants, source }]) => {
    const counted = mutants.filter(({ status }) => COUNTED.includes(status));
    const killed = counted.filter(({ status }) => KILLED.includes(status)).length;
    const lines = source.split('\n');
    for (const { status, location, mutatorName, replacement = '' } of counted.filter(
      (each) => !KILLED.includes(each.status),
    )) {
      const { line } = location.start;
      const shown = replacement.replace(/\s+/g, ' ').slice(0, 60);
      print(
        `${status} ${file}:${line} ${mutatorName} → ${shown}\n    ${(lines[line - 1] ?? '').trim().slice(0, 120)}`,
      );
    }
    return { file, mutants: counted.length, killed, left: mutants.length - counted.length };
  });
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  rows.push({ file: 'all of these', mutants: sum('mutants'), killed: sum('killed'), left: sum('left') });
  print(`\n${'file'.padEnd(48)}mutants  killed       %  not tried`);
  for (const { file, mutants, killed, left } of rows) {
    const percent = mutants === 0 ? '-' : ((100 * killed) / mutants).toFixed(1);
    print(
      `${file.padEnd(48)}${String(mutants).padStart(7)}${String(killed).padStart(8)}${percent.padStart(8)}${String(left).padStart(11)}`,
    );
  }
}

const all = (positionals.length > 0 ? positionals : FOLDERS).flatMap(filesIn).sort();
const chosen = values.sample === undefined ? all : sampled(all, Math.min(Number(values.sample), all.length));
const shop = workshop();
try {
  const reports = {};
  for (const name of new Set(chosen.map((file) => file.split('/')[1]))) {
    Object.assign(
      reports,
      mutate(
        shop,
        name,
        chosen.filter((file) => file.split('/')[1] === name),
      ),
    );
  }
  printTable(reports);
} finally {
  if (!process.env.OPAC_MUTANTS_FOLDER) rmSync(shop.folder, { recursive: true, force: true });
}

/**
 * `npm run nodes`: the tests on each line of Node that the project supports, as one table. The binaries come as packages of
 * the registry, into a temporary folder.
 *
 *   npm run nodes                             all tests on 20.18.1, 22, 24 and 26
 *   npm run nodes -- --node 20.18.1,26 unit   some lines, one project of tests
 *   npm run nodes -- --workers 1 unit         tests at once (default: as vitest decides)
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: '20.18.1,22,24,26' },
    workers: { type: 'string' },
  },
});
const projects = positionals.length > 0 ? positionals : ['unit', 'e2e'];

const shell = process.platform === 'win32';
const folder = mkdtempSync(join(tmpdir(), 'opac-nodes-'));
// Some tests run the program as another user.
chmodSync(folder, 0o755);
const rows = [];
try {
  for (const line of values.node.split(',')) rows.push(testOn(line));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const cells = ({ version, passed, failed, skipped, seconds }) =>
  [passed, failed, skipped, `${seconds} s`].reduce(
    (row, cell) => row + String(cell).padStart(9),
    version.padEnd(12),
  );
const table = rows.map((row) => [cells(row), ...row.names.map((name) => `    ${name}`)].join('\n'));
process.stdout.write(
  `\n${'node'.padEnd(12)}   passed   failed  skipped     time\n${table.join('\n')}\n${projects.join(' and ')} tests\n`,
);
if (rows.some(({ isWhole }) => !isWhole)) process.exitCode = 1;

/** Runs the tests with the binary of that line first in the path, so that all they spawn is of it too. */
function testOn(line) {
  const home = join(folder, line);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const flags = ['--no-audit', '--no-fund', '--foreground-scripts'];
  execFileSync('npm', ['install', ...flags, `node@${line}`], { cwd: home, stdio: 'ignore', shell });
  const bin = join(home, 'node_modules/node/bin');
  const node = join(bin, shell ? 'node.exe' : 'node');
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const report = join(home, 'report.json');
  const names = projects.flatMap((name) => ['--project', name]);
  const workers = values.workers === undefined ? [] : [`--maxWorkers=${values.workers}`];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  // Tests say what is right, not how fast: the machine may be busy for as long as this takes.
  const patient = '--testTimeout=600000';
  const started = Date.now();
  spawnSync(
    node,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...names, ...workers, ...reporters, patient],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    },
  );
  const seconds = Math.round((Date.now() - started) / 1000);
  if (!existsSync(report)) {
    const names = ['vitest ended without a report'];
    return { version, passed: 0, failed: 0, skipped: 0, names, seconds, isWhole: false };
  }
  const { numPassedTests: passed, success, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that cannot be loaded fails without a test of its own.
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const inFile = assertionResults.filter(({ status }) => status === 'failed');
      const path = relative(root, name);
      return inFile.length > 0 ? inFile.map(({ fullName }) => `${path}: ${fullName}`) : [path];
    });
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed').length;
  const isWhole = success && passed > 0;
  return { version, passed, failed: failures.length, skipped, names: failures, seconds, isWhole };
}

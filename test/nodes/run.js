/**
 * `npm run nodes`: runs the tests on each version of Node that the project supports, and prints the results as a table.
 * Installs Node from the npm registry in a temporary folder.
 *
 *   npm run nodes                             all tests on 20.18.1, 22, 24 and 26
 *   npm run nodes -- --node 20.18.1,26 unit   the unit tests on two versions
 *   npm run nodes -- --workers 1 unit         with one worker (default: vitest decides)
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
  for (const version of values.node.split(',')) rows.push(runTests(version));
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
if (rows.some(({ hasPassed }) => !hasPassed)) process.exitCode = 1;

/** Puts this version of Node first in PATH, so that the tests also spawn it. `wanted`: such as `22` or `20.18.1`. */
function runTests(wanted) {
  const home = join(folder, wanted);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const flags = ['--no-audit', '--no-fund', '--foreground-scripts'];
  execFileSync('npm', ['install', ...flags, `node@${wanted}`], { cwd: home, stdio: 'ignore', shell });
  const bin = join(home, 'node_modules/node/bin');
  const node = join(bin, shell ? 'node.exe' : 'node');
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const report = join(home, 'report.json');
  const projectFlags = projects.flatMap((name) => ['--project', name]);
  const workers = values.workers === undefined ? [] : [`--maxWorkers=${values.workers}`];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  // The machine may be busy, and these tests do not measure speed.
  const timeout = '--testTimeout=600000';
  const started = Date.now();
  spawnSync(
    node,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...projectFlags, ...workers, ...reporters, timeout],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    },
  );
  const seconds = Math.round((Date.now() - started) / 1000);
  if (!existsSync(report)) {
    const names = ['vitest ended without a report'];
    return { version, passed: 0, failed: 0, skipped: 0, names, seconds, hasPassed: false };
  }
  const { numPassedTests: passed, success, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  // If a file cannot be loaded, it has no failed tests.
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
  const hasPassed = success && passed > 0;
  return { version, passed, failed: failures.length, skipped, names: failures, seconds, hasPassed };
}

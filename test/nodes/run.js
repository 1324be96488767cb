/**
 * `npm run nodes`: the tests on each line of Node that the project supports, as one table. The binaries come as packages of
 * the registry, into a temporary folder.
 *
 *   npm run nodes                             all tests on 20.18.1, 22, 24 and 26
 *   npm run nodes -- --node 20.18.1,26 unit   some lines, one project of tests
 *   npm run nodes -- --workers 1 unit         tests at once (default: as vitest decides)
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
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
const rows = [];
try {
  for (const line of values.node.split(',')) rows.push(testOn(line));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const table = rows.map(({ version, passed, failed, seconds }) =>
  [
    version.padEnd(12),
    String(passed).padStart(8),
    String(failed).padStart(8),
    `${seconds} s`.padStart(9),
  ].join(''),
);
process.stdout.write(`\n${'node'.padEnd(12)}  passed  failed     time\n${table.join('\n')}\n`);
if (rows.some(({ passed, failed }) => failed > 0 || passed === 0)) process.exitCode = 1;

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
  const started = Date.now();
  spawnSync(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...names, ...workers, ...reporters], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'));
  return { version, passed, failed, seconds: Math.round((Date.now() - started) / 1000) };
}

// Part of `npm run bench`: measures the start of opac, and of the executable in release/, and compares both with `node -e 0`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print, program, ratio } from './measure.js';

const ROUNDS = 20;
/** The commands, with the maximum ratio of their time to the time of `node -e 0`. */
const COMMANDS = { '--version': 1.15, '--help': 1.3, 'objects count --mock': 3 };
const EXECUTABLE = 'release/opac-linux-x64';
const STARTS = { 'npm package': [process.execPath, program], executable: [EXECUTABLE] };
if (!existsSync(EXECUTABLE)) delete STARTS.executable;

const folder = mkdtempSync(join(tmpdir(), 'opac-start-'));
const env = { PATH: process.env.PATH, OPAC_CONFIG_DIR: folder, XDG_CACHE_HOME: folder };
const subjects = { 'node -e 0': [process.execPath, '-e', '0'] };
for (const [name, start] of Object.entries(STARTS))
  for (const words of Object.keys(COMMANDS)) subjects[`${name}, ${words}`] = [...start, ...words.split(' ')];

try {
  const best = measureBest();
  const base = best['node -e 0'];
  for (const [name, milliseconds] of Object.entries(best)) {
    const target = COMMANDS[name.split(', ')[1]];
    const compared = target ? ratio(milliseconds, base, `node -e 0 (at most ${target})`) : '';
    print(name.padEnd(34) + `${milliseconds.toFixed(0)} ms`.padStart(10) + compared);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Measures each subject once per round, so that a slow period of the machine affects all subjects. */
function measureBest() {
  const best = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [command, ...words]] of Object.entries(subjects)) {
      const started = performance.now();
      const { status, stderr } = spawnSync(command, words, { env });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, performance.now() - started);
    }
  }
  return best;
}

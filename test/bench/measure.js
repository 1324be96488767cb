// Measures a process, and prints a row of the table.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

export const here = (name) => new URL(name, import.meta.url).pathname;
export const program = new URL('../../bin/opac.js', import.meta.url).pathname;

/** `folder`: the folder of the settings. Returns the elapsed seconds and, for Node, the CPU seconds and the peak memory in MB. */
export async function measure(command, args, { folder, stdout = 'inherit' }) {
  const isNode = command === process.execPath;
  const child = spawn(command, isNode ? ['--import', here('usage.js'), ...args] : args, {
    stdio: ['ignore', stdout, 'inherit', 'pipe'],
    env: { ...process.env, OPAC_CONFIG_DIR: folder },
  });
  const started = performance.now();
  let usage = '';
  child.stdio[3].on('data', (chunk) => {
    usage += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return { wall: (performance.now() - started) / 1000, ...(isNode ? JSON.parse(usage) : {}) };
}

export function has(command) {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export function print(line) {
  process.stdout.write(`${line}\n`);
}

export function row(name, { wall, cpu, rss }, ...more) {
  const number = (value, digits, unit) =>
    (Number.isFinite(value) ? `${value.toFixed(digits)} ${unit}` : '-').padStart(10);
  print(name.padEnd(34) + number(wall, 2, 's') + number(cpu, 2, 's') + number(rss, 0, 'MB') + more.join(''));
}

export const ratio = (value, to, target) => `  ${(value / to).toFixed(2)} of ${target}`;

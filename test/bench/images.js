// `node test/bench/images.js [images]` (after `npm run build`): downloads images of 500 kB, six at the same time, from a server
// that needs 100 ms for each response. Compares opac with `xargs -P6 curl`, which starts one process per image and checks nothing.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IMAGES = Number(process.argv[2] ?? 2000);
const LATENCY = 100;
const CONCURRENCY = 6;

const here = (name) => new URL(name, import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'opac-bench-'));

/** Returns the elapsed seconds and, for Node, the CPU seconds and the peak memory in MB. */
async function measure(command, args) {
  const isNode = command === process.execPath;
  const child = spawn(command, isNode ? ['--import', here('usage.js'), ...args] : args, {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, OPAC_CONFIG_DIR: folder },
  });
  const started = performance.now();
  let usage = '';
  child.stdio[3].on('data', (text) => {
    usage += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  return { wall: (performance.now() - started) / 1000, ...(isNode ? JSON.parse(usage) : {}) };
}

const server = fork(here('images-server.js'), [String(IMAGES), String(LATENCY)]);
try {
  const [port] = await once(server, 'message');
  const url = `http://127.0.0.1:${port}`;
  const ideal = (IMAGES * LATENCY) / 1000 / CONCURRENCY;
  const program = new URL('../../bin/opac.js', import.meta.url).pathname;
  const words = `images download ${join(folder, 'opac')} --quiet --base-url ${url} --concurrency ${CONCURRENCY}`;
  const ours = await measure(process.execPath, [program, ...words.split(' ')]);
  const list = join(folder, 'urls.txt');
  writeFileSync(list, Array.from({ length: IMAGES }, (_, n) => `${url}/images/${n}.png\n`).join(''));
  const script = 'mkdir "$2" && cd "$2" && xargs -P6 -n1 curl -sSO < "$1"';
  const curl = await measure('bash', ['-c', script, 'bash', list, join(folder, 'curl')]);
  const line = (name, { wall, cpu, rss }) => {
    const more = rss === undefined ? '' : `, CPU ${cpu.toFixed(1)} s, peak ${rss.toFixed(0)} MB`;
    return `${name}: ${wall.toFixed(1)} s, ${(wall / ideal).toFixed(2)} of the minimum, ${ideal.toFixed(1)} s${more}\n`;
  };
  process.stdout.write(line('opac images download', ours) + line('xargs -P6 curl', curl));
} finally {
  server.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

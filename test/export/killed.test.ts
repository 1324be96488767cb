import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { inFolder } from './scene.js';

/** How many runs are killed, at least; OPAC_KILLS=50 for a thorough trial. */
const KILLS = Number(process.env.OPAC_KILLS ?? 6);

const PROGRAM = `
import { createClient } from './src/client/client.js';
import { exportRecords } from './src/export/export-records.js';
import { searchSource } from './src/export/source.js';
const [baseUrl, target, format] = process.argv.slice(2);
const client = createClient({ baseUrl });
const query = [['view', 'detail']];
await exportRecords({
  shape: { kind: 'objects', format },
  target,
  deployment: baseUrl,
  query,
  command: '',
  resume: true,
  checkpointEvery: 5,
  source: searchSource({ client, kind: 'objects', query, pageSize: 10 }),
});
await client.close();
`;

describe('runs killed with -9 at random moments', () => {
  it('are resumed to the file of an undisturbed run', async () => {
    const museum = await startMuseum({ records: 600, latency: 5 });
    try {
      await inFolder(async (path) => {
        const program = path('program.mjs');
        await build({
          stdin: { contents: PROGRAM, resolveDir: process.cwd() },
          outfile: program,
          bundle: true,
          platform: 'node',
          format: 'esm',
          external: ['hucre'],
          define: { OPAC_VERSION: '"0.0.0"' },
          banner: {
            js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
          },
        });
        const run = (file: string, format: string) =>
          spawn(process.execPath, [program, museum.url, path(file), format], { stdio: 'ignore' });
        await ended(run('whole.csv', 'csv'));
        await ended(run('whole.ndjson', 'ndjson'));
        const lengths: number[] = [];
        for (let kills = 0; kills < KILLS; ) {
          for (const format of ['csv', 'ndjson']) {
            const name = `${lengths.length}.${format}`;
            // Killed when the museum has been asked for so many pages more; some several times, until one comes through.
            let killed = 0;
            for (;;) {
              const child = run(name, format);
              const isDone = await killedAfter(child, museum.requests, 1 + Math.floor(Math.random() * 45));
              if (isDone) break;
              killed++;
            }
            kills += killed;
            lengths.push(killed);
            const whole = await readFile(path(`whole.${format}`));
            expect((await readFile(path(name))).equals(whole)).toBe(true);
          }
        }
        expect(lengths.length).toBeGreaterThan(1);
      });
    } finally {
      await museum.close();
    }
  }, 120_000);
});

async function ended(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}

/** Kills the process when so many requests more have come; tells whether it was done before. */
async function killedAfter(
  child: ChildProcess,
  requests: readonly unknown[],
  more: number,
): Promise<boolean> {
  const until = requests.length + more;
  const exit = once(child, 'exit');
  const watch = setInterval(() => {
    if (requests.length >= until) child.kill('SIGKILL');
  }, 1);
  const [code] = await exit;
  clearInterval(watch);
  return code === 0;
}

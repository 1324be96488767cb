import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../../src/mock/index.js';
import { withFolder } from '../export-setup.js';

/** The minimum number of killed runs. OPAC_KILLS=50 makes the test thorough. */
const KILLS = Number(process.env.OPAC_KILLS ?? 6);
/** The maximum number of kills per export. After that, the export may finish. */
const MAX_KILLS = 3;

const PROGRAM = `
import { createClient } from './src/client/client.js';
import { exportRecords } from './src/export/export-records.js';
import { createSearchSource } from './src/export/collect/source/search-source.js';
const [baseUrl, target, format] = process.argv.slice(2);
const client = createClient({ baseUrl });
const query = [['view', 'detail']];
await exportRecords({
  formatOptions: { kind: 'objects', format },
  target,
  deployment: baseUrl,
  query,
  command: '',
  resume: true,
  checkpointEvery: 5,
  source: createSearchSource({ client, kind: 'objects', query, pageSize: 10 }),
});
await client.close();
`;

describe('export that is killed with SIGKILL at random moments', () => {
  it('is resumed to the file of an undisturbed run', async () => {
    const museum = await startMuseum({ records: 300, latency: 5 });
    try {
      await withFolder(async (path) => {
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
        await expectSuccess(run('whole.csv', 'csv'));
        await expectSuccess(run('whole.ndjson', 'ndjson'));
        for (let kills = 0, exports = 0; kills < KILLS; exports++) {
          const format = exports % 2 === 0 ? 'csv' : 'ndjson';
          const name = `${exports}.${format}`;
          let isDone = false;
          for (let killed = 0; killed < MAX_KILLS && !isDone; killed++) {
            isDone = await killAfter(run(name, format), museum.requests, 1 + Math.floor(Math.random() * 25));
            if (!isDone) kills++;
          }
          if (!isDone) await expectSuccess(run(name, format));
          const expected = await readFile(path(`whole.${format}`));
          expect((await readFile(path(name))).equals(expected)).toBe(true);
        }
      });
    } finally {
      await museum.close();
    }
  }, 120_000);
});

async function expectSuccess(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}

/** Kills the process after `more` further requests. Returns true if it finished before. */
async function killAfter(child: ChildProcess, requests: readonly unknown[], more: number): Promise<boolean> {
  const until = requests.length + more;
  const exit = once(child, 'exit');
  const watch = setInterval(() => {
    if (requests.length >= until) child.kill('SIGKILL');
  }, 1);
  const [code] = await exit;
  clearInterval(watch);
  return code === 0;
}

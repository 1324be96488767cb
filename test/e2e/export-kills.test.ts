/**
 * Exports that are killed at random moments and resumed write the same bytes as an uninterrupted run. `OPAC_KILLS=50` tests 50
 * exports, and `OPAC_SEED` selects other moments.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { seededRandom } from '../../src/mock/random.js';
import { digest, type ExportSetup, readUninterrupted, setUpExport } from './export-setup.js';
import { type RunResult, waitForEnd } from './opac.js';

const RUNS = Number(process.env.OPAC_KILLS ?? 6);
const SEED = Number(process.env.OPAC_SEED ?? 20_101);
const AT_ONCE = 3;

/** 150 slow pages, four at once, so that a run writes several checkpoints. Few records on a page, because only time matters. */
const PAGES = 150;
const RECORDS: MuseumOptions = { records: 3 * PAGES };
const MUSEUM: MuseumOptions = { ...RECORDS, latency: 90 };
const LONG = 'objects export --page-size 3 --concurrency 4 -q';

type Shape = readonly [name: string, options: string, result: string];

const SHAPES: readonly Shape[] = [
  ['out.csv', '', 'out.csv'],
  ['out.ndjson', '', 'out.ndjson'],
  ['out.csv.gz', '--excel', 'out.csv.gz'],
  ['out.json', '', 'out.json'],
  ['part.csv', '--split 150 --columns all', 'part-003.csv'],
  ['rows.tsv', '--multi rows=maker_name,production_role', 'rows.tsv'],
];

const lineOf = ([name, options]: Shape) => `${LONG} ${options} -o ${name}`;

describe('a killed export', () => {
  it(
    `writes the same bytes as an uninterrupted run after it is resumed (${RUNS} exports)`,
    async () => {
      const contents = await Promise.all(
        SHAPES.map(async (shape) => digest(await readUninterrupted(shape[2], lineOf(shape), RECORDS))),
      );
      const runs: Run[] = [];
      let next = 0;
      const work = async () => {
        while (next < RUNS) {
          const run = next++;
          runs[run] = await killAndResume(run);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      expect(runs.map(({ run, outcome }) => ({ run, outcome }))).toEqual(
        runs.map(({ run }) => ({
          run,
          outcome: { code: 0, stderr: '', content: contents[run % SHAPES.length], left: '' },
        })),
      );
      const kills = runs.reduce((sum, run) => sum + run.kills, 0);
      const multiple = runs.filter((run) => run.kills > 1).length;
      const resumed = runs.filter((run) => run.resumed > 0).length;
      process.stdout.write(
        `${RUNS} runs killed ${kills} times, ${multiple} of them several times; ${resumed} continued from a checkpoint\n`,
      );
      expect(kills).toBeGreaterThanOrEqual(RUNS / 2);
      // At least a third of the exports continued from a checkpoint.
      expect(resumed).toBeGreaterThanOrEqual(RUNS / 3);
    },
    30_000 + RUNS * 20_000,
  );
});

interface Run {
  readonly run: number;
  readonly outcome: unknown;
  readonly kills: number;
  /** How often the export continued from a checkpoint; 0 if it was killed before its first checkpoint. */
  readonly resumed: number;
}

/** Starts an export, kills it up to three times, and then lets it end. */
async function killAndResume(run: number): Promise<Run> {
  const shape = SHAPES[run % SHAPES.length] as Shape;
  const line = lineOf(shape);
  const setup = await setUpExport(MUSEUM);
  const random = seededRandom(SEED + run);
  const wanted = 1 + ((run + Math.floor(run / SHAPES.length)) % 3);
  // Some kills happen after the last page, while opac completes the file.
  const longest = Math.ceil((PAGES / wanted) * 1.1);
  let kills = 0;
  let last: RunResult = { code: null, stdout: '', stderr: '' };
  while (kills < wanted && last.code === null) {
    last = await endOrKill(setup, setup.begin(kills === 0 ? line : `${line} --resume`), {
      after: 1 + random.below(longest),
      delay: random.below(40),
    });
    if (last.code === null) kills++;
  }
  if (last.code === null) last = await setup.run(`${line} --resume`);
  const { code, stderr } = last;
  const result = await setup.text(shape[2]).catch(() => 'nothing');
  const left = (await setup.names()).filter((name) => /\.(part|lock|pending)\b/.test(name)).join();
  const { resumed = -1 } = await setup.manifest(shape[0]).catch(() => ({ resumed: -1 }));
  return { run, outcome: { code, stderr, content: digest(result), left }, kills, resumed };
}

interface Moment {
  /** Requests. */
  readonly after: number;
  /** Milliseconds after the last of these requests. */
  readonly delay: number;
}

/** Kills a run at a moment, unless the run ends before. */
async function endOrKill({ museum }: ExportSetup, child: ChildProcess, moment: Moment): Promise<RunResult> {
  const { length: before } = museum.requests;
  const end = waitForEnd(child);
  const isDue = () => museum.requests.length >= before + moment.after;
  while (!isDue() && child.exitCode === null) await pause(2);
  if (isDue()) {
    await pause(moment.delay);
    child.kill('SIGKILL');
  }
  return end;
}

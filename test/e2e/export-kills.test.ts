/**
 * Runs that are killed at random moments, and resumed, some of them several times, end with the bytes of an undisturbed run.
 * A handful of runs; `OPAC_KILLS=50` makes it fifty, and `OPAC_SEED` another sequence of moments. A failure names its seed.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { seededRandom } from '../../src/mock/random.js';
import { digest, type ExportSetup, setUpExport, undisturbed } from './export-setup.js';
import { ended, type RunResult } from './opac.js';

const RUNS = Number(process.env.OPAC_KILLS ?? 6);
const SEED = Number(process.env.OPAC_SEED ?? 20_101);
const AT_ONCE = 3;

/** 150 slow pages, four at a time: long enough for some checkpoints. Few records on each: only the time matters. */
const PAGES = 150;
const HOLDINGS: MuseumOptions = { records: 3 * PAGES };
const MUSEUM: MuseumOptions = { ...HOLDINGS, latency: 90 };
const LONG = 'objects export --page-size 3 --concurrency 4 -q';

type Shape = readonly [name: string, options: string, made: string];

const SHAPES: readonly Shape[] = [
  ['out.csv', '', 'out.csv'],
  ['out.ndjson', '', 'out.ndjson'],
  ['out.csv.gz', '--excel', 'out.csv.gz'],
  ['out.json', '', 'out.json'],
  ['part.csv', '--split 150 --columns all', 'part-003.csv'],
  ['rows.tsv', '--multi rows=maker_name,production_role', 'rows.tsv'],
];

const lineOf = ([name, options]: Shape) => `${LONG} ${options} -o ${name}`;

describe('a run that is killed', () => {
  it(
    `at random moments, ${RUNS} times over, is resumed to the bytes of an undisturbed run`,
    async () => {
      const wholes = await Promise.all(
        SHAPES.map(async (shape) => digest(await undisturbed(shape[2], lineOf(shape), HOLDINGS))),
      );
      const runs: Run[] = [];
      let next = 0;
      const work = async () => {
        while (next < RUNS) {
          const run = next++;
          runs[run] = await killedAndResumed(run);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      expect(runs.map(({ run, outcome }) => ({ run, outcome }))).toEqual(
        runs.map(({ run }) => ({
          run,
          outcome: { code: 0, stderr: '', content: wholes[run % SHAPES.length], left: '' },
        })),
      );
      const kills = runs.reduce((sum, run) => sum + run.kills, 0);
      const several = runs.filter((run) => run.kills > 1).length;
      const resumed = runs.filter((run) => run.resumed > 0).length;
      process.stdout.write(
        `${RUNS} runs killed ${kills} times, ${several} of them several times; ${resumed} went on from a checkpoint\n`,
      );
      expect(kills).toBeGreaterThanOrEqual(RUNS / 2);
      // Not each began anew.
      expect(resumed).toBeGreaterThanOrEqual(RUNS / 3);
    },
    30_000 + RUNS * 20_000,
  );
});

interface Run {
  readonly run: number;
  readonly outcome: unknown;
  readonly kills: number;
  /** How often it went on from a checkpoint; 0 for a run killed before its first one. */
  readonly resumed: number;
}

/** One export, killed up to three times and then left to end. */
async function killedAndResumed(run: number): Promise<Run> {
  const shape = SHAPES[run % SHAPES.length] as Shape;
  const line = lineOf(shape);
  const setup = await setUpExport(MUSEUM);
  const luck = seededRandom(SEED + run);
  const wanted = 1 + ((run + Math.floor(run / SHAPES.length)) % 3);
  // Now and then behind the last page, while the file is being finished.
  const longest = Math.ceil((PAGES / wanted) * 1.1);
  let kills = 0;
  let last: RunResult = { code: null, stdout: '', stderr: '' };
  while (kills < wanted && last.code === null) {
    last = await endOrKill(setup, setup.begin(kills === 0 ? line : `${line} --resume`), {
      after: 1 + luck.below(longest),
      delay: luck.below(40),
    });
    if (last.code === null) kills++;
  }
  if (last.code === null) last = await setup.run(`${line} --resume`);
  const { code, stderr } = last;
  const made = await setup.text(shape[2]).catch(() => 'nothing');
  const left = (await setup.names()).filter((name) => /\.(part|lock|pending)\b/.test(name)).join();
  const { resumed = -1 } = await setup.manifest(shape[0]).catch(() => ({ resumed: -1 }));
  return { run, outcome: { code, stderr, content: digest(made), left }, kills, resumed };
}

interface Moment {
  /** Requests. */
  readonly after: number;
  /** Milliseconds behind the last of them. */
  readonly delay: number;
}

/** Kills a run at that moment, unless it ends before. */
async function endOrKill({ museum }: ExportSetup, child: ChildProcess, moment: Moment): Promise<RunResult> {
  const { length: before } = museum.requests;
  const end = ended(child);
  const isDue = () => museum.requests.length >= before + moment.after;
  while (!isDue() && child.exitCode === null) await pause(2);
  if (isDue()) {
    await pause(moment.delay);
    child.kill('SIGKILL');
  }
  return end;
}

/** Kills runs of `opac sync` at random moments. The mirror must always be in the state before the run or after it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { seededRandom } from '../../src/mock/random.js';
import { opac, start } from '../e2e/opac.js';
import { type ChangingMuseum, type ChangingRecord, changeRecords, formatLine } from './changing-museum.js';

/** Starts and kills runs until `kills` runs did not reach their end, or 4 * `kills` runs. Returns the number of killed runs. */
export async function killRuns(museum: ChangingMuseum, kills: number, seed: number): Promise<number> {
  const random = seededRandom(seed);
  const mirror = join(museum.folder, 'mirror');
  const words = ['sync', mirror, '--kinds', 'objects', '--base-url', museum.url, '--keep', '1'];
  let records: readonly ChangingRecord[] = changeRecords([], 1);
  await museum.publish(records);
  const startTime = performance.now();
  expect(await opac(words)).toMatchObject({ code: 0 });
  // The limit prevents long pauses if the machine was slow during the first run.
  const duration = Math.min(1000, Math.ceil(performance.now() - startTime));
  let killed = 0;
  let finished = contentOf(records);
  for (let kill = 0; killed < kills && kill < 4 * kills; kill++) {
    if (kill % 3 === 0) records = changeRecords(records, kill + 2);
    if (kill % 3 === 0) await museum.publish(records);
    const run = start(words);
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      run.once('close', (_, signal) => resolve(signal)),
    );
    await pause(random.below(duration));
    run.kill('SIGKILL');
    if ((await ended) === 'SIGKILL') killed++;
    const states = [finished, contentOf(records)];
    expect({ seed, kill, isWhole: states.includes(await readLines(mirror)) }).toEqual({
      seed,
      kill,
      isWhole: true,
    });
    if (kill % 3 < 2) continue;
    expect(await opac(words)).toMatchObject({ code: 0 });
    finished = contentOf(records);
    expect(await readLines(mirror)).toBe(finished);
    expect((await readdir(mirror)).filter((name) => name === '.whole' || name === '.opac-next')).toEqual([]);
    expect(await opac(['verify', join(mirror, 'objects.ndjson.gz')])).toMatchObject({ code: 0 });
  }
  return killed;
}

function contentOf(records: readonly ChangingRecord[]): string {
  return records.map(formatLine).sort().join('\n');
}

/** Returns the sorted lines of the snapshot. */
async function readLines(mirror: string): Promise<string> {
  const bytes = await readFile(join(mirror, 'objects.ndjson.gz'));
  return gunzipSync(bytes).toString().trimEnd().split('\n').sort().join('\n');
}

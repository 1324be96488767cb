/**
 * `npm run differential`: runs the program against random services with random edits. Exit code 0 must mean equal data. The
 * expected data come from a reference that shares no code with the program.
 *
 *   npm run differential -- --minutes 10             runs cases for 10 minutes, beginning with a random seed
 *   npm run differential -- --cases 60 --seed 1      runs 60 cases, which are always the same
 *   npm run differential -- --seed 17 --cases 1      repeats a case that failed
 *   npm run differential -- --only export-codings    runs one type of cases (can be repeated)
 *   npm run differential -- --program ../old/bin/opac.js     tests another build
 *   npm run differential -- --list                   lists the types of cases
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CASES, findCase } from './cases.js';
import { Context, UnexpectedResult } from './context.js';
import { createRandom } from './random.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    cases: { type: 'string' },
    only: { type: 'string', multiple: true },
    program: { type: 'string', default: process.env.OPAC_PROGRAM },
    workers: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
  },
});
const print = (text) => process.stdout.write(`${text}\n`);
const program = values.program ?? fileURLToPath(new URL('../../bin/opac.js', import.meta.url));
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const count = Number(values.cases ?? (values.minutes ? Number.POSITIVE_INFINITY : CASES.length));
const end = Date.now() + 60_000 * Number(values.minutes ?? Number.POSITIVE_INFINITY);
const startTime = Date.now();

if (values.list) for (const { name, description } of CASES) print(`${name.padEnd(20)}${description}`);
else await runCases();

async function runCases() {
  const unknown = values.only?.filter((name) => !CASES.some((each) => each.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`unknown type of cases: ${unknown.join(', ')}`);
  const results = new Map(CASES.map(({ name }) => [name, { cases: 0, failures: [], milliseconds: 0 }]));
  let next = 0;
  async function work() {
    while (next < count && Date.now() < end) {
      const number = next++;
      const seed = values.only ? findSeed(number) : firstSeed + number;
      await runCase(seed, results);
    }
  }
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
  printTable(results);
  if ([...results.values()].some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

/** Returns a seed of the selected types: 0 for the first such seed, 1 for the next one and so on. */
function findSeed(number) {
  const wanted = (seed) => values.only.includes(findCase(seed).name);
  let seed = firstSeed;
  for (let left = number; ; seed++) if (wanted(seed) && left-- === 0) return seed;
}

async function runCase(seed, results) {
  const { name, run } = findCase(seed);
  const caseStart = Date.now();
  const context = await Context.create(createRandom(seed, name), program);
  const row = results.get(name);
  try {
    await run(context);
  } catch (error) {
    row.failures.push({ seed, after: Math.round((Date.now() - startTime) / 1000) });
    print(`\nFAILED ${name}, seed ${seed}: npm run differential -- --seed ${seed} --cases 1`);
    print(error instanceof UnexpectedResult ? `  ${error.message}` : error.stack);
    for (const line of context.commands) print(`    ${line}`);
  } finally {
    await context.close();
    row.cases++;
    row.milliseconds += Date.now() - caseStart;
  }
}

function printTable(results) {
  print(
    `\n${'type'.padEnd(20)}${'cases'.padStart(6)}${'failed'.padStart(8)}${'s each'.padStart(8)}  seeds of failures`,
  );
  let cases = 0;
  for (const [name, row] of results) {
    cases += row.cases;
    if (row.cases === 0) continue;
    const each = (row.milliseconds / 1000 / row.cases).toFixed(1);
    const seeds = row.failures.map(({ seed, after }) => `${seed} (after ${after} s)`).slice(0, 5);
    print(
      `${name.padEnd(20)}${String(row.cases).padStart(6)}${String(row.failures.length).padStart(8)}${each.padStart(8)}  ${seeds.join(', ')}`,
    );
  }
  print(`${cases} cases from seed ${firstSeed} in ${Math.round((Date.now() - startTime) / 1000)} s`);
}

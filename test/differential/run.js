/**
 * `npm run differential`: random services, random histories, and the rule that exit 0 means equal data. What is expected comes
 * from a reference that shares no code with the program.
 *
 *   npm run differential -- --minutes 10             until then, from a random seed on
 *   npm run differential -- --cases 60 --seed 1      these cases, the same each time
 *   npm run differential -- --seed 17 --cases 1      the one that failed
 *   npm run differential -- --only export-codings    one type of cases (may be repeated)
 *   npm run differential -- --program ../old/bin/opac.js     another build
 *   npm run differential -- --list                   the types of cases
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CASES, caseOf } from './cases.js';
import { Context, Wrong } from './context.js';
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
const started = Date.now();

if (values.list) for (const { name, description } of CASES) print(`${name.padEnd(20)}${description}`);
else await runCases();

async function runCases() {
  const unknown = values.only?.filter((name) => !CASES.some((each) => each.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`unknown type of cases: ${unknown.join(', ')}`);
  const tally = new Map(CASES.map(({ name }) => [name, { cases: 0, failures: [], milliseconds: 0 }]));
  let next = 0;
  async function work() {
    while (next < count && Date.now() < end) {
      const number = next++;
      const seed = values.only ? seedOf(number) : firstSeed + number;
      await runCase(seed, tally);
    }
  }
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
  printTable(tally);
  if ([...tally.values()].some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

/** The seeds from the first one on that give one of the wanted types. */
function seedOf(number) {
  const wanted = (seed) => values.only.includes(caseOf(seed).name);
  let seed = firstSeed;
  for (let left = number; ; seed++) if (wanted(seed) && left-- === 0) return seed;
}

async function runCase(seed, tally) {
  const { name, run } = caseOf(seed);
  const begun = Date.now();
  const context = await Context.create(createRandom(seed, name), program);
  const row = tally.get(name);
  try {
    await run(context);
  } catch (error) {
    row.failures.push({ seed, after: Math.round((Date.now() - started) / 1000) });
    print(`\nFAILED ${name}, seed ${seed}: npm run differential -- --seed ${seed} --cases 1`);
    print(error instanceof Wrong ? `  ${error.message}` : error.stack);
    for (const line of context.commands) print(`    ${line}`);
  } finally {
    await context.close();
    row.cases++;
    row.milliseconds += Date.now() - begun;
  }
}

function printTable(tally) {
  print(
    `\n${'type'.padEnd(20)}${'cases'.padStart(6)}${'failed'.padStart(8)}${'s each'.padStart(8)}  seeds of failures`,
  );
  let cases = 0;
  for (const [name, row] of tally) {
    cases += row.cases;
    if (row.cases === 0) continue;
    const each = (row.milliseconds / 1000 / row.cases).toFixed(1);
    const seeds = row.failures.map(({ seed, after }) => `${seed} (after ${after} s)`).slice(0, 5);
    print(
      `${name.padEnd(20)}${String(row.cases).padStart(6)}${String(row.failures.length).padStart(8)}${each.padStart(8)}  ${seeds.join(', ')}`,
    );
  }
  print(`${cases} cases from seed ${firstSeed} in ${Math.round((Date.now() - started) / 1000)} s`);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { check } from '../context.js';
import { Mirror } from '../mirror.js';
import { readBytes } from '../reference/read-output.js';
import { checkSameRecords } from '../reference/same-data.js';
import { createPassingFaults, mayHideTotals } from '../service/deployment.js';
import { moveRecords } from './interrupted.js';

const KIND_SETS = [{ objects: 60 }, { objects: 60, persons: 15 }, { objects: 30, persons: 5, venues: 12 }];
const START = Date.UTC(2026, 10, 22, 1);

/** An environment in which the clock of the program stands at that time. */
function clockAt(milliseconds) {
  return {
    DIFFERENTIAL_CLOCK: String(milliseconds),
    NODE_OPTIONS: `--import ${new URL('../clock.js', import.meta.url).href}`,
  };
}

/** Runs between edits, with passing faults, validators of pages, and records that move while pages are read. */
export async function syncRuns(context) {
  const { random } = context;
  const service = await context.serve(random.pick(KIND_SETS), {
    deployment: { cap: random.pick([10, 10, 100]), ...mayHideTotals(random) },
  });
  const { collection, deployment } = service;
  const mirror = new Mirror(context, service);
  for (let run = 0; run < 3; run++) {
    if (random.chance(0.5)) service.faultOf = createPassingFaults(random.fork('faults'), 0.1);
    // Before the last page of the first kind: what moves later may come too late for the run.
    const pages = Math.floor(collection.records.objects.length / deployment.cap);
    const isMoving = pages > 1 && random.chance(0.7);
    if (isMoving) service.atPage(random.integer(2, pages), () => replaceRecords(context, collection));
    const exits = isMoving ? [0, 6] : [0];
    await mirror.sync([], { environment: clockAt(START + run * 3_600_000), exits });
    service.forgetActions();
    for (const kind of mirror.kinds) if (random.chance(0.8)) collection.disturb(kind);
  }
}

/** Removes records of the first pages and may add others: those behind them move up. */
function replaceRecords({ random }, collection) {
  const count = random.integer(1, 5);
  collection.remove(count, 'objects', random.integer(0, 5));
  collection.add(random.pick([0, count, count]));
}

/** A run is killed, or one kind fails; then records move, and a later run ends with exit 0. */
export async function syncBroken(context) {
  const { random } = context;
  const service = await context.serve(
    { objects: random.integer(60, 120), persons: 15 },
    { deployment: { cap: 10, delay: 3 } },
  );
  const { collection } = service;
  const mirror = new Mirror(context, service);
  let time = START;
  if (random.chance(0.7)) await mirror.sync([], { environment: clockAt(time) });
  for (let left = random.integer(1, 2); left > 0; left--) {
    if (random.chance(0.5)) moveRecords(context, collection, { keepsTotal: true });
    time += 1000;
    await breakRun(context, mirror, clockAt(time));
    moveRecords(context, collection, { keepsTotal: random.chance(0.7) });
    time += random.pick([1000, 6 * 3_600_000, 30 * 3_600_000]);
  }
  await mirror.sync([], { environment: clockAt(time) });
}

async function breakRun({ random }, mirror, environment) {
  const { service } = mirror;
  const concurrency = ['--concurrency', random.pick(['1', '6'])];
  if (random.chance(0.5)) {
    const signal = random.pick(['SIGKILL', 'SIGINT']);
    const page = random.integer(2, 9);
    const onStart = (kill) => service.atPage(page, () => kill(signal));
    await mirror.sync(concurrency, { environment, onStart, exits: [0, 130, 'SIGKILL'] });
    service.forgetActions();
    return;
  }
  service.faultOf = (url) => (url.includes('/opacpersons') ? '503' : undefined);
  await mirror.sync([...concurrency, '--retries', '0'], { environment, exits: [5, 6] });
  service.faultOf = () => undefined;
}

/** A day before that of the record before. */
function fallingDay(number) {
  return new Date(Date.UTC(2022, 0, 1) - number * 86_400_000).toISOString().slice(0, 10);
}

/** Each edit raises `modified`, a day that many records share; the service may ignore `sort`, or send an empty page. */
export async function syncNewest(context) {
  const { random } = context;
  const variant = random.pick(['equal days', 'ignored sort', 'empty page']);
  context.note(variant);
  const newest = '2026-11-22';
  const service = await context.serve(
    { objects: random.integer(60, 150) },
    {
      style: {
        days: variant === 'equal days' ? [newest, newest, '2020-01-01'] : ['2020-01-01', '2021-05-05'],
        // The order of the service itself may look like the one that was asked for.
        ...(variant === 'ignored sort' && random.chance(0.7) && { dayOf: fallingDay }),
      },
      deployment: { cap: 10, ignoresSort: variant === 'ignored sort' },
    },
  );
  const { collection } = service;
  const mirror = new Mirror(context, service);
  const words = ['--newest-first', 'modified:20'];
  await mirror.sync(words, { environment: clockAt(START) });
  for (let run = 1; run < 4; run++) {
    for (const { id } of random.some(collection.records.objects, random.integer(1, 4)))
      collection.edit(id, 'objects', {
        modified: newest,
        brief_desc: `edited in run ${run}: ${random.text()}`,
      });
    if (random.chance(0.3)) collection.add(1);
    if (random.chance(0.3)) collection.remove(1, 'objects', random.integer(0, 20));
    const seen = new Set();
    if (variant === 'empty page')
      service.faultOf = (url) =>
        url.includes('sort=') && seen.size === 0 && seen.add(url) ? 'empty' : undefined;
    const isOdd = variant !== 'equal days';
    await mirror.sync(words, { environment: clockAt(START + run * 1000), exits: isOdd ? [0, 5, 6] : [0] });
  }
}

/** A damaged response changes nothing, in its own run or in the next. */
export async function syncDamaged(context) {
  const { random } = context;
  const service = await context.serve(
    { objects: random.integer(210, 250) },
    { style: { hasImages: false }, deployment: { cap: 100 } },
  );
  const mirror = new Mirror(context, service);
  const broken = `offset=${100 * random.integer(0, 2)}`;
  service.faultOf = (url, count) => (url.endsWith(broken) && count === 1 ? 'damaged' : undefined);
  const { code } = await mirror.sync(['--retries', random.pick(['0', '1'])], { exits: [0, 5, 6] });
  service.faultOf = () => undefined;
  if (code === 0) service.collection.disturb();
  await mirror.sync(['--retries', '0'], { environment: clockAt(Date.now() + 10_000) });
}

/** Two runs in one second each have a change log. */
export async function syncSecond(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(3, 20) });
  const mirror = new Mirror(context, service);
  const environment = clockAt(START + random.integer(0, 999));
  for (let run = 0; run < 4; run++) {
    await mirror.sync(run > 0 && random.chance(0.3) ? ['--keep', '2'] : [], { environment });
    service.collection.edit(random.pick(service.collection.records.objects).id);
  }
}

const HOOKS = {
  works: 'basename "$1" >>../delivered; grep -c . "$1" >/dev/null',
  fails: 'exit 75',
  'fails late': 'basename "$1" >>../attempted; exit 1',
  kills: 'kill -9 $PPID',
};

/** Each change log reaches the command of `--on-change` at least once, oldest first, whatever fails. */
export async function syncHook(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(3, 20) });
  const { collection } = service;
  const mirror = new Mirror(context, service);
  await mirror.sync([], { environment: clockAt(START) });
  const plan = [
    ...Array.from({ length: random.integer(1, 3) }, () => random.pick(Object.keys(HOOKS))),
    'works',
  ];
  for (const [run, name] of plan.entries()) {
    if (name !== 'works' || random.chance(0.5)) collection.edit(random.pick(collection.records.objects).id);
    const environment = clockAt(START + (run + 1) * 1000);
    const exits = name === 'works' ? [0] : [0, 1, 'SIGKILL'];
    await runHook(mirror, HOOKS[name], { environment, exits });
  }
  const delivered = await readFile(join(context.folder, 'delivered'), 'utf8').catch(() => '');
  const first = [...new Set(delivered.split('\n').filter((name) => name !== ''))];
  const logs = await mirror.logs();
  check(
    logs.join() === first.join(),
    () => `change logs ${logs.join(', ')}; delivered: ${first.join(', ') || 'none'}`,
  );
}

/** A failing command may give any exit code but 0; the mirror is up to date all the same. */
async function runHook({ context, service, folder }, hook, options) {
  await context.run(['sync', folder, '--on-change', hook], { service, ...options });
}

/** A kind may have no records; the folder still takes the place of the deployment. */
export async function syncFrom(context) {
  const { random } = context;
  const counts = { objects: random.integer(0, 30), persons: random.integer(0, 12) };
  if (random.chance(0.6)) counts[random.pick(['persons', 'venues'])] = 0;
  const service = await context.serve(counts);
  const mirror = new Mirror(context, service);
  await mirror.sync();
  for (const kind of mirror.kinds) {
    const format = random.pick(['ndjson', 'json', 'csv', 'ids']);
    const name = `${kind}.${format}`;
    await context.run([kind, 'export', '--from', mirror.folder, '-o', name]);
    const entries = await readBytes(await readFile(context.path(name)), format);
    checkSameRecords(entries, mirror.state[kind], { what: `${name} from the mirror`, isOrdered: true });
    const { stdout } = await context.run([kind, 'count', '--from', mirror.folder, '-f', 'json']);
    check(/\d+/.exec(stdout)?.[0] === String(mirror.state[kind].size), () => `count of ${kind}: ${stdout}`);
  }
}

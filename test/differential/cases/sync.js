/** `opac sync`: after each successful run, the mirror must equal the service. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { check } from '../context.js';
import { Mirror } from '../mirror.js';
import { readBytes } from '../reference/read-output.js';
import { checkSameRecords } from '../reference/same-data.js';
import { createTemporaryFaults, mayHideTotals } from '../service/deployment.js';
import { changeRecords } from './interrupted.js';

const KIND_SETS = [{ objects: 60 }, { objects: 60, persons: 15 }, { objects: 30, persons: 5, venues: 12 }];
const START = Date.UTC(2026, 10, 22, 1);

/** Returns an environment in which the clock of the program always shows this time. */
function setClock(milliseconds) {
  return {
    DIFFERENTIAL_CLOCK: String(milliseconds),
    NODE_OPTIONS: `--import ${new URL('../clock.js', import.meta.url).href}`,
  };
}

/** Several runs, with edits between them, temporary faults, and records that move during a run. */
export async function syncRuns(context) {
  const { random } = context;
  const service = await context.serve(random.pick(KIND_SETS), {
    deployment: { cap: random.pick([10, 10, 100]), ...mayHideTotals(random) },
  });
  const { collection, deployment } = service;
  const mirror = new Mirror(context, service);
  for (let run = 0; run < 3; run++) {
    if (random.chance(0.5)) service.faultOf = createTemporaryFaults(random.fork('faults'), 0.1);
    // Records move before the last page of the first kind, because the run may not see later moves.
    const pages = Math.floor(collection.records.objects.length / deployment.cap);
    const isMoving = pages > 1 && random.chance(0.7);
    if (isMoving) service.atPage(random.integer(2, pages), () => replaceRecords(context, collection));
    const exits = isMoving ? [0, 6] : [0];
    await mirror.sync([], { environment: setClock(START + run * 3_600_000), exits });
    service.forgetActions();
    for (const kind of mirror.kinds) if (random.chance(0.8)) collection.disturb(kind);
  }
}

/** Removes records of the first pages, so that later records move up. May add other records. */
function replaceRecords({ random }, collection) {
  const count = random.integer(1, 5);
  collection.remove(count, 'objects', random.integer(0, 5));
  collection.add(random.pick([0, count, count]));
}

/** A run is killed, or one kind fails. Then records change, and a later run exits with 0. */
export async function syncBroken(context) {
  const { random } = context;
  const service = await context.serve(
    { objects: random.integer(60, 120), persons: 15 },
    { deployment: { cap: 10, delay: 3 } },
  );
  const { collection } = service;
  const mirror = new Mirror(context, service);
  let time = START;
  if (random.chance(0.7)) await mirror.sync([], { environment: setClock(time) });
  for (let left = random.integer(1, 2); left > 0; left--) {
    if (random.chance(0.5)) changeRecords(context, collection, { keepsTotal: true });
    time += 1000;
    await breakRun(context, mirror, setClock(time));
    changeRecords(context, collection, { keepsTotal: random.chance(0.7) });
    time += random.pick([1000, 6 * 3_600_000, 30 * 3_600_000]);
  }
  await mirror.sync([], { environment: setClock(time) });
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

/** Returns a day. Each record has an earlier day than the previous record. */
function computeDay(number) {
  return new Date(Date.UTC(2022, 0, 1) - number * 86_400_000).toISOString().slice(0, 10);
}

/** Each edit increases `modified`. Many records have the same day. The service may ignore `sort`, or send an empty page. */
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
        // The usual order of the service may look like the requested order.
        ...(variant === 'ignored sort' && random.chance(0.7) && { dayOf: computeDay }),
      },
      deployment: { cap: 10, ignoresSort: variant === 'ignored sort' },
    },
  );
  const { collection } = service;
  const mirror = new Mirror(context, service);
  const words = ['--newest-first', 'modified:20'];
  await mirror.sync(words, { environment: setClock(START) });
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
    await mirror.sync(words, { environment: setClock(START + run * 1000), exits: isOdd ? [0, 5, 6] : [0] });
  }
}

/** A damaged response does not make the mirror wrong, in the same run or in the next run. */
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
  await mirror.sync(['--retries', '0'], { environment: setClock(Date.now() + 10_000) });
}

/** Several runs in one second each write a change log. */
export async function syncSecond(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(3, 20) });
  const mirror = new Mirror(context, service);
  const environment = setClock(START + random.integer(0, 999));
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

/** Each change log reaches the command of `--on-change` at least once, the oldest first, even after failures. */
export async function syncHook(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(3, 20) });
  const { collection } = service;
  const mirror = new Mirror(context, service);
  await mirror.sync([], { environment: setClock(START) });
  const plan = [
    ...Array.from({ length: random.integer(1, 3) }, () => random.pick(Object.keys(HOOKS))),
    'works',
  ];
  for (const [run, name] of plan.entries()) {
    if (name !== 'works' || random.chance(0.5)) collection.edit(random.pick(collection.records.objects).id);
    const environment = setClock(START + (run + 1) * 1000);
    const exits = name === 'works' ? [0] : [0, 1, 'SIGKILL'];
    await runHook(mirror, HOOKS[name], { environment, exits });
  }
  const delivered = await readFile(join(context.folder, 'delivered'), 'utf8').catch(() => '');
  const first = [...new Set(delivered.split('\n').filter((name) => name !== ''))];
  const logs = await mirror.listLogs();
  check(
    logs.join() === first.join(),
    () => `change logs ${logs.join(', ')}; delivered: ${first.join(', ') || 'none'}`,
  );
}

/** Runs sync with a command, without the checks of the mirror. */
async function runHook({ context, service, folder }, hook, options) {
  await context.run(['sync', folder, '--on-change', hook], { service, ...options });
}

/** Commands with `--from` find the records of a mirror, even if it has no records of a kind. */
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

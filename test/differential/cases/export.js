/** Exports of a service that does not change: every format, content coding, chunk size and temporary fault. */
import { check } from '../context.js';
import { FORMATS, readBytes, readOutputs } from '../reference/read-output.js';
import { checkSameRecords } from '../reference/same-data.js';
import { CODING_NAMES } from '../service/deliver.js';
import { createTemporaryFaults, mayHideTotals } from '../service/deployment.js';
import { KINDS } from '../service/make-record.js';

/** Selects a format. Returns it with its options. */
export function chooseFormat(random, formats = FORMATS) {
  const format = random.pick(formats);
  const isCompressed = !['xlsx', 'parquet'].includes(format) && random.chance(0.25);
  const split = random.chance(0.25) ? random.integer(7, 60) : undefined;
  return {
    format,
    name: `out.${format}${isCompressed ? '.gz' : ''}`,
    // The reference finds values by the names of fields. The headers of XLSX are labels by default.
    words: ['-f', format, '--no-labels', ...(split ? ['--split', String(split)] : [])],
    split,
  };
}

/** Checks the files of an export, and that `opac verify` accepts them. */
export async function checkExport(context, chosen, records, options) {
  const { format, name } = chosen;
  checkSameRecords(await readExport(context, chosen), records, { what: name, ...options });
  if (format !== 'ids' || records.size > 0) await context.run(['verify', `${name}.manifest.json`]);
}

/** Returns the entries of all files of an export. */
export async function readExport(context, { format, name, split }) {
  const stem = name.slice(0, name.indexOf('.'));
  const isPart = (each) => each.startsWith(`${stem}-`) && each.endsWith(name.slice(stem.length));
  const names = split ? (await context.names()).filter(isPart) : [name];
  return readOutputs(
    names.map((each) => context.path(each)),
    format,
  );
}

async function exportUnchanged(
  context,
  { count, kind = 'objects', format, style, deployment, faults, words = [] },
) {
  const service = await context.serve({ [kind]: count }, { style, deployment });
  if (faults) service.faultOf = createTemporaryFaults(context.random.fork('faults'));
  const chosen = chooseFormat(context.random, format);
  const page = context.random.chance(0.3) ? ['--page-size', String(context.random.integer(5, 120))] : [];
  await context.run([kind, 'export', '-o', chosen.name, ...chosen.words, ...page, ...words], { service });
  await checkExport(context, chosen, service.collection.snapshot(kind), { isOrdered: true });
  return service;
}

/** Large concurrent pages in several content codings, out of order. No request fails, so no page may be requested twice. */
export async function exportCodings(context) {
  const { random } = context;
  const cap = random.integer(6, 12);
  const { requests } = await exportUnchanged(context, {
    count: 60 * cap,
    words: ['--concurrency', random.pick(['6', '16'])],
    style: { noise: random.integer(150_000, 200_000) / cap, hasImages: false },
    deployment: {
      codings: random.chance(0.7)
        ? ['identity', random.pick(CODING_NAMES.slice(1))]
        : random.some(CODING_NAMES, random.integer(1, 4)),
      cap,
      chunkSizes: [20_000, 65_536, 100_000],
      delay: random.pick([30, 100]),
    },
  });
  const twice = requests.find((url, n) => requests.indexOf(url) < n);
  check(twice === undefined, () => `a complete response was requested again: ${twice}`);
}

export async function exportFormats(context) {
  const { random } = context;
  const kind = random.pick(Object.keys(KINDS));
  const count = random.pick([0, 1, 5, 99, 100, 101, random.integer(2, 300)]);
  await exportUnchanged(context, { kind, count, deployment: mayHideTotals(random) });
}

export async function exportFaults(context) {
  await exportUnchanged(context, {
    count: context.random.integer(50, 400),
    deployment: { cap: context.random.pick([20, 50, 100]), ...mayHideTotals(context.random) },
    faults: true,
  });
}

/** Integers above 2^53 as ids and as values: Parquet, XLSX and `verify` must keep all digits. */
export async function exportNumbers(context) {
  for (const format of [['parquet'], ['ndjson', 'json', 'xlsx', 'csv', 'ids']])
    await exportUnchanged(context, {
      count: context.random.integer(3, 60),
      style: { ids: 'long', hasNumbers: true },
      deployment: { cap: 100 },
      format,
    });
}

/** An export with `--from` the file of another export contains the same records. */
export async function exportFrom(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(0, 150) });
  const source = random.pick(['source.ndjson', 'source.json', 'source.ndjson.gz']);
  await context.run(['objects', 'export', '-o', source], { service });
  const chosen = chooseFormat(random);
  const isEmpty = service.collection.records.objects.length === 0;
  const exits = isEmpty ? [0, 2] : [0];
  const result = await context.run(
    ['objects', 'export', '--from', source, '-o', chosen.name, ...chosen.words],
    { exits },
  );
  if (result.code !== 0) return;
  await checkExport(context, chosen, service.collection.snapshot(), { isOrdered: true });
}

/** `list` and `get` print the records that `export` writes, and `count` prints their number. */
export async function listFormats(context) {
  const { random } = context;
  const kind = random.pick(['objects', 'persons']);
  const service = await context.serve(
    { [kind]: random.integer(1, 120) },
    { style: random.pick([{}, { hasNumbers: true }, { ids: 'long' }]) },
  );
  const records = service.collection.snapshot(kind);
  const format = random.pick(['ndjson', 'json', 'csv', 'tsv', 'ids']);
  const columns = ['csv', 'tsv'].includes(format) ? ['--columns', 'all'] : [];
  const listed = await context.run([kind, 'list', '--all', '-f', format, ...columns], { service });
  const entries = await readBytes(listed.stdout, format);
  if (columns.length === 0) checkSameRecords(entries, records, { what: 'list', isOrdered: true });
  else check(entries.length === records.size, () => `list: ${entries.length} rows of ${records.size}`);
  const ids = random.shuffle([...records.keys()]).slice(0, random.integer(1, 12));
  const got = await context.run([kind, 'get', '-', '-f', 'ndjson'], {
    service,
    input: `${ids.join('\n')}\n`,
  });
  checkSameRecords(await readBytes(got.stdout, 'ndjson'), new Map(ids.map((id) => [id, records.get(id)])), {
    what: 'get',
    isOrdered: true,
  });
  const { stdout } = await context.run([kind, 'count', '-f', 'json'], { service });
  check(
    /\d+/.exec(stdout)?.[0] === String(records.size),
    () => `count printed ${stdout}, not ${records.size}`,
  );
}

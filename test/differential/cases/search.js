/** The same search in list, count, export, sync and local files. All must find the same records as the reference. */
import { writeFile } from 'node:fs/promises';
import { check } from '../context.js';
import { formatScalar } from '../reference/json.js';
import { readBytes, readOutputs } from '../reference/read-output.js';
import { readColumns, readFields } from '../reference/record.js';
import { checkIds } from '../reference/same-data.js';
import { createMatcher } from '../service/query.js';

const PLAIN = /^[a-z]+( [a-z]+)*$/;
const textsOf = (record, field) => (readFields(record.tree).get(field) ?? []).map(({ text }) => text);

/** Columns that are not fields. Nevertheless, `fields --empty` suggests them for `--where <column>=`. */
const NOT_FIELDS = ['image.url', 'label', 'slug', 'relationship.object_prod_0', 'relationship.object_prod_1'];

/** Terms of a search: `[words, function that returns true for matching records]`. */
const TERMS = {
  phrase({ random }, records) {
    const field = random.pick(['name', 'maker_name', 'brief_desc']);
    const values = records.flatMap((record) => textsOf(record, field)).filter((text) => PLAIN.test(text));
    const value = values.length > 0 ? random.pick(values).split(' ').slice(0, 2).join(' ') : 'fern';
    return [['--where', `${field}=${value}`], createMatcher(`${field}:"${value}"`)];
  },
  exact({ random }, records) {
    const values = records.flatMap((record) => textsOf(record, 'name')).filter((text) => PLAIN.test(text));
    const value = values.length > 0 ? random.pick(values) : 'fern';
    return [['--exact', '--where', `name=${value}`], (record) => textsOf(record, 'name').includes(value)];
  },
  'no value': ({ random }) => {
    const name = random.pick(['inscription', 'maker_name', ...NOT_FIELDS]);
    return [['--where', `${name}=`], (record) => !readColumns(record).has(name)];
  },
  'no attribute': () => [
    ['--where', 'measurements@unit='],
    ({ tree }) =>
      !(readFields(tree).get('measurements') ?? []).some(({ attributes }) =>
        attributes.some(([key]) => key === 'unit'),
      ),
  ],
  async file(context, records) {
    const numbers = context.random.some(records, 5).map((record) => textsOf(record, 'accession_no')[0]);
    await writeFile(context.path('numbers.txt'), numbers.map((number) => `${number}\n`).join(''));
    return [
      ['--where', 'accession_no=@numbers.txt'],
      (record) => numbers.includes(textsOf(record, 'accession_no')[0]),
    ];
  },
  collection({ random }) {
    const [id, name] = random.pick(COLLECTIONS);
    const words = random.pick([
      ['--collection', name],
      ['--where', `collections=${id}`],
    ]);
    return [words, createMatcher(`collections:"${id}"`)];
  },
  images: () => [['--has-images'], ({ tree }) => tree.get('imagesCollection').get('images').length > 0],
};

const COLLECTIONS = [
  ['1', 'Natural History'],
  ['2', 'Decorative Arts'],
  ['3', 'Taonga'],
];

export async function searchEverywhere(context) {
  const { random } = context;
  const service = await context.serve(
    { objects: random.integer(10, 90) },
    { style: { collections: COLLECTIONS } },
  );
  const items = COLLECTIONS.map(([opacCollectionId, collectionName]) => ({
    opacCollectionId,
    collectionName,
  }));
  service.lists['/opaccollections'] = () =>
    JSON.stringify({ opacCollections: items, totalCollections: items.length });
  const records = service.collection.records.objects;
  const names = random.some(Object.keys(TERMS), random.integer(1, 2));
  const terms = [];
  for (const name of names) terms.push(await TERMS[name](context, records));
  const words = terms.flatMap(([each]) => each);
  // `--exact` would also affect the other terms.
  if (names.includes('exact') && names.some((name) => ['phrase', 'file'].includes(name))) return;
  const expected = records
    .filter((record) => terms.every(([, isMatch]) => isMatch(record)))
    .map(({ id }) => id);
  await checkSearches(context, service, words, expected, isWithoutName(words, records));
}

/** Returns true if the search is for the name of a collection, and records do not contain this name. Files cannot find them. */
function isWithoutName(words, records) {
  const wanted = words[words.indexOf('--collection') + 1];
  const [id] = COLLECTIONS.find(([, name]) => name === wanted) ?? [];
  const collections = records.map(({ tree }) => tree.get('opacCollection'));
  const own = collections.filter(
    (each) => id !== undefined && formatScalar(each?.get?.('opacCollectionId')) === id,
  );
  return own.length > 0 && own.every((each) => formatScalar(each.get('collectionName')) === '');
}

async function checkSearches(context, service, words, expected, isUnknownInFiles = false) {
  const whatOf = (command) => ({ what: `${command} ${words.join(' ')}` });
  const { stdout } = await context.run(['objects', 'list', ...words, '--all', '-f', 'ids'], { service });
  checkIds(idsOf(await readBytes(stdout, 'ids')), expected, whatOf('list'));
  const { stdout: count } = await context.run(['objects', 'count', ...words, '-f', 'json'], { service });
  check(
    /\d+/.exec(count)?.[0] === `${expected.length}`,
    () => `count printed ${count}, not ${expected.length}`,
  );
  await context.run(['objects', 'export', ...words, '-o', 'found.ndjson'], { service });
  checkIds(idsOf(await readOutputs([context.path('found.ndjson')], 'ndjson')), expected, whatOf('export'));
  // `opac sync` has fewer search options. It refuses the others, and never ignores them.
  const isRefused = words.some((word) => /^--(exact|collection|has-images)$/.test(word));
  const exits = isRefused ? [2] : words.some((word) => word.endsWith('=')) ? [0, 2] : [0];
  const { code } = await context.run(['sync', 'mirror', '--kinds', 'objects', ...words], { service, exits });
  if (code === 0) await checkMirror(context, expected, whatOf('sync'));
  await context.run(['objects', 'export', '-o', 'all.ndjson'], { service });
  const local = await context.run(
    ['objects', 'list', '--from', 'all.ndjson', ...words, '--all', '-f', 'ids'],
    { exits: isUnknownInFiles ? [2] : [0] },
  );
  if (!isUnknownInFiles) checkIds(idsOf(await readBytes(local.stdout, 'ids')), expected, whatOf('--from'));
}

async function checkMirror(context, expected, what) {
  checkIds(idsOf(await readOutputs([context.path('mirror/objects.ndjson.gz')], 'ndjson')), expected, what);
}

const idsOf = (entries) => entries.map(({ id }) => id);

/** A search that is clearly a mistake causes an error, and never finds all records. */
export async function searchMistakes(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(1, 20) });
  await writeFile(context.path('empty.txt'), '');
  const words = random.pick([
    ['--where', 'nosuch='],
    ['--query', '@empty.txt'],
    ['--query', ''],
  ]);
  const command = random.pick([
    ['objects', 'list'],
    ['objects', 'count'],
    ['objects', 'export', '-o', 'out.csv'],
    ['sync', 'mirror'],
  ]);
  await context.run([...command, ...words], { service, exits: [2] });
  const { stdout } = await context.run(['objects', 'get', '-', '-f', 'ndjson'], { service });
  check(stdout.length === 0, 'get without ids printed records');
}

/** `diff` compares the records that match before or after. */
export async function searchDiff(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(10, 50) });
  const { collection } = service;
  await context.run(['objects', 'export', '-o', 'old.ndjson'], { service });
  for (const { id } of random.some(collection.records.objects, 8)) collection.edit(id);
  await context.run(['objects', 'export', '-o', 'new.ndjson'], { service });
  const [words, isMatch] = await TERMS.file(context, collection.records.objects);
  const { stdout } = await context.run(['diff', 'old.ndjson', 'new.ndjson', ...words, '-f', 'ids']);
  const before = new Map(
    (await readOutputs([context.path('old.ndjson')], 'ndjson')).map((each) => [each.id, each]),
  );
  const changed = collection.records.objects.filter(
    (record) => isMatch(record) && before.get(record.id).differenceFrom(record) !== undefined,
  );
  checkIds(
    idsOf(await readBytes(stdout, 'ids')),
    changed.map(({ id }) => id),
    { what: `diff ${words.join(' ')}` },
  );
}

/** Lists that are not searches, and commands that find records by names and numbers. */
import { check } from '../context.js';
import { printJson, readJson } from '../reference/json.js';
import { readBytes } from '../reference/read-output.js';
import { readFields, readImages } from '../reference/record.js';
import { checkIds, checkSameRecords } from '../reference/same-data.js';
import { readTable } from '../reference/table.js';
import { createMatcher } from '../service/query.js';

/** For each list: the command, the path, the keys of the list and the total, and a function that creates an item. */
const LISTS = [
  [
    ['collections', 'list'],
    '/opaccollections',
    'opacCollections',
    'totalCollections',
    (n, text) => ({ opacCollectionId: `${n}`, collectionName: text }),
  ],
  [
    ['highlights', 'list'],
    '/highlights',
    'highlights',
    'totalHighlights',
    (n, text) => ({ highlightId: n, title: text }),
  ],
  [
    ['imagelabels', 'list', '--all'],
    '/opacrecords/imagelabels',
    'imageLabels',
    'totalImageLabels',
    (n, text) => ({ imageLabelId: n, imageLabel: text }),
  ],
  [
    ['comments', 'list', '--all'],
    '/opacobjects/comments',
    'comments',
    'totalComments',
    (n, text) => ({ commentId: n, opacRecordId: '7', recordType: 'object', comment: text }),
  ],
  [
    ['relationships', 'list', 'objects'],
    '/opacobjects/relationships',
    'relationships',
    'totalRelationships',
    (n, text) => ({ relationshipId: `r${n}`, label: text }),
  ],
  [
    ['views', 'list', 'persons'],
    '/opacpersons/views',
    'views',
    'totalViews',
    (n, text) => ({ viewName: `v${n}`, label: text }),
  ],
  [
    ['authorities', 'list', 'persons', 'name', '--all'],
    '/opacpersons/authorities/name',
    'authorityTerms',
    'totalAuthorityTerms',
    (n, text) => ({ authorityTerm: `${n} ${text}` }),
  ],
  [['api', '/things', '--all'], '/things', 'things', 'totalThings', (n, text) => ({ thingId: n, text })],
];

function setUpList(context, service, list, chosenCount) {
  const { random } = context;
  const [words, path, key, totalKey, make] = list;
  const paging = {
    cap: random.pick([20, 50, 1000]),
    // For an undocumented path, opac recognizes a list only by its total.
    hasTotal: words[0] === 'api' || random.chance(0.5),
    ignoresOffset: random.chance(0.3),
    default: random.pick([20, 1000]),
  };
  const page = Math.min(paging.cap, paging.default);
  const count = chosenCount ?? random.pick([1, page - 1, page, page + 1, 157, 157]);
  // Some services end a list before its total.
  paging.end = paging.hasTotal && random.chance(0.15) ? random.integer(1, count) : count;
  const items = Array.from({ length: count }, (_, n) =>
    printJson(readJson(JSON.stringify(make(n + 1, random.text())))),
  );
  service.lists[path] = (parameters) => createPage(items, parameters, { ...paging, key, totalKey });
  return { words, items, paging, page };
}

function createPage(
  items,
  parameters,
  { cap, hasTotal, ignoresOffset, default: defaultSize, end, key, totalKey },
) {
  const limit = Math.min(cap, Number(parameters.get('limit') ?? defaultSize));
  const offset = ignoresOffset ? 0 : Number(parameters.get('offset') ?? 0);
  const total = hasTotal ? `,"${totalKey}":${items.length}` : '';
  return `{"${key}":[${items.slice(offset, Math.min(end ?? items.length, offset + limit)).join(',')}]${total}}`;
}

/** Lists with a maximum page size, without totals, with an early end, and of services that ignore the offset. */
export async function listItems(context) {
  const { random } = context;
  const service = await context.serve({ objects: 3, persons: 3 }, { deployment: { hasEscapes: false } });
  for (const list of random.some(LISTS, 4)) await checkList(context, service, list);
}

async function checkList(context, service, list) {
  const { random } = context;
  const { words, items, paging, page } = setUpList(context, service, list);
  const isShort = paging.end < items.length || (paging.ignoresOffset && page < items.length);
  // If a service ignores the offset and sends no total, opac cannot know whether its page is the complete list.
  const isUnknown = paging.ignoresOffset && !paging.hasTotal;
  const exits = isUnknown ? [0, 6] : isShort ? [6] : [0];
  const format = words[0] === 'api' ? [] : ['-f', random.pick(['json', 'ndjson'])];
  context.note(`${items.length} items, ${JSON.stringify(paging)}`);
  const { code, stdout } = await context.run([...words, ...format], { service, exits });
  if (code !== 0 || isShort) return;
  const texts = stdout.toString();
  const found = format[1] === 'ndjson' ? texts.split('\n').slice(0, -1).map(readJson) : readJson(texts);
  checkIds(found.map(printJson), items, { what: words.join(' '), isOrdered: true });
}

/** A table without rows has a header. */
export async function listEmpty(context) {
  const { random } = context;
  const service = await context.serve({ objects: 0 });
  const { words } = setUpList(context, service, random.pick(LISTS), 0);
  const isApi = words[0] === 'api';
  const command = isApi || random.chance(0.3) ? ['objects', 'fields'] : words;
  const format = random.pick(['csv', 'tsv']);
  const { stdout } = await context.run([...command, '-f', format], { service });
  const rows = readTable(stdout.toString(), format === 'csv' ? ',' : '\t');
  check(rows.length === 1 && rows[0].length > 1, () => `an empty ${format} has ${rows.length} rows`);
}

/** The name of a collection is on a later page of the list of collections. */
export async function listNames(context) {
  const { random } = context;
  const collections = Array.from({ length: 12 }, (_, n) => [`${n + 1}`, `Collection of ${n + 1} things`]);
  const service = await context.serve({ objects: 60 }, { style: { collections } });
  const items = collections.map(([opacCollectionId, collectionName]) =>
    JSON.stringify({ opacCollectionId, collectionName }),
  );
  const paging = { cap: 5, default: 5, hasTotal: random.chance(0.3), ignoresOffset: false };
  service.lists['/opaccollections'] = (parameters) =>
    createPage(items, parameters, { ...paging, key: 'opacCollections', totalKey: 'totalCollections' });
  const [id, name] = random.pick(collections);
  const isMatch = createMatcher(`collections:"${id}"`);
  const expected = [...service.collection.snapshot().values()].filter(isMatch).map((record) => record.id);
  const { stdout } = await context.run(['objects', 'list', '--collection', name, '--all', '-f', 'ids'], {
    service,
  });
  const ids = (await readBytes(stdout, 'ids')).map((entry) => entry.id);
  checkIds(ids, expected, { what: `the collection ${name}`, isOrdered: true });
}

/** `get --by` finds records by their id, title and fields. */
export async function getBy(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(2, 40) });
  const { records } = service.collection;
  const titleOf = ({ tree }) => readFields(tree).get('name')[0].text;
  const titles = records.objects.map(titleOf);
  const isPlain = (title) =>
    /^[a-z][a-z ]*$/.test(title) && titles.filter((each) => each === title).length === 1;
  const fields = [
    ['id', ({ id }) => id, records.objects],
    ['title', titleOf, records.objects.filter((record) => isPlain(titleOf(record)))],
    ['accession_no', ({ tree }) => readFields(tree).get('accession_no')[0].text, records.objects],
  ];
  for (const [field, getText, candidates] of fields) {
    if (candidates.length === 0) continue;
    const chosen = random.some(candidates, random.integer(1, 4));
    const words = ['objects', 'get', '--by', field, ...chosen.map(getText), '-f', 'ndjson'];
    const { stdout } = await context.run(words, { service });
    const expected = new Map(chosen.map((record) => [record.id, record]));
    checkSameRecords(await readBytes(stdout, 'ndjson'), expected, { what: `get --by ${field}` });
  }
}

/** Pages of images with `--limit` and `--offset` contain each image once. */
export async function listImages(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(3, 12) });
  const images = service.collection.records.objects.flatMap(({ tree }) => readImages(tree));
  const expected = images.map((image) => image.get('imageId'));
  const limit = random.integer(2, 5);
  const found = [];
  for (let offset = 0; offset <= expected.length; offset += limit) {
    const words = ['images', 'list', '--limit', `${limit}`, '--offset', `${offset}`, '-f', 'ndjson'];
    const { stdout } = await context.run(words, { service });
    const lines = stdout.toString().split('\n').slice(0, -1).map(readJson);
    found.push(...lines.map((line) => line.get('imageId')));
  }
  checkIds(found, expected, { what: `images by ${limit}`, isOrdered: true });
}

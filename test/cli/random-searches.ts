/** Creates random searches for terms, phrases, fields, facets, images and ids of given records, the same in every run. */

import { seededRandom } from '../../src/mock/random.js';
import type { RecordKind } from '../../src/service/kinds.js';
import { type CollectionRecord, readRecord } from '../../src/service/records/record.js';

/** Returns `count` command lines without options for the deployment. `lines` are records of `kind` as JSON. */
export function createRandomSearches(lines: readonly string[], kind: RecordKind, count: number): string[][] {
  const random = seededRandom(lines.length);
  const records = lines.map((line) => readRecord(JSON.parse(line), kind));
  const pickRecord = () => random.pick(records);
  const pickField = ({ fields }: CollectionRecord) => random.pick([...fields.keys()]);
  const firstValue = (found: CollectionRecord, field: string): string =>
    found.fields.get(field)?.[0]?.value ?? '';
  const pickValue = () => {
    const found = pickRecord();
    return firstValue(found, pickField(found));
  };
  const pickWords = () =>
    pickValue()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2);
  const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
  const createWhere = () => {
    const found = pickRecord();
    const field = pickField(found);
    return ['--where', `${field}=${firstValue(found, field)}`];
  };
  const createQuery = () => {
    const [one = 'blue', other = 'model'] = pickWords();
    const field = pickField(pickRecord());
    return random.pick([
      `${one} OR ${other}`,
      `NOT ${field}:${one}`,
      `${field}:(${one} OR ${quote(pickValue())})`,
      `${field}:* AND ${other.slice(0, 3)}*`,
      `${field}:""`,
      `(${one}`,
    ]);
  };
  const createSearch = (): string[] => {
    const [word] = pickWords();
    return random.pick([
      () => (word ? [word] : []),
      () => [quote(pickWords().slice(0, 2).join(' '))],
      createWhere,
      () => [...createWhere(), ...createWhere()],
      () => ['--query', createQuery()],
      () => ['--collection', random.pick(['1', '2', '3', 'none'])],
      () => ['--facet', `classification=${firstValue(pickRecord(), 'classification')}`],
      () => ['--has-images'],
      () => ['--external-id', [pickRecord(), pickRecord(), pickRecord()].map(({ id }) => id).join(',')],
      () => [],
    ])();
  };
  const createSort = () =>
    random.pick([[], ['--sort', `${pickField(pickRecord())}${random.pick(['', ':asc', ':desc'])}`]]);
  const createFormat = () => ['-f', random.pick(['csv', 'tsv', 'json', 'ndjson', 'ids'])];
  const noun = kind;
  const createLine = (): string[] =>
    random.pick([
      () => [
        noun,
        'list',
        ...createSearch(),
        ...createSort(),
        ...createFormat(),
        '--limit',
        String(1 + random.below(60)),
      ],
      () => [
        noun,
        'list',
        ...createSearch(),
        ...createSort(),
        '-f',
        'csv',
        '--columns',
        `id,title,${pickField(pickRecord())}`,
      ],
      () => [
        noun,
        'list',
        ...createSearch(),
        '--view',
        'label',
        '-f',
        'json',
        '--offset',
        String(random.below(9)),
      ],
      () => [noun, 'count', ...createSearch()],
      () => [noun, 'get', pickRecord().id, ...(random.boolean(0.2) ? ['none'] : []), '-f', 'ndjson'],
      () => [
        noun,
        'export',
        ...createSearch().filter((each) => each !== ''),
        ...createFormat().map((each) => (each === 'ids' ? 'csv' : each)),
      ],
      () => [noun, 'fields', ...createSearch(), '--sample', '50', '-f', 'tsv'],
      () => ['facets', 'list', noun, ...createSearch(), '-f', 'tsv'],
      () => ['facets', 'get', noun, 'classification', ...createSearch(), '-f', 'tsv'],
      () => [
        'images',
        'list',
        '--kind',
        noun,
        ...createSearch().filter((each) => each !== '--has-images'),
        '-f',
        'csv',
      ],
    ])();
  return Array.from({ length: count }, createLine);
}

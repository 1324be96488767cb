/** Creates random searches for terms, phrases, fields, facets, images and ids of given records, the same in every run. */

import { seededRandom } from '../../src/mock/random.js';
import type { RecordKind } from '../../src/service/kinds.js';
import { type CollectionRecord, readRecord } from '../../src/service/records/record.js';

/** Returns `count` command lines without options for the deployment. `lines` are records of `kind` as JSON. */
export function randomSearches(lines: readonly string[], kind: RecordKind, count: number): string[][] {
  const random = seededRandom(lines.length);
  const records = lines.map((line) => readRecord(JSON.parse(line), kind));
  const record = () => random.pick(records);
  const fieldOf = ({ fields }: CollectionRecord) => random.pick([...fields.keys()]);
  const firstValue = (of: CollectionRecord, field: string): string => of.fields.get(field)?.[0]?.value ?? '';
  const anyValue = () => {
    const of = record();
    return firstValue(of, fieldOf(of));
  };
  const words = () =>
    anyValue()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2);
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
  const where = () => {
    const of = record();
    const field = fieldOf(of);
    return ['--where', `${field}=${firstValue(of, field)}`];
  };
  const raw = () => {
    const [one = 'blue', other = 'model'] = words();
    const field = fieldOf(record());
    return random.pick([
      `${one} OR ${other}`,
      `NOT ${field}:${one}`,
      `${field}:(${one} OR ${quoted(anyValue())})`,
      `${field}:* AND ${other.slice(0, 3)}*`,
      `${field}:""`,
      `(${one}`,
    ]);
  };
  const search = (): string[] => {
    const [word] = words();
    return random.pick([
      () => (word ? [word] : []),
      () => [quoted(words().slice(0, 2).join(' '))],
      where,
      () => [...where(), ...where()],
      () => ['--query', raw()],
      () => ['--collection', random.pick(['1', '2', '3', 'none'])],
      () => ['--facet', `classification=${firstValue(record(), 'classification')}`],
      () => ['--has-images'],
      () => ['--external-id', [record(), record(), record()].map(({ id }) => id).join(',')],
      () => [],
    ])();
  };
  const sort = () =>
    random.pick([[], ['--sort', `${fieldOf(record())}${random.pick(['', ':asc', ':desc'])}`]]);
  const format = () => ['-f', random.pick(['csv', 'tsv', 'json', 'ndjson', 'ids'])];
  const noun = kind;
  const line = (): string[] =>
    random.pick([
      () => [noun, 'list', ...search(), ...sort(), ...format(), '--limit', String(1 + random.below(60))],
      () => [noun, 'list', ...search(), ...sort(), '-f', 'csv', '--columns', `id,title,${fieldOf(record())}`],
      () => [noun, 'list', ...search(), '--view', 'label', '-f', 'json', '--offset', String(random.below(9))],
      () => [noun, 'count', ...search()],
      () => [noun, 'get', record().id, ...(random.boolean(0.2) ? ['none'] : []), '-f', 'ndjson'],
      () => [
        noun,
        'export',
        ...search().filter((each) => each !== ''),
        ...format().map((each) => (each === 'ids' ? 'csv' : each)),
      ],
      () => [noun, 'fields', ...search(), '--sample', '50', '-f', 'tsv'],
      () => ['facets', 'list', noun, ...search(), '-f', 'tsv'],
      () => ['facets', 'get', noun, 'classification', ...search(), '-f', 'tsv'],
      () => [
        'images',
        'list',
        '--kind',
        noun,
        ...search().filter((each) => each !== '--has-images'),
        '-f',
        'csv',
      ],
    ])();
  return Array.from({ length: count }, line);
}

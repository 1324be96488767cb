/** Removes records that contain the words of a search, but not its complete values. */
import { describe, expect, it } from 'vitest';
import { createExactSource } from '../../../../src/export/collect/source/exact-source.js';
import type { RecordSource, ResumePoint } from '../../../../src/export/collect/source/record-source.js';
import { readLines } from '../../../../src/records/json/page-records.js';

const FROM = { offset: 7 } as ResumePoint;

/** Returns a source of these responses, and a log of the records that it read. */
function createSource(responses: readonly string[], more: object = {}) {
  const read: (string | undefined)[] = [];
  const source: RecordSource = {
    pages(from) {
      expect(from).toBe(FROM);
      return {
        report: 'the report' as never,
        ...more,
        async *[Symbol.asyncIterator]() {
          for (const [n, text] of responses.entries()) {
            const listed = readLines(Buffer.from(text), 'objects', n);
            read.push(listed && `${n}: ${listed.records.length} of ${listed.total}`);
            const records = listed?.records ?? [];
            yield { offset: n, records, received: 9, total: 8, retries: 1, elapsed: 2, next: n + 1 };
          }
        },
      };
    },
  };
  return { source, read };
}

const createNamedRecord = (id: string, title: string) =>
  `{"opacObjectId":"${id}","opacObjectFieldSets":[{"identifier":"name","opacObjectFields":[{"value":"${title}"}]}]}`;
const response = (...records: string[]) => `{"totalObjects":5,"opacObjects":[${records.join(',')}]}`;
const isVase = ({ fields }: { fields: ReadonlyMap<string, readonly { value: string }[]> }) =>
  fields.get('name')?.[0]?.value === 'vase';

async function readExact(responses: readonly string[]) {
  const { source, read } = createSource(responses);
  const pages = createExactSource(source, 'objects', isVase as never).pages(FROM);
  const found: string[] = [];
  for await (const { records, offset, received, total, retries, elapsed, next } of pages)
    found.push(
      `${records.map(({ id }) => id ?? '-').join('')} ${[offset, received, total, retries, elapsed, next]}`,
    );
  return { found, read };
}

describe('createExactSource', () => {
  const RESPONSES = [
    response(
      createNamedRecord('a', 'vase'),
      createNamedRecord('b', 'a vase'),
      '7',
      createNamedRecord('c', 'vase'),
    ),
    response(createNamedRecord('d', 'no'), '{"slug":"without an id"}'),
    'no list',
  ];
  const READ = ['0: 3 of 5', '1: 2 of 5', undefined];

  it('removes records without the exact value, and changes nothing else of the pages', async () => {
    expect(await readExact(RESPONSES)).toEqual({
      found: ['ac 0,9,8,1,2,1', ' 1,9,8,1,2,2', ' 2,9,8,1,2,3'],
      read: READ,
    });
  });

  it('returns the report, the missing ids and the plan of the inner source', () => {
    const pagesOf = (more?: object) =>
      createExactSource(createSource([], more).source, 'objects', () => true).pages(FROM);
    const pages = pagesOf({ notFound: () => ['a'], plan: () => 'the plan' });
    expect([pages.report, pages.notFound?.(), pages.plan?.()]).toEqual(['the report', ['a'], 'the plan']);
    expect([pagesOf().notFound?.(), pagesOf().plan?.()]).toEqual([[], undefined]);
  });
});

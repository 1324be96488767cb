/** Lists of a service whose result changes between two pages: opac exits with 0 only if no record was skipped. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Fault, startMuseum } from '../../../../src/mock/index.js';
import { opac } from '../../run-in-process.js';

const RECORDS = 400;

async function list(line: string, fault: Fault) {
  const museum = await startMuseum({ records: RECORDS, faults: [fault] });
  onTestFinished(() => museum.close());
  const words = `${line} --page-size 20 --concurrency 1 --base-url ${museum.url}`;
  return opac(words.split(' '));
}

describe('a list whose total becomes smaller while it is read', () => {
  it.each(['objects list --all -f ids', 'objects list --limit 300 -f ids', 'images list --all -f csv'])(
    'exits with 6, because records may be missing: %s',
    async (line) => {
      expect(await list(line, { kind: 'missing', records: 5, after: 6 })).toMatchObject({
        code: 6,
        stderr: expect.stringContaining('records were removed, so some records may be missing'),
      });
    },
  );
});

it('prints all records or exits with 6 if the total becomes larger', async () => {
  const { code, stdout } = await list('objects list --all -f ids', { kind: 'missing', records: 5, first: 6 });
  const ids = stdout.trim().split('\n');
  expect(code === 6 || new Set(ids).size === RECORDS).toBe(true);
});

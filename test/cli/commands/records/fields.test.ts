/** `opac <kind> fields`: the sampled records, the output, and column names that `--columns` accepts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Museum, type MuseumOptions, startMuseum } from '../../../../src/mock/index.js';
import { KINDS } from '../../../../src/service/kinds.js';
import { opac } from '../../run-in-process.js';

let museum: Museum;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
});
afterEach(async () => {
  await museum.close();
  await rm(folder, { recursive: true, force: true });
});

async function runAtMuseum(line: string, options: MuseumOptions = {}) {
  museum = await startMuseum(options);
  return run(line);
}

function run(line: string) {
  return opac(line.split(' '), { environment: { OPAC_BASE_URL: museum.url, OPAC_CONFIG_DIR: folder } });
}

const listSearches = () =>
  museum.requests.filter(({ path, query }) => query.has('limit') && !path.endsWith('/views'));

describe('opac fields', () => {
  it.each(KINDS)('prints column names of %s that --columns accepts', async (kind) => {
    const file = join(folder, 'columns.txt');
    expect((await runAtMuseum(`${kind} fields -f ids -o ${file}`)).code).toBe(0);
    const { code, stderr } = await run(`${kind} list --columns @${file} --limit 3`);
    expect(stderr).not.toContain('opac:');
    expect(code).toBe(0);
  });

  it('prints the numbers as JSON, and the sample size on standard error', async () => {
    const { stdout, stderr } = await runAtMuseum('objects fields -f json');
    expect(stderr).toContain('sampled 163 of 163 objects\n');
    const fields = JSON.parse(stdout) as { readonly column: string }[];
    expect(fields.find(({ column }) => column === 'production_date')).toMatchObject({
      label: 'Date made',
      filled: 163,
      percent: 100,
      most: 1,
      attributes: ['earliest_date', 'latest_date'],
      views: ['label', 'detail', 'advancedsearch'],
    });
    expect(fields.map(({ column }) => column)).toContain('relationship.object_prod_pri_person');
  });

  it('samples pages across a large result, and requests no more than --sample', async () => {
    const { stderr } = await runAtMuseum('objects fields --sample 60', { records: 100_000 });
    expect(stderr).toContain('sampled 60 of 100,000 objects\n');
    expect(
      listSearches()
        .map(({ query }) => Number(query.get('offset')))
        .toSorted((a, b) => a - b),
    ).toEqual([0, 49_990, 99_980]);
  });

  it('samples only records that match the search', async () => {
    const { stderr } = await runAtMuseum('objects fields --where collection=Pictures --has-images');
    expect(stderr).toMatch(/^sampled (\d+) of \1 objects\n/);
    expect(listSearches().map(({ query }) => [query.get('query'), query.get('hasImages')])).toContainEqual([
      'collection:"Pictures"',
      'true',
    ]);
  });

  it('reads only the records if the deployment has no views', async () => {
    const { code, stdout } = await runAtMuseum('objects fields -f json', {
      faults: [{ kind: 'status', status: 404, on: 'objects.views' }],
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ column: 'name', label: '', filled: 163, views: [] }),
    );
  });

  it('uses a smaller sample if the deployment refuses large offsets', async () => {
    const { code, stderr } = await runAtMuseum('objects fields --sample 60', {
      records: 100_000,
      faults: [{ kind: 'window', size: 10_000 }],
    });
    expect(stderr).toContain('2 of 3 pages of the sample were not received');
    expect(stderr).toContain('sampled 20 of 100,000 objects');
    expect(code).toBe(0);
  });

  it('counts no record twice if the deployment ignores the offset', async () => {
    const { stderr } = await runAtMuseum('objects fields', { faults: [{ kind: 'offset-ignored' }] });
    expect(stderr).toContain('sampled 20 of 163 objects\n');
  });

  it('prints only the fields of the views if no record matches', async () => {
    const { code, stdout } = await runAtMuseum('objects fields no_such_word -f json');
    expect(code).toBe(0);
    expect(new Set((JSON.parse(stdout) as { filled: number }[]).map(({ filled }) => filled))).toEqual(
      new Set([0]),
    );
  });
});

/** Hints if a search finds nothing: on standard error, with few further requests, and without an effect on scripts. */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { splitCommandLine } from '../e2e/opac.js';
import { withFolder } from '../export/export-setup.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { opac, type RunOptions } from './run-in-process.js';

let museum: Museum;
beforeAll(async () => {
  museum = await startMuseum();
});
afterAll(() => museum.close());

/** Runs a command against the shared museum. Returns the result, and the requests that the museum received. */
async function run(line: string | readonly string[], options?: RunOptions) {
  const before = museum.requests.length;
  const result = await opac(
    [...(typeof line === 'string' ? splitCommandLine(line) : line), '--base-url', museum.url],
    options,
  );
  return { ...result, requests: museum.requests.slice(before) };
}

/** Limit for the requests of a hint. opac reads lists of names until a page has no new name. */
const MAX_HINT_REQUESTS = 8;

describe('--collection, --highlight and --where', () => {
  it('find a collection or highlight by its name, and print its id', async () => {
    const byName = await run(['objects', 'list', '-f', 'ids', '--collection', 'decorative arts']);
    const byId = await run(['objects', 'list', '-f', 'ids', '--collection', '3']);
    expect(byName).toMatchObject({ code: 0, stdout: byId.stdout });
    expect(byName.stderr).toBe(`collection 3 (Decorative Arts)\n${byId.stderr}`);
    const highlight = await run(['objects', 'count', '--highlight', 'Raranga']);
    expect(highlight).toMatchObject({ code: 0, stderr: 'highlight 2 (Raranga: weaving)\n' });
  });

  it.each(['1840-1850', '1840–1850', '1840 to 1850', '1840...1850', '1840-50', 'c.1840-50'])(
    'suggest the syntax for a range of years: %s',
    async (years) => {
      const { code, stderr } = await run(['objects', 'count', '--where', `production_date=${years}`]);
      expect([code === 0 || code === 2, stderr]).toEqual([true, expect.stringContaining('1840..1850')]);
    },
  );

  it('are suggested for a range of years in the search words', async () => {
    const { code, stderr } = await run(['objects', 'count', '1240-1250']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('--where <field>=1240..1250')]);
  });

  it.each(['184O..1850', '1840..l850', 'c1840..', '..185O', '18xx..1850', '1840..spring 1850'])(
    'refuse a mistyped range of years: %s',
    async (years) => {
      const term = ['--where', `production_date=${years}`];
      for (const command of ['list', 'count']) {
        const { code, stdout, stderr } = await run(['objects', command, ...term]);
        expect({ code, stdout, stderr }).toEqual({
          code: 2,
          stdout: '',
          stderr: `opac: "${years}" is not a range of years; write 1840..1850, ..1850 or 1840..\n`,
        });
      }
    },
  );

  it('do not suggest the ranges of a date facet, because no record contains them', async () => {
    const { stderr } = await run('objects list -f ids --where production_date=1851-1899x');
    expect(stderr).not.toContain('did you mean');
  });

  it.each(['and so on..', 'wax..clay'])('accept other text with two dots: %s', async (text) => {
    const { code, stderr } = await run([
      'objects',
      'list',
      '-f',
      'ids',
      '--where',
      `production_date=${text}`,
    ]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('range of years')]);
  });

  it('refuse a name if a collection has no name, because records could be missing', () =>
    withFolder(async (path) => {
      const record = (id: string, opacCollection: object) =>
        JSON.stringify({ opacObjectId: id, recordType: 'object', opacCollection });
      const named = record('1', { opacCollectionId: 1, collectionName: 'Prints' });
      const lines = [named, record('2', { opacCollectionId: 1 }), record('3', { opacCollectionId: 3 })];
      await writeFile(path('all.ndjson'), lines.join('\n'));
      const list = (name: string) =>
        opac(['objects', 'list', '--from', path('all.ndjson'), '-f', 'ids', '--collection', name]);
      expect(await list('Prints')).toMatchObject({ code: 0, stdout: '1\n2\n' });
      const refused = await list('Taonga');
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain(
        'cannot find the collection "Taonga" by name; collections without a name: 3; use the id; choose from 1 (Prints), 3',
      );
    }));

  it.each([
    [
      'History',
      2,
      '2 collections match the name "History"; choose one by its id: 1 (Natural History), 5 (Human',
    ],
    ['Picture', 2, 'unknown collection "Picture"; did you mean 4 (Pictures)?\n'],
    ['77', 2, 'unknown collection "77"; choose from 1 (Natural History), 2 ('],
  ])('refuse the ambiguous or unknown collection %s with exit code %d', async (name, exit, message) => {
    const { code, stdout, stderr } = await run(['objects', 'list', '-f', 'ids', '--collection', name]);
    expect({ code, stdout, isPrinted: stderr.includes(message) || stderr }).toEqual({
      code: exit,
      stdout: '',
      isPrinted: true,
    });
  });

  it('request the list of collections also for an id', async () => {
    const { code, requests } = await run('objects list --collection 3 -f ids');
    // The list has no total, so opac needs a second request to find its end.
    expect([code, requests.length]).toEqual([0, 3]);
  });
});

describe('a search without results', () => {
  it.each([
    ['--facet classification=Painting', 'did you mean "'],
    ['--facet "maker_name=Hamada Shoji"', 'did you mean "Hamada Shōji"?'],
    ['--where "maker_name=Bensemann, Leo"', 'did you mean "Leo Bensemann"?'],
    ['--where maker_name=Bensemman', 'did you mean "Leo Bensemann"?'],
    ['--where maker_name=Shoji', 'did you mean "Hamada Shōji"?'],
    ['--where "maker_name=Leo Bensman"', 'did you mean "Leo Bensemann"?'],
    ['xorowai', 'no records match'],
    ['xorowai.csv', 'to write to this file, use -o xorowai.csv'],
    ['--where maker_name=Bensemann --exact', 'contain these words in a longer value: remove --exact'],
    [
      '--where production_date=',
      'some objects have a placeholder such as "date not known"; find them with --where \'production_date=date not known\'',
    ],
    ['maker=Xorowai', 'to search a field, use --where maker=Xorowai'],
    ['"Date made:Xorowai"', "to search a field, use --where 'Date made=Xorowai'"],
    ['--offset 5000', '--offset 5,000 skips all matching records'],
    ['--offset 5 --where maker_name=Bensemman', 'did you mean "Leo Bensemann"?'],
    [
      '--where accession_no=numbers.txt',
      'to read values from this file, use --where accession_no=@numbers.txt',
    ],
    ['--query maker:Leo', 'publishes no field "maker" of objects; did you mean "maker_name" (Maker)?'],
    ['--query "name:thing -xorowai:1"', 'publishes no field "xorowai" of objects\n'],
  ])('prints a message for %s: %s', async (typed, hint) => {
    const { code, stdout, stderr, requests } = await run(`objects list -f ids ${typed}`);
    expect({ code, stdout, isPrinted: stderr.includes(hint) || stderr }).toEqual({
      code: 0,
      stdout: '',
      isPrinted: true,
    });
    expect(requests.length).toBeLessThanOrEqual(2 + MAX_HINT_REQUESTS);
  });

  it('prints the hint also for count, export and fields', async () => {
    const counted = await run('objects count --where maker_name=Bensemman');
    const exported = await run('objects export -f ndjson --where maker_name=Bensemman');
    const fields = await run('objects fields -f ids --where maker_name=Bensemman');
    expect([counted.code, counted.stdout, exported.code, exported.stdout]).toEqual([0, '0\n', 0, '']);
    for (const { stderr } of [counted, exported, fields])
      expect(stderr).toContain('did you mean "Leo Bensemann"?');
  });

  it('prints hints also for images list, download and sheet', async () => {
    const { code, stderr } = await run('images list --where maker_name=Bensemman -f ids');
    expect([code, stderr]).toEqual([0, expect.stringContaining('did you mean "Leo Bensemann"?')]);
    const folder = join(tmpdir(), 'opac-no-images');
    for (const command of ['list', `download ${folder}`, `sheet -o ${folder}.html`])
      expect(await run(`images ${command} --where image@copyright=cc0`)).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(
          /no images match\nvalues of "image@copyright": "No known copyright restrictions" \(\d+\)\n/,
        ),
      });
  });

  it('prints the values of an attribute that the service cannot search', async () => {
    const search = (verb: string, value: string) =>
      run(['objects', verb, '-f', 'csv', '--where', `image@copyright=${value}`]);
    for (const verb of ['list', 'count', 'export']) {
      const { code, stderr, requests } = await search(verb, 'Public domain');
      expect([verb, code, stderr]).toEqual([
        verb,
        0,
        expect.stringMatching(
          /\nvalues of "image@copyright" in the first 100 records: "No known copyright restrictions" \(\d+\)\n$/,
        ),
      ]);
      expect(requests.length).toBeLessThanOrEqual(2 + MAX_HINT_REQUESTS);
    }
    expect((await search('list', 'No known copyright restrictions')).stderr).not.toContain('values of');
  });

  it('is refused with an unknown facet, and a similar facet is suggested', async () => {
    for (const verb of ['list', 'count']) {
      const { code, stderr } = await run(`objects ${verb} --facet clasification=x`);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(
          'opac: unknown facet "clasification" of objects; did you mean "classification"? If not, choose from',
        ),
      ]);
    }
  });

  it.each([
    ['objects list --columns "id title"', 2, 'put commas between columns: id,title\n'],
    ['objects list --where "production_date > 1840"', 2, 'use --where production_date=1840..\n'],
    ['objects list --where production_date<=1840', 2, 'use --where production_date=..1840\n'],
    ['objects list --images', 2, 'did you mean --has-images or --no-images?\n'],
    ['objects get 20011,20022', 3, 'put spaces between ids: 20011 20022\n'],
  ])('prints what to write instead: %s', async (line, code, hint) => {
    expect(await run(line)).toMatchObject({ code, stderr: expect.stringContaining(hint) });
  });

  it('sends two requests and prints no hint with --quiet', async () => {
    const { requests, stderr } = await run('objects list Bensemman --quiet -f ids');
    expect([requests.length, stderr]).toEqual([2, '']);
  });

  it('keeps its result if the requests for the hint fail', async () => {
    const failing = { faults: [{ kind: 'status', status: 500, after: 1 }] } as const;
    for (const [line, code, stderr] of [
      ['objects list kakahu -f ids --retries 0', 0, 'no records match\n'],
    ] as const)
      expect(await runAgainstMuseum(line, { museum: failing })).toMatchObject({ code, stdout: '', stderr });
  });
});

it('ignores white space at the end of pasted values', async () => {
  const line = (end: string) => [
    'objects',
    'list',
    '-f',
    'ids',
    '--collection',
    `1${end}`,
    '--where',
    `accession_no=1869.1.21${end}`,
  ];
  for (const end of ['\n', '\u00a0', ' ']) expect((await run(line(end))).stdout).toBe('20011\n');
});

it('suggests -- before a search that begins with a minus', async () => {
  const { code, stderr } = await run('objects list -Blake');
  expect([code, stderr]).toEqual([2, expect.stringContaining('write -- before it: -- -Blake')]);
});

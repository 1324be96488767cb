/** Searches with options, words and lists: the requests that they send, and the records that they find. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ORDER_OPTIONS, SEARCH_OPTIONS } from '../../src/cli/options/search.js';
import { filterIds, type MuseumRecord, readMuseumRecords } from '../e2e/museum-records.js';
import { collectOutcomes, splitLines } from '../e2e/run-against-museum.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { SEARCHES } from './searches.js';

let records: readonly MuseumRecord[];
beforeAll(async () => {
  records = await readMuseumRecords();
});
const findObjectIds = (passes: (one: MuseumRecord) => boolean) =>
  filterIds(records, (one) => one.kind === 'objects' && passes(one));

describe('a search', () => {
  /** Limits of the requests. A count reads records to report missing ids, and filters that the service ignored. */
  const listLimits = (option: string): readonly string[] => {
    if (option.includes('--external-id')) return ['100', '100'];
    return /--(?:collection|facet|has-images)|^--query 'collections:"\d+"'/.test(option)
      ? ['0', '100']
      : ['0'];
  };

  it('counts the expected objects, and sends the expected limits', async () => {
    const outcome = await collectOutcomes(SEARCHES.slice(0, -1), async ([option]) => {
      const { stdout, requests } = await runAgainstMuseum(`objects count ${option}`);
      // A search by field or collection first requests the list of fields or collections.
      const searches = requests.filter(({ path }) => !/\/(views|opaccollections)(\?|$)/.test(path));
      return [stdout, searches.map(({ query }) => query.get('limit'))];
    });
    expect(outcome).toEqual(
      Object.fromEntries(
        SEARCHES.slice(0, -1).map(([option, , finds]) => [
          option,
          [`${findObjectIds(finds).length}\n`, listLimits(option)],
        ]),
      ),
    );
  });

  it('is tested with each option, in SEARCHES or in another test', () => {
    const tested = new Set(SEARCHES.flatMap(([line]) => line.match(/--[\w-]+/g) ?? []));
    const testedElsewhere = ['--exact', '--highlight', '--no-images', '--sort'];
    const flags = [...SEARCH_OPTIONS, ...ORDER_OPTIONS].map(({ flags }) => flags.replace(/ .*/, ''));
    expect(flags.filter((flag) => !tested.has(flag))).toEqual(testedElsewhere);
  });

  it('finds records that contain all words and phrases', async () => {
    const { stdout, requests } = await runAgainstMuseum([
      'objects',
      'list',
      'watercolour on paper',
      'botany',
      '-f',
      'ids',
      '--all',
    ]);
    expect(requests[0]?.query.get('query')).toBe('"watercolour on paper" AND "botany"');
    expect(splitLines(stdout)).toEqual(
      findObjectIds(
        ({ values }) =>
          values('medium_desc').includes('Watercolour on paper') &&
          values('subject_category').includes('botany'),
      ),
    );
  });
});

describe('--sort', () => {
  it('accepts fields of persons together with --has-images', async () => {
    const fields = [
      'name_first_last',
      'name',
      'life_dates',
      'birth_place',
      'occupation',
      'gender',
      'biography',
    ];
    const withImages = filterIds(records, ({ kind, images }) => kind === 'persons' && images > 0).sort();
    const outcome = await collectOutcomes(
      fields.map((field) => [field] as const),
      async ([field]) => {
        const { code, stdout, requests } = await runAgainstMuseum(
          `persons list --sort ${field} --has-images -f ids --all`,
        );
        return { code, sort: requests.at(-1)?.query.get('sort'), found: splitLines(stdout).sort() };
      },
    );
    expect(outcome).toEqual(
      Object.fromEntries(fields.map((field) => [field, { code: 0, sort: field, found: withImages }])),
    );
  });

  it('exits with 2 for an unknown field', async () => {
    const { code, stderr, stdout } = await runAgainstMuseum('objects list --sort no_such_field');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('unknown field "no_such_field" of objects');
  });
});

describe('--where', () => {
  /** Values with characters that could break a query. Each value occurs in only one object of the museum. */
  const HARD = [
    ['name', 'The "Moa" jar: C:\\Museum\\jar (a copy)'],
    ['name', 'Diary AND ledger OR "both"'],
    ['name', 'Glass Model Invertebrate:  Physalia pelagica'],
    ['name', 'Kite 🪁 with tail 👩‍🎨'],
    ['accession_no', '20191231000000000017'],
    ['brief_desc', '-12 °C on the dial\nand a second line,\r\nand a third'],
    ['brief_desc', '<p>Given by <a href="/x?a=1&amp;b=2">A | B</a></p>'],
    ['researcher_notes', '"a,b";c\t"d"'],
  ] as const;

  it('finds exactly the record that contains the value, also with special characters', async () => {
    const rows = HARD.map(([field, value]) => [`${field}=${value}`, field, value] as const);
    const outcome = await collectOutcomes(rows, async ([where]) => {
      const { stdout } = await runAgainstMuseum(['objects', 'list', '-f', 'ids', '--where', where]);
      return splitLines(stdout);
    });
    const expected = rows.map(([where, field, value]) => [
      where,
      findObjectIds(({ values }) => values(field).includes(value)),
    ]);
    expect(outcome).toEqual(Object.fromEntries(expected));
    expect(Object.values(outcome).map((ids) => ids.length)).toEqual(HARD.map(() => 1));
  });
});

describe('--query', () => {
  it('refuses an invalid query without a request', async () => {
    const rows = [
      ['title:"blake', 'a quote is not closed (character 7)'],
      ['(a OR b', 'a parenthesis is not closed (character 1)'],
      ['a)', 'a closing parenthesis has no opening parenthesis (character 2)'],
      ['a AND', 'AND needs a term on both sides'],
      ['OR b', 'OR needs a term on both sides'],
    ] as const;
    for (const command of ['list', 'count']) {
      const outcome = await collectOutcomes(rows, async ([query, message]) => {
        const { code, stdout, stderr, requests } = await runAgainstMuseum([
          'objects',
          command,
          '--query',
          query,
        ]);
        return { code, stdout, requests, isPrinted: stderr.includes(message) };
      });
      const refused = { code: 2, stdout: '', requests: [], isPrinted: true };
      expect(outcome).toEqual(Object.fromEntries(rows.map(([query]) => [query, refused])));
    }
  });
});

describe('--external-id', () => {
  it('lists exactly the records with these ids, and all requests contain ids', async () => {
    const ids = findObjectIds(() => true).slice(5, 125);
    const { stdout, requests } = await runAgainstMuseum('objects list -f ids --all --external-id -', {
      stdin: ids.join('\n'),
    });
    expect(splitLines(stdout)).toEqual(ids);
    expect(requests.map(({ query }) => query.get('query')?.slice(0, 20))).toEqual(
      requests.map(() => 'external_object_id:('),
    );
  });

  it('applies --limit to the total of all requests', async () => {
    const ids = findObjectIds(() => true).slice(20);
    const { stdout } = await runAgainstMuseum('objects list -f ids --limit 130 --external-id -', {
      stdin: ids.join('\n'),
    });
    expect(splitLines(stdout)).toEqual(ids.slice(0, 130));
  });

  it('requires at least one id and an existing file', async () => {
    const [empty, missing] = await Promise.all([
      runAgainstMuseum('objects list --external-id -', { stdin: '\n\n' }),
      runAgainstMuseum('objects list --external-id @missing.txt'),
    ]);
    expect(empty).toMatchObject({ code: 2, requests: [], stderr: 'opac: no ids in "-"\n' });
    expect(missing).toMatchObject({
      code: 2,
      requests: [],
      stderr: 'opac: file not found: "missing.txt"\n',
    });
  });
});

describe('list', () => {
  it('prints that no records match, and writes a complete empty document in each format', async () => {
    const rows = [
      ['csv', /^id,title,recordType,.*\n$/],
      ['tsv', /^id\ttitle\trecordType\t.*\n$/],
      ['json', /^\[\]\n$/],
      ['ndjson', /^$/],
      ['ids', /^$/],
      ['table', /^$/],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([format, document]) => {
      const { code, stdout, stderr } = await runAgainstMuseum(`objects list no-such-word -f ${format}`);
      return { code, stderr, isComplete: document.test(stdout) || stdout };
    });
    const expected = { code: 0, stderr: 'no records match\n', isComplete: true };
    expect(outcome).toEqual(Object.fromEntries(rows.map(([format]) => [format, expected])));
  });
});

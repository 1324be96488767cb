/** The search options, through the program: what each sends, and that it finds what the museum holds. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Held, holdings, idsWhere } from './holdings.js';
import { newFolder, opac, words } from './opac.js';
import { byName, lines, visit } from './visit.js';

let held: readonly Held[];
beforeAll(async () => {
  held = await holdings();
});
const objectsWhere = (passes: (one: Held) => boolean) =>
  idsWhere(held, (one) => one.kind === 'objects' && passes(one));

describe('every search option', () => {
  /** The option, what goes out, and which objects it should find. */
  const ROWS: readonly (readonly [option: string, parameters: object, finds: (one: Held) => boolean])[] = [
    [
      '--where classification=Art/Paintings',
      { query: 'classification:"Art/Paintings"' },
      (one) => one.values('classification').includes('Art/Paintings'),
    ],
    [
      '--where classification=Art/Paintings --where user_sym_70=Yes',
      { query: 'classification:"Art/Paintings" AND user_sym_70:"Yes"' },
      (one) =>
        one.values('classification').includes('Art/Paintings') && one.values('user_sym_70').includes('Yes'),
    ],
    ['--collection 3', { query: 'collections:"3"' }, (one) => one.collection === '3'],
    [
      '--facet classification=Art/Paintings',
      { facet: 'classification:Art/Paintings' },
      (one) => one.values('classification').includes('Art/Paintings'),
    ],
    [
      '--facet classification=Art/Paintings --facet collections=Pictures',
      { facet: 'classification:Art/Paintings,collections:Pictures' },
      (one) => one.values('classification').includes('Art/Paintings'),
    ],
    ['--has-images', { hasImages: 'true' }, (one) => one.images > 0],
    [
      `--query 'collections:"3" OR collections:"5"'`,
      { query: 'collections:"3" OR collections:"5"' },
      (one) => one.collection === '3' || one.collection === '5',
    ],
    [
      `--query 'collections:"3" OR collections:"5"' --where user_sym_70=Yes`,
      { query: '(collections:"3" OR collections:"5") AND user_sym_70:"Yes"' },
      (one) =>
        (one.collection === '3' || one.collection === '5') && one.values('user_sym_70').includes('Yes'),
    ],
    [
      '--external-id 20022,20011,20022',
      { query: 'external_object_id:("20022", "20011")' },
      (one) => one.id === '20011' || one.id === '20022',
    ],
    ['--view label', { view: 'label' }, () => true],
  ];

  it('is sent in the words of the service and finds its objects', async () => {
    const outcome = await byName(ROWS, async ([option, parameters]) => {
      const { code, stdout, stderr, requests } = await visit(`objects list -f ids --all ${option}`);
      const sent = Object.fromEntries(
        Object.keys(parameters).map((name) => [name, requests[0]?.query.get(name)]),
      );
      return { code, sent, found: lines(stdout), stderr };
    });
    expect(outcome).toEqual(
      Object.fromEntries(
        ROWS.map(([option, sent, finds]) => [
          option,
          { code: 0, sent, found: objectsWhere(finds), stderr: '' },
        ]),
      ),
    );
  });

  it('narrows a count as it does a list, asked with limit=0', async () => {
    const outcome = await byName(ROWS.slice(0, -1), async ([option]) => {
      const { stdout, requests } = await visit(`objects count ${option}`);
      return [stdout, requests.map(({ query }) => query.get('limit'))];
    });
    expect(outcome).toEqual(
      Object.fromEntries(
        ROWS.slice(0, -1).map(([option, , finds]) => [option, [`${objectsWhere(finds).length}\n`, ['0']]]),
      ),
    );
  });

  it('finds the records of a highlight', async () => {
    const [listed, counted] = await Promise.all([
      visit('objects list --highlight 1 -f ids --all'),
      visit('objects count --highlight 1'),
    ]);
    expect(listed.requests[0]?.query.get('query')).toBe('highlight:"1"');
    expect(counted.stdout).toBe(`${lines(listed.stdout).length}\n`);
    expect(listed.stdout).not.toBe('');
  });

  it('searches words and phrases everywhere, each of which must occur', async () => {
    const { stdout, requests } = await visit([
      'objects',
      'list',
      'watercolour on paper',
      'botany',
      '-f',
      'ids',
      '--all',
    ]);
    expect(requests[0]?.query.get('query')).toBe('"watercolour on paper" AND "botany"');
    expect(lines(stdout)).toEqual(
      objectsWhere(
        ({ values }) =>
          values('medium_desc').includes('Watercolour on paper') &&
          values('subject_category').includes('botany'),
      ),
    );
  });
});

describe('--sort', () => {
  it('takes any field of the kind, together with --has-images', async () => {
    const fields = [
      'name_first_last',
      'name',
      'life_dates',
      'birth_place',
      'occupation',
      'gender',
      'biography',
    ];
    const withImages = idsWhere(held, ({ kind, images }) => kind === 'persons' && images > 0).sort();
    const outcome = await byName(
      fields.map((field) => [field] as const),
      async ([field]) => {
        const { code, stdout, requests } = await visit(
          `persons list --sort ${field} --has-images -f ids --all`,
        );
        return { code, sort: requests[0]?.query.get('sort'), found: lines(stdout).sort() };
      },
    );
    expect(outcome).toEqual(
      Object.fromEntries(fields.map((field) => [field, { code: 0, sort: field, found: withImages }])),
    );
  });

  it('goes up, or down with --direction desc', async () => {
    const [up, down] = await Promise.all([
      visit('venues list --sort opened --columns opened'),
      visit('venues list --sort opened --direction desc --columns opened'),
    ]);
    const years = idsWhere(held, ({ kind }) => kind === 'venues').length;
    const [header, ...ascending] = lines(up.stdout);
    expect(header).toBe('opened');
    expect(ascending).toHaveLength(years);
    expect(ascending).toEqual([...ascending].sort());
    expect(lines(down.stdout).slice(1)).toEqual([...ascending].reverse());
  });

  it('by a field that the service does not know is a mistake of the request', async () => {
    const { code, stderr, stdout } = await visit('objects list --sort no_such_field');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('no field "no_such_field" of objects');
  });
});

describe('--where', () => {
  /** Values that a query could be torn apart by, each in one object of the museum alone. */
  const HARD = [
    ['name', 'The "Moa" jar: C:\\Museum\\jar (a copy)'],
    ['name', 'Diary AND ledger OR "both"'],
    ['name', 'Glass Model Invertebrate:  Physalia pelagica'],
    ['name', 'Kite 🪁 with tail 👩‍🎨'],
    ['accession_no', '20191231000000000017'],
    ['brief_desc', '-12 °C on the dial\nand a second line,\r\nand a third'],
    ['brief_desc', '<p>Given by <a href="/x?a=1&amp;b=2">A | B</a></p>'],
    ['researcher_notes', 'a,b;c\t"d"'],
  ] as const;

  it('finds exactly the record that holds the value, whatever is in it', async () => {
    const rows = HARD.map(([field, value]) => [`${field}=${value}`, field, value] as const);
    const outcome = await byName(rows, async ([where]) => {
      const { stdout } = await visit(['objects', 'list', '-f', 'ids', '--where', where]);
      return lines(stdout);
    });
    const expected = rows.map(([where, field, value]) => [
      where,
      objectsWhere(({ values }) => values(field).includes(value)),
    ]);
    expect(outcome).toEqual(Object.fromEntries(expected));
    expect(Object.values(outcome).map((ids) => ids.length)).toEqual(HARD.map(() => 1));
  });
});

describe('a query of the user', () => {
  it('that cannot be right is refused before anything is sent', async () => {
    const rows = [
      ['title:"blake', 'a quote is never closed (character 7)'],
      ['(a OR b', 'a parenthesis is never closed (character 1)'],
      ['a)', 'a parenthesis is closed that was never opened (character 2)'],
      ['a AND', 'AND needs a term on both sides'],
      ['OR b', 'OR needs a term on both sides'],
    ] as const;
    for (const command of ['list', 'count']) {
      const outcome = await byName(rows, async ([query, message]) => {
        const { code, stdout, stderr, requests } = await visit(['objects', command, '--query', query]);
        return { code, stdout, requests, said: stderr.includes(message) };
      });
      const refused = { code: 2, stdout: '', requests: [], said: true };
      expect(outcome).toEqual(Object.fromEntries(rows.map(([query]) => [query, refused])));
    }
  });

  it('is read from a file or standard input with --query-file', async () => {
    const folder = await newFolder();
    const query = 'collections:"3"';
    await writeFile(join(folder, 'query.txt'), `${query}\n`);
    const [fromFile, fromInput] = await Promise.all([
      visit('objects count --query-file query.txt', { folder }),
      visit('objects count --query-file -', { stdin: `${query}\n` }),
    ]);
    for (const { code, stdout, requests } of [fromFile, fromInput]) {
      expect(requests[0]?.query.get('query')).toBe(query);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `${objectsWhere(({ collection }) => collection === '3').length}\n`,
      });
    }
  });
});

describe('--external-id', () => {
  it('takes any number of ids, from a file or standard input, split over requests and each found once', async () => {
    const ids = objectsWhere(() => true);
    const wanted = [...ids, ...Array.from({ length: 500 }, (_, index) => `no-such-${index}`), ...ids];
    const folder = await newFolder();
    await writeFile(join(folder, 'ids.txt'), `\uFEFF${wanted.join('\r\n')}\r\n`);
    const [fromFile, fromInput, counted] = await Promise.all([
      visit('objects list -f ids --all --external-id @ids.txt', { folder }),
      visit('objects list -f ids --all --external-id -', { stdin: wanted.join('\n') }),
      visit('objects count --external-id @ids.txt', { folder }),
    ]);
    expect(lines(fromFile.stdout)).toEqual(ids);
    expect(fromInput.stdout).toBe(fromFile.stdout);
    expect(counted.stdout).toBe(`${ids.length}\n`);
    expect(fromFile.requests.length).toBeGreaterThan(1);
    expect(fromFile.requests.every(({ status }) => status === 200)).toBe(true);
  });

  it('obeys --limit over all of its requests', async () => {
    const ids = objectsWhere(() => true);
    const { stdout } = await visit('objects list -f ids --limit 130 --external-id -', {
      stdin: ids.join('\n'),
    });
    expect(lines(stdout)).toEqual(ids.slice(0, 130));
  });

  it('needs at least one id, and a file that is there', async () => {
    const [empty, missing] = await Promise.all([
      visit('objects list --external-id -', { stdin: '\n\n' }),
      visit('objects list --external-id @missing.txt'),
    ]);
    expect(empty).toMatchObject({ code: 2, requests: [], stderr: 'opac: there are no ids in "-"\n' });
    expect(missing).toMatchObject({
      code: 2,
      requests: [],
      stderr: 'opac: there is no file "missing.txt"\n',
    });
  });
});

describe('list, get and count', () => {
  it('answer for every kind', async () => {
    const rows = [
      ['objects', '20011'],
      ['persons', '5003'],
      ['venues', '301'],
    ] as const;
    const outcome = await byName(rows, async ([kind, id]) => {
      const [list, get, count] = await Promise.all([
        opac(words(`${kind} list --mock --all -f ids`)),
        opac(words(`${kind} get ${id} --mock --columns id`)),
        opac(words(`${kind} count --mock`)),
      ]);
      return [lines(list.stdout), get.stdout, count.stdout];
    });
    const expected = rows.map(([kind, id]) => {
      const ids = idsWhere(held, (one) => one.kind === kind);
      return [kind, [ids, `id\n${id}\n`, `${ids.length}\n`]];
    });
    expect(outcome).toEqual(Object.fromEntries(expected));
  });

  it('of records cover all kinds together', async () => {
    const [list, count] = await Promise.all([
      opac(words('records list --mock --all --columns recordType,id')),
      opac(words('records count --mock')),
    ]);
    expect(lines(list.stdout).slice(1).sort()).toEqual(
      held.map(({ kind, id }) => `${kind.replace(/s$/, '')}\t${id}`).sort(),
    );
    expect(count.stdout).toBe(`${held.length}\n`);
  });

  it('get several records in the order asked for, each once, and name those that are not there', async () => {
    const { code, stdout, stderr } = await visit('objects get 20022 20011 20022 999 --columns id');
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'id\n20022\n20011\n' });
    expect(stderr).toContain('"Object with ID : 999 does not exist"');
  });

  it('say that nothing was found, and still give a whole document', async () => {
    const rows = [
      ['csv', /^id,title,recordType,.*\n$/],
      ['tsv', /^id\ttitle\trecordType\t.*\n$/],
      ['json', /^\[\]\n$/],
      ['ndjson', /^$/],
      ['ids', /^$/],
      ['table', /^$/],
    ] as const;
    const outcome = await byName(rows, async ([format, document]) => {
      const { code, stdout, stderr } = await visit(`objects list no-such-word -f ${format}`);
      return { code, stderr, whole: document.test(stdout) || stdout };
    });
    const nothing = { code: 0, stderr: 'no records match\n', whole: true };
    expect(outcome).toEqual(Object.fromEntries(rows.map(([format]) => [format, nothing])));
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../../src/service/endpoints/catalogue.js';
import { RETIRED_PATHS } from '../../../src/service/endpoints/retired.js';
import { type Migration, migrateUrl } from '../../../src/service/migrate/migrate-url.js';
import { nastyText } from '../../nasty-text.js';

const DOCUMENT = readFileSync(new URL('../../../docs/service/INTERFACE.md', import.meta.url), 'utf8');

/** Returns the rows of the table below a heading, without the header row. */
function readTable(heading: string): string[][] {
  const section = DOCUMENT.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '));
}

/** Returns the path and the decoded parameters that a server would read. */
function parseAddress(address: string): { path: string; parameters: [string, string][] } {
  const url = new URL(address, 'https://museum.example');
  return { path: decodeURIComponent(url.pathname), parameters: [...url.searchParams] };
}

const STYLES = {
  'a path': '',
  'a path of version 2': '/api/v2',
  'a path of version 3': '/api/v3',
  'a template with its base': '{base_url}/api/v2',
  'a URL': 'https://museum.example/sub/api/v2',
};

describe.each(Object.entries(STYLES))('migrateUrl with %s from INTERFACE.md', (_, base) => {
  const newBase = base.replace('v2', 'v3');

  it.each(readTable('Deprecated methods and their replacements'))(
    'replaces the deprecated %s with %s',
    (old, use) => {
      const [path = '', wanted = ''] = old.startsWith('/')
        ? [old, use]
        : [
            '/opacobjects?opacObjectIds=<id>,<id2>',
            `/opacobjects with query term ${use.replace(', "<id>"', ', "<id2>"')}`,
          ];
      const [target = '', term = ''] = wanted.split(/ with query(?: term)? /);
      const advanced = path.endsWith('/search/advanced');
      const migration = migrateUrl(`${base}${path}${advanced ? '?<field>=<value>' : ''}`);
      expect(migration.status).toBe('moved');
      const name = /\{(opacCollectionId|highlightId)\}/.exec(path)?.[0] ?? '';
      const query = term
        .replace('"<id>"', name ? `"${name}"` : '"<id>"')
        .replace('<field>:<value>', '<field>:"<value>"')
        .replace(' inside query', '');
      const [address, rest] = migration.text.split('?query=');
      expect(address).toBe(`${newBase}${target}`);
      expect(decodeURIComponent(rest ?? '')).toBe(query);
    },
  );

  it.each(readTable('Removed methods'))('replaces the removed %s with %s', (path, use) => {
    const migration = migrateUrl(`${base}${path}`);
    const replacements = migration.status === 'moved' ? [migration.text] : migration.alternatives;
    expect(replacements).toEqual(use.split(/, | or /).map((replacement) => `${newBase}${replacement}`));
  });

  it.each(
    [...DOCUMENT.matchAll(/\| GET \| (\S+) \|[^|]*Formerly (\/[^\s|]*[^\s|.])/g)].map((match) => [
      match[2],
      match[1],
    ]),
  )('replaces the former %s with %s', (path, use) => {
    expect(migrateUrl(`${base}${path}`)).toMatchObject({ status: 'moved', text: `${newBase}${use}` });
  });

  it.each(CATALOGUE.map((row) => row.path))('changes only the version of %s', (path) => {
    const status = base.includes('v2') ? 'moved' : 'current';
    expect(migrateUrl(`${base}${path}`)).toEqual({ status, text: `${newBase}${path}`, notes: [] });
  });
});

describe('migrateUrl for paths without a single replacement', () => {
  it('returns the three replacements of /roles, with the parameters and the fragment', () => {
    expect(migrateUrl('https://m.example/api/v2/roles?limit=5#top')).toEqual({
      status: 'choose',
      text: 'https://m.example/api/v2/roles?limit=5#top',
      alternatives: [
        'https://m.example/api/v3/opacobjects/relationships?limit=5#top',
        'https://m.example/api/v3/opacpersons/relationships?limit=5#top',
        'https://m.example/api/v3/opacvenues/relationships?limit=5#top',
      ],
      notes: ['/roles was removed; choose one of its 3 replacements'],
    });
  });

  it('does not use the id of a role as the id of a relationship', () => {
    expect(migrateUrl('/opacpersons/12/objectroles/5')).toEqual({
      status: 'choose',
      text: '/opacpersons/12/objectroles/5',
      alternatives: ['/opacpersons/12/relationships/{relationshipId}'],
      notes: ['roleId 5 is not a relationshipId; choose one from "opac relationships list persons"'],
    });
  });
});

describe('migrateUrl with query parameters', () => {
  it.each<[string, string, [string, string][]]>([
    [
      '/opaccollections/7/opacobjects?limit=5&sort=name',
      '/opacobjects',
      [
        ['query', 'collections:"7"'],
        ['limit', '5'],
        ['sort', 'name'],
      ],
    ],
    [
      '/opaccollections/7/opacobjects?limit=5&query=name:%22a+b%22&sort=name',
      '/opacobjects',
      [
        ['limit', '5'],
        ['query', 'collections:"7" AND name:"a b"'],
        ['sort', 'name'],
      ],
    ],
    [
      '/opaccollections/7/opacobjects?query=a:1%20OR%20b:2',
      '/opacobjects',
      [['query', 'collections:"7" AND (a:1 OR b:2)']],
    ],
    [
      '/opaccollections/7/opacobjects?query=a:%22x OR y%22',
      '/opacobjects',
      [['query', 'collections:"7" AND a:"x OR y"']],
    ],
    [
      '/opaccollections/7/opacobjects?query=a:1%7C%7Cb:2',
      '/opacobjects',
      [['query', 'collections:"7" AND (a:1||b:2)']],
    ],
    [
      '/opaccollections/7/opacobjects?query=blue%20jar',
      '/opacobjects',
      [['query', 'collections:"7" AND (blue jar)']],
    ],
    [
      '/opaccollections/7/opacobjects?query=a:(x OR y) AND NOT b:z',
      '/opacobjects',
      [['query', 'collections:"7" AND a:(x OR y) AND NOT b:z']],
    ],
    ['/opaccollections/7/opacobjects?query=', '/opacobjects', [['query', 'collections:"7"']]],
    ['/opaccollections/a%2Fb%22c+d/opacobjects', '/opacobjects', [['query', 'collections:"a/b\\"c+d"']]],
    ['/opaccollections/100%/opacobjects/', '/opacobjects', [['query', 'collections:"100%"']]],
    [
      '/opaccollections/7/opacobjects/search/advanced?limit=5&maker=W.+%22Bill%22%20B&view=detail&place=A%26B',
      '/opacobjects',
      [
        ['limit', '5'],
        ['query', 'collections:"7" AND maker:"W. \\"Bill\\" B" AND place:"A&B"'],
        ['view', 'detail'],
      ],
    ],
    [
      '/opaccollections/7/opacobjects/search/advanced?maker=a&maker=b&query=c:1&hasImages=true',
      '/opacobjects',
      [
        ['query', 'collections:"7" AND maker:"a" AND maker:"b" AND c:1'],
        ['hasImages', 'true'],
      ],
    ],
    [
      '/opaccollections/7/opacobjects/search/advanced?maker=%22W%20B%22&place=',
      '/opacobjects',
      [['query', 'collections:"7" AND maker:"W B"']],
    ],
    [
      '/opaccollections/7/opacobjects/facets/area/search/advanced?maker=a&amp;limit=2',
      '/opacobjects/facets/area',
      [
        ['query', 'collections:"7" AND maker:"a"'],
        ['limit', '2'],
      ],
    ],
    ['/opacobjects?opacObjectIds=1,2,3', '/opacobjects', [['query', 'external_object_id:("1", "2", "3")']]],
    [
      '/opacobjects?opacObjectIds=1&view=detail&opacObjectIds=2,1',
      '/opacobjects',
      [
        ['query', 'external_object_id:("1", "2")'],
        ['view', 'detail'],
      ],
    ],
    [
      '/opacobjects/facets/area?query=a:1 OR b:2&opacObjectIds=1%2C+2',
      '/opacobjects/facets/area',
      [['query', '(a:1 OR b:2) AND external_object_id:("1", "2")']],
    ],
    [
      '/highlights/3/opacobjects?opacObjectIds=1',
      '/opacobjects',
      [['query', 'highlight:"3" AND external_object_id:("1")']],
    ],
    ['/opacobjects?opacObjectIds=&view=detail', '/opacobjects', [['view', 'detail']]],
    ['/highlights?derivative=LARGE', '/highlights', []],
    [
      '/highlights/3?a=1&derivative=LARGE&b=+',
      '/highlights/3',
      [
        ['a', '1'],
        ['b', ' '],
      ],
    ],
  ])('converts the path and the parameters of %s', (old, path, parameters) => {
    const { status, text } = migrateUrl(old);
    expect(status).toBe('moved');
    expect(parseAddress(text)).toEqual({ path, parameters });
  });

  it.each([
    '/opacobjects?query=a+b%20c&x=%zz&&y',
    '/opacrecords?opacObjectIds=1',
    '/opacpersons?derivative=LARGE',
    '/opacobjects?query=a:1 OR b:2',
    '/opacobjects?=x&=',
  ])('does not change %s', (text) => {
    expect(migrateUrl(text)).toEqual({ status: 'current', text, notes: [] });
  });

  it('reports dropped parameters, characters that are not wildcards, and the new query', () => {
    expect(migrateUrl('/highlights?derivative=LARGE').notes).toEqual([
      'derivative: no longer exists; the service returns all image derivatives',
    ]);
    expect(migrateUrl('/opaccollections/7/opacobjects/search/advanced?maker=Bla*').notes).toEqual([
      'maker: * and ? in "Bla*" are not wildcards',
      'the query is now: collections:"7" AND maker:"Bla*"',
    ]);
  });

  it('reports an invalid query in the old URL', () => {
    const { notes } = migrateUrl('/opaccollections/7/opacobjects?query=name:"blake');
    expect(notes[0]).toContain('a quote is not closed');
  });
});

describe('migrateUrl with other forms of URLs', () => {
  it.each([
    ['opaccollections/7/opacobjects#x', 'opacobjects?query=collections%3A%227%22#x'],
    ['api/v2/opacobjects', 'api/v3/opacobjects'],
    ['http://localhost:8080/api/v2/', 'http://localhost:8080/api/v3/'],
    ['https://museum.example/api/v2', 'https://museum.example/api/v3'],
    ['https://museum.example/comments', 'https://museum.example/opacobjects/comments'],
    ['/api/v2/opacpersons/5/', '/api/v3/opacpersons/5/'],
    [
      'https://old.example/api/v2/museum/api/v2/opacobjects',
      'https://old.example/api/v2/museum/api/v3/opacobjects',
    ],
  ])('converts %s to %s', (old, text) => {
    expect(migrateUrl(old)).toMatchObject({ status: 'moved', text });
  });

  it('encodes a lone surrogate as U+FFFD', () => {
    expect(migrateUrl('/opaccollections/7/opacobjects/search/advanced?maker=\ud800').text).toBe(
      '/opacobjects?query=collections%3A%227%22%20AND%20maker%3A%22%EF%BF%BD%22',
    );
  });

  it('reports that it drops an empty field, and the reason', () => {
    for (const empty of ['', '%20+'])
      expect(migrateUrl(`/opaccollections/7/opacobjects/search/advanced?maker=${empty}`).notes).toContain(
        'maker: dropped, because an empty field does not restrict a search',
      );
  });
});

describe('migrateUrl with undocumented paths', () => {
  it('changes the version to 3, and reports that the path is not documented', () => {
    expect(migrateUrl('/api/v2/sites/5')).toEqual({
      status: 'moved',
      text: '/api/v3/sites/5',
      notes: ['/sites/5 is not documented; only the version was changed'],
    });
  });

  it.each(['/sites', 'hello', '', 'https://museum.example/', '/api/v1/opacobjects', '{base}'])(
    'returns the status none for %j',
    (text) => {
      expect(migrateUrl(text)).toMatchObject({ status: 'none', text });
    },
  );
});

describe('migrateUrl with any URL', () => {
  const id = fc.oneof(
    fc.string({ minLength: 1 }).map(encodeURIComponent),
    fc.constantFrom('{id}', ':id', '%s', '7'),
  );
  const parameter = fc
    .tuple(
      fc.constantFrom('query', 'limit', 'opacObjectIds', 'maker', 'derivative', 'x'),
      fc.string({ unit: 'grapheme' }),
    )
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const address = fc
    .record({
      base: fc.constantFrom('', '/api/v2', '/api/v3', 'https://m.example/a/api/v2', `\${BASE}`),
      path: fc.constantFrom(...[...RETIRED_PATHS, ...CATALOGUE].map((row) => row.path), '/other'),
      id: id.filter((value) => value !== '.' && value !== '..'),
      parameters: fc.array(parameter, { maxLength: 4 }),
    })
    .map(
      ({ base, path, id: value, parameters }) =>
        `${base}${path.replace(/\{\w+\}/g, () => value)}?${parameters.join('&')}`,
    );

  it('does not change its own result', () => {
    fc.assert(
      fc.property(address, (old) => {
        const once: Migration = migrateUrl(old);
        const twice = migrateUrl(once.text);
        expect(twice.text).toBe(once.text);
        if (once.status === 'moved') expect(twice.status).toBe('current');
      }),
    );
  });

  it('returns a result for any text, and changes only text that it moves', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const { status, text: after } = migrateUrl(text);
        if (status !== 'moved') expect(after).toBe(text);
      }),
    );
  });
});

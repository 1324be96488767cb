import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, fillPath, getEndpoint } from '../../../src/service/endpoints/catalogue.js';
import { RETIRED_PARAMETERS, RETIRED_PATHS } from '../../../src/service/endpoints/retired.js';

const DOCUMENT = readFileSync(new URL('../../../docs/service/INTERFACE.md', import.meta.url), 'utf8');

/** The rows of the tables between a heading and the next heading of its level. */
function tables(heading: string): string[][] {
  const level = heading.match(/^#+/)?.[0];
  const after = DOCUMENT.split(`\n${heading}\n`)[1] ?? '';
  const section = after.split(new RegExp(`\n${level} `))[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .map((line) => line.slice(2, -2).split(' | '));
}

const documented = tables('## Endpoints')
  .filter(([method, path]) => /^(GET|POST)$/.test(method ?? '') && path?.startsWith('/'))
  .map(([method, path]) => `${method} ${path}`);

describe('the catalogue against the document', () => {
  it('reads the tables of the document', () => {
    expect(documented).toHaveLength(33);
  });

  it('has every endpoint of the document, and marks as documented no other', () => {
    const ours = CATALOGUE.filter((row) => row.origin === 'documented').map(
      (row) => `${row.method} ${row.path}`,
    );
    expect(ours.toSorted()).toEqual(documented.toSorted());
  });

  it('marks what was observed or is likely, as the field notes have it', () => {
    const others = CATALOGUE.filter((row) => row.origin !== 'documented').map(
      (row) => `${row.origin} ${row.path}`,
    );
    expect(others).toEqual([
      'observed /opacobjects/{opacObjectId}',
      'likely /opacobjects/views/{viewName}',
      'likely /opacobjects/views/advancedsearch',
      'observed /opacpersons/{opacPersonId}',
      'likely /opacpersons/facets/{facetId}',
      'likely /opacpersons/views/{viewName}',
    ]);
  });

  it('has each id and each method and path once', () => {
    expect(new Set(CATALOGUE.map((row) => row.id)).size).toBe(CATALOGUE.length);
    expect(new Set(CATALOGUE.map((row) => `${row.method} ${row.path}`)).size).toBe(CATALOGUE.length);
  });

  it('has the required parameters of the authorization request', () => {
    const table = tables('## Authentication').filter(
      ([name, required]) => required === 'yes' && name !== 'code',
    );
    const query = getEndpoint('oauth.authorize').query;
    expect(query.every((parameter) => parameter.required)).toBe(true);
    expect(table.map(([name]) => name)).toEqual(expect.arrayContaining(query.map(({ name }) => name)));
    expect(query).toHaveLength(6);
  });
});

describe('the retired paths against the document', () => {
  const deprecated = tables('### Deprecated methods and their replacements').slice(1);
  const removed = tables('### Removed methods').slice(1);
  const formerly = [...DOCUMENT.matchAll(/Formerly (\/[^\s|]*[^\s|.])/g)].map((match) => match[1]);
  const ours = (state: string) => RETIRED_PATHS.filter((row) => row.state === state).map((row) => row.path);

  it('reads the tables of the document', () => {
    expect([deprecated.length, removed.length, formerly.length]).toEqual([7, 4, 4]);
  });

  it('has each row, in the order of the document', () => {
    expect(ours('deprecated')).toEqual(
      deprecated.map(([path]) => path).filter((path) => path?.startsWith('/')),
    );
    expect(ours('removed')).toEqual(removed.map(([path]) => path));
    expect(ours('formerly').toSorted()).toEqual(formerly.toSorted());
  });

  it('names the replacements that the document names', () => {
    const named = [...deprecated, ...removed].filter(([path]) => path?.startsWith('/'));
    expect(named).toHaveLength(10);
    for (const [path, use = ''] of named) {
      const row = RETIRED_PATHS.find((candidate) => candidate.path === path);
      expect(row?.replacements, path).toEqual(use.match(/(?<!:")\/[\w/{}]+/g));
    }
  });

  it('replaces only by paths of the catalogue', () => {
    const paths = new Set(CATALOGUE.map((row) => row.path));
    for (const row of RETIRED_PATHS) for (const path of row.replacements) expect(paths).toContain(path);
    for (const row of RETIRED_PARAMETERS) for (const path of row.paths) expect(paths).toContain(path);
  });
});

describe('fillPath', () => {
  it.each([
    ['a/b', '/opacobjects/a%2Fb'],
    ['ü 1?', '/opacobjects/%C3%BC%201%3F'],
    ['192938', '/opacobjects/192938'],
  ])('percent-encodes %j', (opacObjectId, path) => {
    expect(fillPath(getEndpoint('objects.get'), { opacObjectId })).toBe(path);
  });

  it.each(['', '.', '..'])('refuses %j, which would name another endpoint', (opacObjectId) => {
    expect(() => fillPath(getEndpoint('objects.get'), { opacObjectId })).toThrow('for opacObjectId');
  });
});

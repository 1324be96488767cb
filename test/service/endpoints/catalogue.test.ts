import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, fillPath, getEndpoint } from '../../../src/service/endpoints/catalogue.js';
import { RETIRED_PARAMETERS, RETIRED_PATHS } from '../../../src/service/endpoints/retired.js';

const DOCUMENT = readFileSync(new URL('../../../docs/service/INTERFACE.md', import.meta.url), 'utf8');

/** Returns the rows of the tables between a heading and the next heading of its level. */
function readTables(heading: string): string[][] {
  const level = heading.match(/^#+/)?.[0];
  const after = DOCUMENT.split(`\n${heading}\n`)[1] ?? '';
  const section = after.split(new RegExp(`\n${level} `))[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .map((line) => line.slice(2, -2).split(' | '));
}

const documented = readTables('## Endpoints')
  .filter(([method, path]) => /^(GET|POST)$/.test(method ?? '') && path?.startsWith('/'))
  .map(([method, path]) => `${method} ${path}`);

describe('endpoint catalogue', () => {
  it('is compared with the 33 endpoints of INTERFACE.md', () => {
    expect(documented).toHaveLength(33);
  });

  it('marks exactly the endpoints of INTERFACE.md as documented', () => {
    const ours = CATALOGUE.filter((row) => row.origin === 'documented').map(
      (row) => `${row.method} ${row.path}`,
    );
    expect(ours.toSorted()).toEqual(documented.toSorted());
  });

  it('marks six other endpoints as observed or likely', () => {
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

  it('contains each id once, and each method and path once', () => {
    expect(new Set(CATALOGUE.map((row) => row.id)).size).toBe(CATALOGUE.length);
    expect(new Set(CATALOGUE.map((row) => `${row.method} ${row.path}`)).size).toBe(CATALOGUE.length);
  });

  it('contains six required parameters of the authorization request', () => {
    const table = readTables('## Authentication').filter(
      ([name, required]) => required === 'yes' && name !== 'code',
    );
    const query = getEndpoint('oauth.authorize').query;
    expect(query.every((parameter) => parameter.required)).toBe(true);
    expect(table.map(([name]) => name)).toEqual(expect.arrayContaining(query.map(({ name }) => name)));
    expect(query).toHaveLength(6);
  });
});

describe('list of retired paths', () => {
  const deprecated = readTables('### Deprecated methods and their replacements').slice(1);
  const removed = readTables('### Removed methods').slice(1);
  const formerly = [...DOCUMENT.matchAll(/Formerly (\/[^\s|]*[^\s|.])/g)].map((match) => match[1]);
  const listPaths = (state: string) =>
    RETIRED_PATHS.filter((row) => row.state === state).map((row) => row.path);

  it('is compared with 7 deprecated, 4 removed and 4 former paths of INTERFACE.md', () => {
    expect([deprecated.length, removed.length, formerly.length]).toEqual([7, 4, 4]);
  });

  it('contains each path of INTERFACE.md, deprecated and removed paths in the same order', () => {
    expect(listPaths('deprecated')).toEqual(
      deprecated.map(([path]) => path).filter((path) => path?.startsWith('/')),
    );
    expect(listPaths('removed')).toEqual(removed.map(([path]) => path));
    expect(listPaths('formerly').toSorted()).toEqual(formerly.toSorted());
  });

  it('contains the replacements of INTERFACE.md', () => {
    const rows = [...deprecated, ...removed].filter(([path]) => path?.startsWith('/'));
    expect(rows).toHaveLength(10);
    for (const [path, use = ''] of rows) {
      const row = RETIRED_PATHS.find((candidate) => candidate.path === path);
      expect(row?.replacements, path).toEqual(use.match(/(?<!:")\/[\w/{}]+/g));
    }
  });

  it('contains only replacements from the catalogue', () => {
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

  it.each(['', '.', '..'])('refuses %j, which changes the endpoint', (opacObjectId) => {
    expect(() => fillPath(getEndpoint('objects.get'), { opacObjectId })).toThrow('for opacObjectId');
  });
});

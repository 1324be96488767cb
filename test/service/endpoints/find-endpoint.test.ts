import { describe, expect, it } from 'vitest';
import { CATALOGUE, fillPath, pathParameters } from '../../../src/service/endpoints/catalogue.js';
import { findEndpoint } from '../../../src/service/endpoints/find-endpoint.js';

describe('findEndpoint', () => {
  it.each(CATALOGUE.map((row) => [row.id, row] as const))(
    'finds the row of %s, and decodes the values of its path',
    (id, row) => {
      const values = Object.fromEntries(pathParameters(row.path).map((name) => [name, `ä b/${name}`]));
      const found = findEndpoint(fillPath(row, values));
      expect(found?.row.id).toBe(id);
      expect(found?.values).toEqual(values);
    },
  );

  it.each(['/nothing', '/opacobjects/1/2/3', '/'])('returns undefined for %s', (path) => {
    expect(findEndpoint(path)).toBeUndefined();
  });

  it('keeps a % that does not begin an escape', () => {
    expect(findEndpoint('/opacobjects/100%')?.values).toEqual({ opacObjectId: '100%' });
  });
});

import { describe, expect, it } from 'vitest';
import { CATALOGUE, fillPath, pathParameters } from '../../../src/service/endpoints/catalogue.js';
import { findEndpoint } from '../../../src/service/endpoints/find-endpoint.js';

describe('the row of a path', () => {
  it.each(CATALOGUE.map((row) => [row.id, row] as const))(
    'is found for %s, its values decoded',
    (id, row) => {
      const values = Object.fromEntries(pathParameters(row.path).map((name) => [name, `ä b/${name}`]));
      const found = findEndpoint(fillPath(row, values));
      expect(found?.row.id).toBe(id);
      expect(found?.values).toEqual(values);
    },
  );

  it.each(['/nothing', '/opacobjects/1/2/3', '/'])('is none for %s', (path) => {
    expect(findEndpoint(path)).toBeUndefined();
  });

  it('takes a % that begins no escape as it is', () => {
    expect(findEndpoint('/opacobjects/100%')?.values).toEqual({ opacObjectId: '100%' });
  });
});

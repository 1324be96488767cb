import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { getJson } from './requests.js';

let museum: Museum;
let strict: Museum;
beforeAll(async () => {
  [museum, strict] = await Promise.all([
    startMuseum(),
    startMuseum({ faults: [{ kind: 'deprecated-refused' }] }),
  ]);
});
afterAll(() => Promise.all([museum.close(), strict.close()]));

/** The rows of INTERFACE.md "Deprecated methods and their replacements", and combinations of two rows. */
const ROWS: readonly (readonly [deprecated: string, current: string])[] = [
  ['/opaccollections/3/opacobjects?limit=50', '/opacobjects?limit=50&query=collections:"3"'],
  [
    '/opaccollections/3/opacobjects?query=glass OR wax',
    '/opacobjects?query=collections:"3" AND (glass OR wax)',
  ],
  ['/opaccollections/3/opacobjects/facets/color', '/opacobjects/facets/color?query=collections:"3"'],
  ['/highlights/2/opacobjects?sort=name', '/opacobjects?sort=name&query=highlight:"2"'],
  ['/highlights/2/opacobjects/facets/maker_name', '/opacobjects/facets/maker_name?query=highlight:"2"'],
  [
    '/opaccollections/3/opacobjects/search/advanced?classification=Art/Paintings&user_sym_70=Yes&limit=9',
    '/opacobjects?limit=9&query=collections:"3" AND classification:"Art/Paintings" AND user_sym_70:"Yes"',
  ],
  [
    '/opaccollections/3/opacobjects/facets/color/search/advanced?user_sym_70=Yes',
    '/opacobjects/facets/color?query=collections:"3" AND user_sym_70:"Yes"',
  ],
  ['/opacobjects?opacObjectIds=20022,20033', '/opacobjects?query=external_object_id:("20022", "20033")'],
  [
    '/opacobjects/facets/color?opacObjectIds=20011&query=wax',
    '/opacobjects/facets/color?query=external_object_id:("20011") AND wax',
  ],
  [
    '/opaccollections/1/opacobjects?opacObjectIds=20011,20022',
    '/opacobjects?query=collections:"1" AND external_object_id:("20011", "20022")',
  ],
];

describe('the museum', () => {
  it.each(ROWS)('responds to a deprecated request as to its replacement: %s', async (deprecated, current) => {
    const response = await getJson(museum, deprecated);
    expect(response).toEqual(await getJson(museum, current));
    expect(response.status).toBe(200);
    expect(response.body).not.toEqual((await getJson(museum, current.replace(/[?&]query=.*/, ''))).body);
  });

  it.each(ROWS)('refuses a deprecated request with the fault deprecated-refused: %s', async (deprecated) => {
    expect((await getJson(strict, deprecated)).status).toBe(
      deprecated.startsWith('/opacobjects') ? 400 : 404,
    );
  });

  it('returns 404 for removed and renamed paths', async () => {
    for (const path of ['/roles', '/directory/opaccollections', '/comments', '/views/opacobjects'])
      expect((await getJson(museum, path)).status, path).toBe(404);
  });
});

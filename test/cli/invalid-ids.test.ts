/** Records whose id cannot identify them. */
import { expect, it } from 'vitest';
import { SmallMuseum } from '../mirror/small-museum.js';
import { opac } from './run-in-process.js';

it.each(['{"a":1}', '[1]', 'true'])(
  'reports an id that is neither text nor a number as missing: %s',
  async (id) => {
    const body = `{"opacObjects":[{"opacObjectId":"1","slug":"a"},{"opacObjectId":${id},"slug":"b"}],"totalObjects":2}`;
    const museum = await SmallMuseum.start();
    museum.fault = ({ offset }) => ({ body: offset === 0 ? body : '{"totalObjects":2}' });
    const { stderr } = await opac(['objects', 'export', '--base-url', museum.url, '-f', 'csv', '-o', '-']);
    expect(stderr).toContain('1 record without an id');
  },
);

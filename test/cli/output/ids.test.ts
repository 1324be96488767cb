/** `-f ids` prints one id per line, even if ids contain line breaks. */
import { expect, it } from 'vitest';
import { escapeIdLine } from '../../../src/service/records/record-key.js';
import { sendJson, serve } from '../../client/server.js';
import { opac } from '../run-in-process.js';

const IDS = ['a\nb', 'c\r\nd', 'e\u2028f\u0085g\vh', 'plain\\n', ' 1 '];
const LINES = ['a\\nb', 'c\\r\\nd', 'e\\u2028f\\u0085g\\u000bh', 'plain\\n', ' 1 '];

it.each(['list', 'export'])('escapes line breaks in the ids of %s', async (verb) => {
  const { url } = await serve((request, response) => {
    const isPast = !/offset=0(&|$)/.test(request.url ?? '');
    const opacObjects = isPast ? [] : IDS.map((opacObjectId) => ({ opacObjectId }));
    sendJson(response, { opacObjects, totalObjects: IDS.length });
  });
  const { stdout, code } = await opac(['objects', verb, '-f', 'ids', '--base-url', url]);
  expect([code, stdout]).toEqual([0, LINES.map((line) => `${line}\n`).join('')]);
});

it('does not change an id without line breaks', () => {
  expect(escapeIdLine('20011 ā "x" \t\\')).toBe('20011 ā "x" \t\\');
});

import { expect, it } from 'vitest';
import { withExchangeLog } from '../../../src/client/layers/exchange-log.js';

it('logs every request, response and failure, and hides the Authorization header', async () => {
  const lines: string[] = [];
  const layer = withExchangeLog({
    baseUrl: 'https://museum.test',
    write: (line) => lines.push(line),
  });
  const request = {
    method: 'GET',
    path: '/opacobjects',
    query: [
      ['code', 's3cret'],
      ['limit', '1'],
    ],
    headers: { authorization: 'Bearer abcdef' },
  } as const;
  const headers = { 'content-type': 'application/json' };
  await layer(async () => ({ status: 200, headers, bytes: Buffer.from('{}'), elapsed: 12.3 }))(request);
  const failing = layer(async () => {
    throw new Error('cut, after Bearer abcdef');
  })(request);
  await expect(failing).rejects.toThrow('cut');
  expect(lines).toEqual([
    '> GET https://museum.test/api/v3/opacobjects?code=s3cret&limit=1, authorization: Bearer [hidden]',
    '< 200 application/json, 2 bytes in 12 ms: GET https://museum.test/api/v3/opacobjects?code=s3cret&limit=1',
    '> GET https://museum.test/api/v3/opacobjects?code=s3cret&limit=1, authorization: Bearer [hidden]',
    '< no response: cut, after Bearer [hidden]',
  ]);
});

it('logs requests without headers, responses without a type, and rejections with a text', async () => {
  const lines: string[] = [];
  const layer = withExchangeLog({ baseUrl: 'https://museum.test', write: (line) => lines.push(line) });
  const request = { method: 'GET', path: '/a' } as const;
  await layer(async () => ({ status: 204, headers: {}, bytes: Buffer.alloc(12_345), elapsed: 1234.5 }))(
    request,
  );
  const failing = layer(() => Promise.reject('cut'))({ ...request, headers: { a: '1', b: '2' } });
  await expect(failing).rejects.toBe('cut');
  expect(lines).toEqual([
    '> GET https://museum.test/api/v3/a',
    '< 204 no type, 12,345 bytes in 1,235 ms: GET https://museum.test/api/v3/a',
    '> GET https://museum.test/api/v3/a, a: 1, b: 2',
    '< no response: cut',
  ]);
});

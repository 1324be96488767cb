import { expect, it } from 'vitest';
import { imageFetcher } from '../../../src/check/probe/fetch-image.js';
import { json, serve } from '../../client/server.js';

it('fetches nothing for a report from where only this machine reaches', async () => {
  const own = await serve((_, response) => json(response, { password: 'of this machine' }));
  const { signal } = new AbortController();
  const fetcher = (baseUrl: string) => imageFetcher({ baseUrl, timeout: 5, environment: {} });
  await expect(fetcher('https://museum.example')(`${own.url}/x.png`, signal)).rejects.toThrow(
    'the image is on this machine, and the deployment is not',
  );
  expect(own.paths).toEqual([]);
  expect(await fetcher(own.url)(`${own.url}/x.png`, signal)).toMatchObject({ status: 200 });
});

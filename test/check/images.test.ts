/** The checks of images accept the same responses as a download. */
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serve } from '../client/server.js';
import { checkMuseum, listDeviations, openMuseum } from './check-museum.js';

/** Runs the checks against a museum whose images are on another server. `respond` creates the handler of this server. */
async function checkImages(respond: (museum: string) => RequestListener) {
  let museum = '';
  const server = await serve((request, response) => respond(museum)(request, response));
  const opened = await openMuseum({ imageBaseUrl: server.url });
  museum = opened.url;
  const run = await checkMuseum(opened, undefined);
  const deviations = run.report.checks.flatMap((each) => each.deviations.map(({ received }) => received));
  return { found: listDeviations(run), deviations, requests: run.report.requests };
}

describe('the checks of images', { timeout: 30_000 }, () => {
  it('pass after redirects, with fewer than 100 requests', async () => {
    const { found, requests } = await checkImages((museum) => (request, response) => {
      response.writeHead(301, { location: `${museum}${request.url}` }).end();
    });
    expect(found).toEqual([]);
    expect(requests).toBeLessThan(100);
  });

  it('fail once if the image host does not respond, and the run continues', async () => {
    const run = await checkMuseum(await openMuseum({ imageBaseUrl: 'http://127.0.0.1:9' }), undefined);
    expect(listDeviations(run)).toEqual(['images.load fail']);
    expect(run.report.ended).toBe('finished');
    expect(run.report.checks.find(({ id }) => id === 'images.load')?.deviations).toHaveLength(1);
  });

  it('fail for each derivative that is too large', async () => {
    const { found, deviations } = await checkImages(() => (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '99999999999' }).write('x');
    });
    expect(found).toEqual(['images.load fail']);
    expect(deviations.length).toBeGreaterThan(1);
  });

  it('fail if an image redirects to itself', async () => {
    const { found, deviations } = await checkImages(() => (request, response) => {
      response.writeHead(302, { location: request.url }).end();
    });
    expect(found).toEqual(['images.load fail']);
    expect(deviations[0]).toContain('redirects more than 5 times');
  });

  it('fail if the connection closes before the end of an image', async () => {
    const { found } = await checkImages((museum) => async (request, response) => {
      const image = Buffer.from(await (await fetch(`${museum}${request.url}`)).arrayBuffer());
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { 'content-type': 'image/png', connection: 'close' });
      response.end(image.subarray(0, -3));
    });
    expect(found).toEqual(['images.load fail']);
  });

  it('warn about a content type that is not an image type', async () => {
    const { found, deviations } = await checkImages((museum) => async (request, response) => {
      const image = Buffer.from(await (await fetch(`${museum}${request.url}`)).arrayBuffer());
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(image);
    });
    expect(found).toEqual(['images.load warn']);
    expect(deviations[0]).toContain('application/octet-stream');
  });
});

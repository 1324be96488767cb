/** Checks of images: they accept and refuse what a download does. */
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serve } from '../client/server.js';
import { checkMuseum, deviating, openMuseum } from './check-museum.js';

/** What the checks of images find when this server, and not the museum, has the pictures. */
async function imagesFrom(respond: (museum: string) => RequestListener) {
  let museum = '';
  const server = await serve((request, response) => respond(museum)(request, response));
  const opened = await openMuseum({ imageBaseUrl: server.url });
  museum = opened.url;
  const run = await checkMuseum(opened, undefined);
  const deviations = run.report.checks.flatMap((each) => each.deviations.map(({ received }) => received));
  return { found: deviating(run), deviations, requests: run.report.requests };
}

describe('images', { timeout: 30_000 }, () => {
  it('pass behind a redirect, whose requests are counted', async () => {
    const { found, requests } = await imagesFrom((museum) => (request, response) => {
      response.writeHead(301, { location: `${museum}${request.url}` }).end();
    });
    expect(found).toEqual([]);
    expect(requests).toBeLessThan(100);
  });

  it('fail once where their host does not respond, and the run goes on', async () => {
    const run = await checkMuseum(await openMuseum({ imageBaseUrl: 'http://127.0.0.1:9' }), undefined);
    expect(deviating(run)).toEqual(['images.load fail']);
    expect(run.report.ended).toBe('finished');
    expect(run.report.checks.find(({ id }) => id === 'images.load')?.deviations).toHaveLength(1);
  });

  it('fail when they redirect to themselves', async () => {
    const { found, deviations } = await imagesFrom(() => (request, response) => {
      response.writeHead(302, { location: request.url }).end();
    });
    expect(found).toEqual(['images.load fail']);
    expect(deviations[0]).toContain('redirects more than 5 times');
  });

  it('fail when they break off with the connection', async () => {
    const { found } = await imagesFrom((museum) => async (request, response) => {
      const whole = Buffer.from(await (await fetch(`${museum}${request.url}`)).arrayBuffer());
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { 'content-type': 'image/png', connection: 'close' });
      response.end(whole.subarray(0, -3));
    });
    expect(found).toEqual(['images.load fail']);
  });

  it('warn of a type that is not one of images, as a download takes them', async () => {
    const { found, deviations } = await imagesFrom((museum) => async (request, response) => {
      const whole = Buffer.from(await (await fetch(`${museum}${request.url}`)).arrayBuffer());
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(whole);
    });
    expect(found).toEqual(['images.load warn']);
    expect(deviations[0]).toContain('application/octet-stream');
  });
});

/** A web page whose host name resolves to this machine (DNS rebinding) cannot read the responses of a museum. */
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MuseumOptions, startMuseum } from '../../../src/mock/index.js';

async function getStatus(host: string, path = '/api/v3/opacobjects?limit=0', options: MuseumOptions = {}) {
  const museum = await startMuseum(options);
  onTestFinished(() => museum.close());
  const { port } = new URL(museum.url);
  const sent = request({ port, path, agent: false, headers: { host: host.replace('PORT', port) } }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

describe('the museum', () => {
  it.each([
    '127.0.0.1:PORT',
    '127.0.0.1',
    'localhost:PORT',
    'LOCALHOST',
    'localhost.',
    '[::1]:PORT',
    '10.0.0.7',
  ])('responds to a request for %s', async (host) => {
    expect(await getStatus(host)).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:PORT',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'notlocalhost',
    '[evil]',
  ])('returns 421 to a request for "%s"', async (host) => {
    expect(await getStatus(host)).toBe(421);
    expect(await getStatus(host, '/api/v3/oauth/authorize')).toBe(421);
    expect(await getStatus(host, '/nothing')).toBe(421);
  });

  it('responds to a request for a name in allowHosts', async () => {
    const options = { allowHosts: ['Museum.test'] };
    expect(await getStatus('museum.test:PORT', undefined, options)).toBe(200);
    expect(await getStatus('other.test', undefined, options)).toBe(421);
  });
});

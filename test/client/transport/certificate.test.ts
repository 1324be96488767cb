import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../server.js';

const run = promisify(execFile);
const AUTHORITY = 'test/fixtures/tls/certificate.pem';

it('trusts the certificate authority in NODE_EXTRA_CA_CERTS', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const outfile = join(folder, 'ask.mjs');
  await build({
    stdin: {
      contents: `
        import { createTransport } from './src/client/transport/transport.ts';
        const transport = createTransport({ baseUrl: process.argv[2] });
        const response = await transport.send({ method: 'GET', path: '/opacobjects' });
        console.log(response.bytes.toString());
        await transport.close();`,
      resolveDir: '.',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    define: { OPAC_VERSION: '"0.0.0"' },
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  const key = await readFile('test/fixtures/tls/key.pem');
  const server = createServer({ key, cert: await readFile(AUTHORITY) }, (_, response) =>
    response.end('{"trusted":true}'),
  );
  const url = (await listen(server)).replace('http:', 'https:');
  const ask = (environment: Record<string, string>) =>
    run(process.execPath, [outfile, url], { env: environment });
  await expect(ask({})).rejects.toThrow('self-signed');
  expect((await ask({ NODE_EXTRA_CA_CERTS: AUTHORITY })).stdout).toBe('{"trusted":true}\n');
});

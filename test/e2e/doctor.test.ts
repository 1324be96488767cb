/** `opac doctor` over real connections to 127.0.0.1. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { listen } from '../client/server.js';
import { COMMAND, createFolder, opac } from './opac.js';

const CERTIFICATE = 'test/fixtures/tls/certificate.pem';

/** Starts a TLS server whose clock is one hour behind. Returns its URL. */
async function startSecureServer(status = 200, body = '{"total":0,"records":[]}') {
  const [key, cert] = await Promise.all([readFile('test/fixtures/tls/key.pem'), readFile(CERTIFICATE)]);
  const server = createServer({ key, cert, maxVersion: 'TLSv1.2' }, (_, response) => {
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  return (await listen(server)).replace('http:', 'https:');
}

async function diagnose(words: readonly string[], environment: Record<string, string> = {}) {
  const config = await createFolder();
  const result = await opac(['doctor', '-f', 'json', ...words], {
    environment: { OPAC_CONFIG_DIR: config, ...environment },
  });
  return { ...result, json: JSON.parse(result.stdout) };
}

describe('opac doctor', () => {
  it('prints the TLS version, the clock difference and the certificates', async () => {
    const url = await startSecureServer();
    const { code, json } = await diagnose(['--base-url', url], { NODE_EXTRA_CA_CERTS: CERTIFICATE });
    expect(code).toBe(0);
    expect(json.deployment).toMatchObject({ baseUrl: url, responds: true, status: 200, tls: 'TLSv1.2' });
    expect(Math.abs(json.deployment.clockSecondsAhead - 3600)).toBeLessThan(5);
    expect(json.certificates).toMatchObject({
      extraFile: { path: CERTIFICATE, readable: true },
      checked: true,
    });
    expect(json.versions.singleExecutable).toBe(COMMAND.length === 1);
    if (COMMAND.length === 1) expect(json.keyring).toMatch(/^not part of the single executable/);
  });

  it('exits with 5 and prints the reason if the deployment cannot be used', async () => {
    const url = await startSecureServer();
    const untrusted = await diagnose(['--base-url', url]);
    expect(untrusted.code).toBe(5);
    expect(untrusted.json.deployment).toMatchObject({ responds: false, code: 'certificate' });
    expect(untrusted.json.deployment.hint).toContain('NODE_EXTRA_CA_CERTS');
    const portal = await startSecureServer(200, '<html>Log in to this network</html>');
    const captive = await diagnose(['--base-url', portal], { NODE_EXTRA_CA_CERTS: CERTIFICATE });
    expect(captive.code).toBe(5);
    expect(captive.json.deployment.problem).toContain('web page');
    const unreachable = await diagnose(['--base-url', 'http://127.0.0.1:9']);
    expect(unreachable).toMatchObject({
      code: 5,
      json: { deployment: { responds: false, code: 'connection-refused' } },
    });
  });

  it('prints profiles and variables without secrets, and accepts missing credentials', async () => {
    const museum = await startMuseum({ access: 'authorized' });
    try {
      const folder = await createFolder();
      const login = await opac(['login', '--basic-key', '--base-url', museum.url, '-q'], {
        environment: { OPAC_CONFIG_DIR: folder },
        stdin: museum.basicKey,
      });
      expect(login.code).toBe(0);
      const environment = {
        OPAC_CONFIG_DIR: folder,
        OPAC_CLIENT_SECRET: 'a-secret-of-the-client',
        HTTPS_PROXY: 'http://user:a-password@127.0.0.1:9',
      };
      for (const format of [['-f', 'json'], []]) {
        const { code, stdout } = await opac(['doctor', ...format], { environment });
        expect(code).toBe(0);
        expect(stdout).toContain('OPAC_CLIENT_SECRET');
        expect(stdout).toContain('basicKey');
        for (const secret of [museum.basicKey, 'a-secret', 'a-password'])
          expect(stdout).not.toContain(secret);
      }
      const { json } = await diagnose([], { OPAC_CONFIG_DIR: folder });
      expect(json.deployment).toMatchObject({ responds: true, status: 401, tls: null });
      expect(json.folders.profileFile).toMatchObject({ permissions: '600', writable: true });
    } finally {
      await museum.close();
    }
  });

  it('works without a deployment, a home folder or a readable profile file, and creates nothing', async () => {
    const nowhere = join(await createFolder(), 'nowhere');
    const { code, json } = await diagnose([], { OPAC_CONFIG_DIR: nowhere });
    expect(code).toBe(0);
    expect(json).toMatchObject({ profile: null, deployment: null });
    expect(json.folders.profiles).toEqual({ path: nowhere, problem: 'does not exist' });
    await mkdir(nowhere);
    await writeFile(join(nowhere, 'profiles.json'), '{}', { mode: 0o644 });
    const readable = await diagnose([], { OPAC_CONFIG_DIR: nowhere });
    expect(readable.code).not.toBe(0);
    expect(readable.json.deployment.hint).toContain('chmod 600');
  });
});

it('prints the version of Node with opac --version --verbose', async () => {
  const [short, long] = await Promise.all([opac(['-V']), opac(['--verbose', '--version'])]);
  expect(long.stdout).toMatch(/\nNode\.js \d+\.\d+\.\d+\n\w+ \w+\n$/);
  expect(long.stdout.startsWith(short.stdout)).toBe(true);
  if (COMMAND.length > 1) expect(long.stdout).toContain(process.versions.node);
});

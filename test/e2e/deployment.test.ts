/** The built program with credentials, and with deployments that fail or cannot be reached. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { COMMAND, createFolder, opac, splitCommandLine } from './opac.js';
import { collectOutcomes, runAgainstMuseum, splitLines } from './run-against-museum.js';

/** Lets a server listen on 127.0.0.1 until the test ends. Returns its port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const startSite = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createServer(answer))}`;
const runList = (baseUrl: string, options = '', environment: Record<string, string> = {}) =>
  opac([...splitCommandLine(`objects list --limit 1 -f ids --retries 0 ${options}`), '--base-url', baseUrl], {
    environment,
  });

describe('credentials', () => {
  it('are read from the environment, and cause an error with a hint if they are wrong', async () => {
    const museum = await startMuseum({ access: 'authorized' });
    onTestFinished(() => museum.close());
    const rows = [
      ['a basic key', { OPAC_BASIC_KEY: museum.basicKey }, 0, `Basic ${museum.basicKey}`],
      ['a token', { OPAC_ACCESS_TOKEN: museum.issueToken() }, 0, /^Bearer \S+$/],
      ['a wrong key', { OPAC_BASIC_KEY: 'c2VjcmV0' }, 4, 'check OPAC_BASIC_KEY'],
      ['a wrong token', { OPAC_ACCESS_TOKEN: 'secret' }, 4, 'OPAC_ACCESS_TOKEN'],
      ['none', {}, 4, 'opac login'],
      [
        'a key with a line break in it',
        { OPAC_BASIC_KEY: 'a\nb' },
        2,
        'OPAC_BASIC_KEY contains characters that a header cannot contain',
      ],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([, environment]) => {
      const { code, stdout, stderr } = await opac(splitCommandLine('objects list --limit 1 -f ids'), {
        environment: { OPAC_BASE_URL: museum.url, ...environment },
      });
      return { code, stdout, stderr };
    });
    for (const [name, , code, words] of rows) {
      expect({ name, code: outcome[name]?.code }).toEqual({ name, code });
      expect(outcome[name]?.stdout).toBe(code === 0 ? '20011\n' : '');
      if (code === 0) {
        const sent = museum.requests.map(({ headers }) => headers.authorization ?? '');
        expect(sent.some((value) => value.match(words))).toBe(true);
      } else expect(outcome[name]?.stderr).toContain(words);
    }
  });

  it('never appear in the messages, even with --debug', async () => {
    const secret = 'c2VjcmV0LWtleQ';
    const outcomes = await Promise.all(
      [{ OPAC_BASIC_KEY: secret }, { OPAC_ACCESS_TOKEN: secret }].map((environment) =>
        runAgainstMuseum('objects list --debug --verbose', { environment, museum: { access: 'authorized' } }),
      ),
    );
    for (const { code, stderr, requests } of outcomes) {
      expect(requests[0]?.headers.authorization).toContain(secret);
      expect(code).toBe(4);
      expect(stderr).toContain('GET /opacobjects');
      expect(stderr).not.toContain(secret);
    }
  });

  it('cause exit code 2 if the profile does not exist', async () => {
    const environment = { OPAC_PROFILE: 'nowhere', OPAC_CONFIG_DIR: await createFolder() };
    const { code, stderr } = await opac(splitCommandLine('objects list'), { environment });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'opac: no profile "nowhere"; log in with "opac login"\n',
    });
  });
});

describe('a deployment that cannot be reached', () => {
  it('causes exit code 5 and one line with the reason', async () => {
    const tls = async (name: string) =>
      readFile(fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url)));
    const selfSigned = createTlsServer({ cert: await tls('certificate'), key: await tls('key') });
    const html = await startSite((_, response) =>
      response.setHeader('content-type', 'text/html').end('<html>Welcome</html>'),
    );
    const notFound = await startSite((_, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>'),
    );
    const otherApi = await startSite((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"a":1}'),
    );
    const truncated = await startSite((_, response) => response.end('{"opacObjects":[{"opacObj'));
    const redirecting = await startSite((_, response) =>
      response.writeHead(302, { location: 'http://localhost:1/x' }).end(),
    );
    const busy = await startSite((_, response) => response.writeHead(503).end());
    // A port that was free a moment ago may now belong to another test. No program listens on port 1.
    const closedPort = 1;
    const proxy = createServer((_, response) => response.writeHead(403).end());
    proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;

    const rows = [
      [
        'no server',
        `http://127.0.0.1:${closedPort}`,
        {},
        `cannot connect to http://127.0.0.1:${closedPort}: connection refused`,
      ],
      ['no host', 'https://no-such-museum.invalid', {}, '"no-such-museum.invalid"'],
      ['a web page', html, {}, 'the server sent a web page instead of records'],
      ['another site', notFound, {}, 'the API was not found at this URL'],
      ['another API', otherApi, {}, 'the response is not a list of records: it contains "a"'],
      ['an incomplete response', truncated, {}, 'the response is incomplete or damaged'],
      ['a redirect to another host', redirecting, {}, 'credentials must not be sent there'],
      ['a busy service', busy, {}, 'the service is busy (503)'],
      [
        'a self-signed certificate',
        `https://127.0.0.1:${await listen(selfSigned)}`,
        {},
        'is self-signed and cannot be trusted',
      ],
      [
        'a proxy that refuses',
        'https://museum.invalid',
        { HTTPS_PROXY: proxyUrl },
        'the proxy refused to connect to museum.invalid',
      ],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([, baseUrl, environment, sentence]) => {
      const { code, stdout, stderr } = await runList(baseUrl, '', environment);
      const oneLine = splitLines(stderr).length === 1;
      return { code, stdout, oneLine, message: stderr.includes(sentence) ? sentence : stderr };
    });
    expect(outcome).toEqual(
      Object.fromEntries(
        rows.map(([name, , , message]) => [name, { code: 5, stdout: '', oneLine: true, message }]),
      ),
    );
  });

  it('shows its causes only with --debug', async () => {
    const html = await startSite((_, response) =>
      response.setHeader('content-type', 'text/html').end('<html>'),
    );
    const [plain, debug] = await Promise.all([runList(html), runList(html, '--debug')]);
    expect(plain.stderr).not.toContain('    at ');
    expect(debug.stderr).toContain('    at ');
    expect(debug.stderr).toMatch(/^> GET .*\/opacobjects\?/);
    expect(debug.stderr).toMatch(/^< 200 /m);
  });
});

describe('an unreliable deployment', () => {
  it('receives retries, up to --retries', async () => {
    const museum: MuseumOptions = {
      faults: [{ kind: 'status', status: 503, first: 2, retryAfter: 'seconds', retryAfterSeconds: 0 }],
    };
    const [patient, impatient] = await Promise.all([
      runAgainstMuseum('objects list --limit 1 -f ids', { museum }),
      runAgainstMuseum('objects list --limit 1 -f ids --retries 1', { museum }),
    ]);
    expect(patient.stdout).toBe('20011\n');
    expect(patient.requests.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(impatient.code).toBe(5);
    expect(impatient.requests.map(({ status }) => status)).toEqual([503, 503]);
  });

  it('causes exit code 5 if it does not finish a response within --timeout', async () => {
    const { code, stderr } = await runAgainstMuseum('objects list --timeout 0.3 --retries 0', {
      museum: { faults: [{ kind: 'stall' }] },
    });
    expect(code).toBe(5);
    expect(stderr).toContain('started a response, but did not finish it within 0.3 s');
  });

  it('receives requests at --rate, and returns all records with --concurrency 1', async () => {
    const [sequential, slow] = await Promise.all([
      runAgainstMuseum('objects list --all --page-size 20 -f ids --concurrency 1'),
      runAgainstMuseum('objects list --limit 3 --page-size 1 -f ids --rate 4'),
    ]);
    expect(splitLines(sequential.stdout)).toHaveLength(163);
    const [first, , third] = slow.requests.map(({ at }) => at);
    // Two intervals of 250 ms. A busy machine may log the first request late, but by less than one interval.
    expect((third ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(250);
  });

  it('causes exit code 6 after an incomplete list, and the received records are printed', async () => {
    const { code, stdout, stderr } = await runAgainstMuseum('objects list --all -f ids', {
      museum: { faults: [{ kind: 'offset-ignored' }] },
    });
    expect(code).toBe(6);
    expect(splitLines(stdout)).toHaveLength(100);
    expect(stderr).toContain('this deployment ignores offset');
  });

  it('may send ids and sizes as numbers, or use gzip, without an effect on the output', async () => {
    const plain = await runAgainstMuseum(
      'objects list --limit 5 -f tsv --columns id,title,image.LARGE.width',
    );
    const rows = [
      ['numbers', { idType: 'number', sizeType: 'number' }],
      ['gzip', { gzip: true }],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([, museum]) => {
      const { stdout } = await runAgainstMuseum(
        'objects list --limit 5 -f tsv --columns id,title,image.LARGE.width',
        {
          museum,
        },
      );
      return stdout;
    });
    expect(outcome).toEqual(Object.fromEntries(rows.map(([name]) => [name, plain.stdout])));
  });
});

// Node loads no modules of NODE_OPTIONS in a single executable.
it.skipIf(COMMAND.length === 1)(
  'exits at its deadline during a DNS lookup that cannot be cancelled',
  async () => {
    const never = "import dns from 'node:dns'; dns.lookup = () => setTimeout(() => {}, 600_000)";
    const { code, stderr } = await opac(
      ['objects', 'list', '--base-url', 'https://museum.invalid', '--deadline', '100ms'],
      {
        environment: {
          OPAC_BASIC_KEY: 'key-of-museum',
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(never)}`,
        },
      },
    );
    expect(stderr).toMatch(/^opac: the command did not end within 0\.1 s/);
    expect(code).toBe(5);
  },
);

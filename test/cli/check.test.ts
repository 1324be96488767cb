/** Exit codes, reports, baselines and output of `opac check`. test/e2e/check.test.ts runs it as a process. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { REPORT_SCHEMA } from '../../src/check/reports/report-schema.js';
import type { Museum } from '../../src/mock/index.js';
import {
  createBaseUrlOption,
  createReportOptions,
  expectValid,
  readReports,
  startTestMuseum,
} from '../e2e/check-setup.js';
import { createFolder } from '../e2e/opac.js';
import { opac } from './run-in-folder.js';

describe('the exit code', () => {
  const DEAD = 'http://127.0.0.1:9';

  it('is 0 if all checks pass', async () => {
    const { code, stdout, stderr } = await opac(['check', ...createBaseUrlOption(await startTestMuseum())]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^0 failed, 0 warned, \d+ passed, \d+ skipped; \d\d requests in [\d.]+ s$/m);
  });

  it('is 7 for a failure, which is printed with expected, received and a curl command', async () => {
    const museum = await startTestMuseum({ faults: [{ kind: 'and-as-or' }] });
    const { code, stdout, stderr } = await opac(['check', ...createBaseUrlOption(museum)]);
    expect(code).toBe(7);
    expect(stderr).toMatch(/^opac: 1 of \d+ checks failed/);
    const [, ...details] =
      /^FAIL {2}search\.and.*\n +expected (.*(?:\n +\|.*)*)\n +received (.*)\n +(curl .*)$/m.exec(stdout) ??
      [];
    expect(details).toEqual([
      expect.stringContaining('AND'),
      expect.stringMatching(/^\d+$/),
      expect.stringContaining(museum.url),
    ]);
  });

  it('is 0 with a warning, and 7 with --fail-on-warning', async () => {
    const museum = createBaseUrlOption(await startTestMuseum({ maxPageSize: 50 }));
    expect((await opac(['check', ...museum, '--only', 'paging'])).code).toBe(0);
    expect((await opac(['check', ...museum, '--only', 'paging', '--fail-on-warning'])).code).toBe(7);
  });

  it('is 4 without valid credentials, and the reports are valid', async () => {
    const folder = await createFolder();
    const { code } = await opac([
      'check',
      ...createBaseUrlOption(await startTestMuseum({ access: 'authorized' })),
      ...createReportOptions(folder),
    ]);
    expect(code).toBe(4);
    await expectValid(folder);
    expect(JSON.parse(await readFile(join(folder, 'json'), 'utf8')).ended).toBe('unauthorized');
  });

  it('is 5 without a connection, also after --wait, and the reports are valid', async () => {
    const folder = await createFolder();
    const { code, stderr } = await opac([
      'check',
      '--base-url',
      DEAD,
      '--wait',
      '100ms',
      ...createReportOptions(folder),
    ]);
    expect(code).toBe(5);
    expect(stderr).toMatch(/^opac: .*127\.0\.0\.1:9/m);
    await expectValid(folder);
  });

  it.each([
    [['--only', 'pagin'], 'did you mean "paging"'],
    [['--report', 'xml=x'], 'invalid report "xml"'],
    [['--report', 'check.html'], '; for example: --report html=check.html'],
    [['--report', 'junit'], 'needs a file'],
    [['--report', 'junit=missing/x.xml'], 'folder "missing" for "missing/x.xml" does not exist'],
    [['--known', '/nowhere/known.txt'], '/nowhere/known.txt'],
    [['--expect', 'objects'], '--expect'],
    [['--expect', 'object=3'], 'did you mean "objects"'],
    [['--expect', 'latency=2 parsecs'], '--expect latency'],
    [['--expect', 'tolerance=-1'], '--expect tolerance'],
  ])('is 2 for %j', async (words, message) => {
    const { code, stderr } = await opac(['check', '--base-url', DEAD, ...words]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('a hostile deployment', () => {
  const TOKEN = 'sesame-0123456789';
  const MARKUP =
    '</testcase><script>alert(1)</script>\u001b]0;x\u0007\n::error::x\nnot ok 1\n##vso[task.complete]';

  it('cannot write its markup, control characters or the token to the output or reports', async () => {
    const folder = await createFolder();
    const server = createServer(({ headers: { authorization } }, response) => {
      const text = `${MARKUP} ${authorization}`;
      const record = {
        opacObjectId: text,
        recordType: text,
        opacObjectFieldSets: [{ identifier: text, opacObjectFields: [{ value: text }] }],
      };
      const body = {
        opacObjects: [record],
        opacRecords: [record],
        totalObjects: text,
        message: text,
        [text]: text,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await opac(
      ['check', '--base-url', url, ...createReportOptions(folder)],
      {
        environment: { OPAC_ACCESS_TOKEN: TOKEN },
      },
    );
    expect(code).toBe(7);
    await expectValid(folder);
    const texts = [stdout, stderr, ...(await readReports(folder))];
    expect(texts.length).toBeGreaterThan(6);
    for (const text of texts) {
      expect(text).not.toContain(TOKEN);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
      expect(text).not.toMatch(/[\u001b\u0007]|##vso\[/);
    }
    expect(stdout).not.toMatch(/^\s*::/m);
    const [junit, , , html] = texts.slice(2);
    expect(junit).not.toContain('<script');
    expect(html).not.toContain('<script');
  });
});

describe('--known and --baseline', () => {
  it('accept a known deviation, and print its reason', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'known.txt'), 'paging.cap agreed with IT\n');
    const words = [
      'check',
      ...createBaseUrlOption(await startTestMuseum({ maxPageSize: 50 })),
      '--only',
      'paging',
      '--fail-on-warning',
      '--known',
      'known.txt',
    ];
    const { code, stdout } = await opac(words, { folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^skip {2}paging\.cap +known: agreed with IT\b/m);
  });

  it('write a baseline, and fail a later check if the deployment has a new field', async () => {
    const folder = await createFolder();
    const words = (museum: Museum) => ['check', ...createBaseUrlOption(museum), '--baseline', 'base.json'];
    const written = await opac([...words(await startTestMuseum()), '--update-baseline'], { folder });
    expect(written).toMatchObject({ code: 0, stderr: 'wrote the baseline to base.json\n' });
    expect((await opac(words(await startTestMuseum()), { folder })).code).toBe(0);
    const { code, stdout } = await opac(words(await startTestMuseum({ faults: [{ kind: 'field-added' }] })), {
      folder,
    });
    expect(code).toBe(7);
    expect(stdout).toContain('no field "donor_phone" in objects');
  });
});

it('does not write the baseline if a check that it depends on fails', async () => {
  const folder = await createFolder();
  const museum = await startTestMuseum({ faults: [{ kind: 'html', on: 'objects.views' }] });
  const words = ['check', ...createBaseUrlOption(museum), '--baseline', 'base.json', '--update-baseline'];
  const { code, stderr } = await opac(words, { folder });
  expect(code).toBe(7);
  expect(stderr).toContain('the baseline was not written: depends on endpoint.objects.views');
  await expect(readFile(join(folder, 'base.json'))).rejects.toThrow('ENOENT');
});

it('exits with 6 if the baseline cannot be written, although all selected checks pass', async () => {
  const folder = await createFolder();
  const museum = await startTestMuseum({ faults: [{ kind: 'status', status: 503, on: 'objects.views' }] });
  const words = [
    'check',
    ...createBaseUrlOption(museum),
    '--only',
    'paging',
    '--baseline',
    'base.json',
    '--update-baseline',
  ];
  const { code, stderr } = await opac(words, { folder });
  expect([code, stderr]).toEqual([6, expect.stringContaining('opac: the baseline was not written')]);
  await expect(readFile(join(folder, 'base.json'))).rejects.toThrow('ENOENT');
});

describe('the output of check', () => {
  it('contains only the JSON report with --report json=-', async () => {
    const { stdout } = await opac([
      'check',
      ...createBaseUrlOption(await startTestMuseum()),
      '--only',
      'access,paging',
      '--report',
      'json=-',
    ]);
    expect(JSON.parse(stdout).checks).toHaveLength(10);
  });

  it('is the JSON report with -f json, and its schema is in the help', async () => {
    const { stdout } = await opac([
      'check',
      ...createBaseUrlOption(await startTestMuseum()),
      '--only',
      'access',
      '-f',
      'json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, summary: { fail: 0 } });
    expect(JSON.parse((await opac(['help', 'check-report', '-f', 'json'])).stdout)).toEqual(
      JSON.parse(JSON.stringify(REPORT_SCHEMA)),
    );
  });

  it('contains annotations for GitHub Actions, and a report is added to the job summary', async () => {
    const folder = await createFolder();
    const summary = join(folder, 'summary.md');
    await writeFile(summary, '# before\n');
    const { stdout } = await opac(
      [
        'check',
        ...createBaseUrlOption(await startTestMuseum({ maxPageSize: 50 })),
        '--only',
        'paging',
        '--report',
        'github',
      ],
      {
        environment: { GITHUB_STEP_SUMMARY: summary },
      },
    );
    expect(stdout).toMatch(/^::warning title=paging\.cap::/m);
    expect(await readFile(summary, 'utf8')).toMatch(/^# before\n# Check of /);
  });

  it('lists the checks with --list, without a deployment', async () => {
    const { code, stdout } = await opac(['check', '--list', '-f', 'json']);
    expect(code).toBe(0);
    const checks = JSON.parse(stdout);
    expect(checks.length).toBeGreaterThan(90);
    expect(checks[0]).toMatchObject({ id: 'access.works' });
  });

  it('lists curl commands with --dry-run, and the museum receives no request', async () => {
    const museum = await startTestMuseum();
    const { code, stdout } = await opac(['check', ...createBaseUrlOption(museum), '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^curl -sS/m);
    expect(museum.requests).toEqual([]);
  });
});

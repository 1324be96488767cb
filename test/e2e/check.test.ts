/** `opac check` as a process: incomplete runs, and the recipes of the documents. Other tests: test/cli/check.test.ts. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { readPageText } from '../docs/documents.js';
import { createBaseUrlOption, createReportOptions, expectValid, startTestMuseum } from './check-setup.js';
import { createFolder, SCRIPT, start, waitForEnd } from './opac.js';

describe('an incomplete check', () => {
  it('exits with 130 and writes valid reports if it is interrupted', async () => {
    const folder = await createFolder();
    const museum = await startTestMuseum({ latency: 40 });
    const child = start([
      'check',
      ...createBaseUrlOption(museum),
      '--debug',
      '--concurrency',
      '1',
      ...createReportOptions(folder),
    ]);
    const end = waitForEnd(child);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    expect((await end).code).toBe(130);
    await expectValid(folder);
    expect(JSON.parse(await readFile(join(folder, 'json'), 'utf8')).ended).toBe('interrupted');
  });

  it('exits with 5, skips the remaining checks and writes valid reports if the deployment stops', async () => {
    const folder = await createFolder();
    const museum = await startTestMuseum({ latency: 20 });
    const child = start([
      'check',
      ...createBaseUrlOption(museum),
      '--debug',
      '--concurrency',
      '2',
      ...createReportOptions(folder),
    ]);
    const end = waitForEnd(child);
    let lines = 0;
    child.stderr?.on('data', (text: string) => {
      lines += text.split('\n').length;
      if (lines > 30) void museum.close();
    });
    expect((await end).code).toBe(5);
    await expectValid(folder);
    const report = JSON.parse(await readFile(join(folder, 'json'), 'utf8'));
    expect(report).toMatchObject({ ended: 'unreachable', summary: { fail: 1 } });
    expect(report.checks.at(-1).reason).toContain('does not respond');
  });
});

describe('--wait', () => {
  it('waits for a deployment that is starting', async () => {
    const before = await startMuseum();
    const port = Number(new URL(before.url).port);
    await before.close();
    const child = start([
      'check',
      ...createBaseUrlOption(before),
      '--wait',
      '60s',
      '--only',
      'access',
      '--retries',
      '0',
      '--verbose',
    ]);
    const end = waitForEnd(child);
    child.stderr?.once('data', () => void startTestMuseum({ port }));
    expect(await end).toMatchObject({ code: 0, stderr: expect.stringContaining('retrying in') });
  });
});

describe('a recipe of docs/checks-in-ci.md', () => {
  const findRecipe = (pattern: RegExp) => {
    const [, command = ''] = pattern.exec(readPageText('checks-in-ci')) ?? [];
    expect(command).toContain('opac check');
    return command;
  };

  /** Runs a shell command like CI or cron. PATH contains opac, and a `mail` program that only stores its input. */
  async function runShell(command: string, museum: Museum, missing?: string) {
    const folder = await createFolder();
    const writeProgram = async (name: string, script: string) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    };
    await writeProgram('opac', SCRIPT);
    await writeProgram('mail', `{ echo "$@"; cat; } >"${folder}/mail.txt"`);
    await mkdir(join(folder, 'check'));
    const secret = `export OPAC_BASE_URL=${museum.url} OPAC_BASIC_KEY=${museum.basicKey}\n`;
    await writeFile(join(folder, 'check', 'opac.env'), secret);
    const environment = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, OPAC_CONFIG_DIR: folder };
    const run = (line: string) => {
      const ran = promisify(execFile)('sh', ['-c', line], { cwd: join(folder, 'check'), env: environment });
      return ran;
    };
    // With a fault, this run exits with 7, but still writes the baseline.
    await run('. ./opac.env && opac check --baseline baseline.json --update-baseline || test $? = 7');
    await writeFile(join(folder, 'check.txt'), 'of an earlier run');
    if (missing !== undefined) await rm(join(folder, missing));
    const read = (name: string) => readFile(join(folder, name), 'utf8');
    return { read, ended: run(command.includes('cd ') ? command : `. ./opac.env && ${command}`) };
  }

  it.each([
    ['GitHub Actions', /^ {6}- run: (opac check .*)$/m],
    ['GitLab', /^ {4}- (opac check .*)$/m],
  ])('passes and writes its reports in %s', async (_, pattern) => {
    const { ended, read } = await runShell(
      findRecipe(pattern),
      await startTestMuseum({ access: 'authorized' }),
    );
    await ended;
    expect(await read('check/check.xml')).toContain('<testsuites>');
    expect(await read('check/check.html')).toContain('</html>');
  });

  it.each([
    [undefined, undefined],
    [{ kind: 'and-as-or' } as const, 'opac check: exit 7'],
  ])('sends a mail from cron only if the check fails: fault %j, subject %j', async (fault, subject) => {
    const museum = await startTestMuseum({ access: 'authorized', ...(fault && { faults: [fault] }) });
    const { ended, read } = await runShell(findRecipe(/^0 5 \* \* \* (.*)$/m), museum);
    expect((await ended).stdout).toBe('');
    const mail = await read('mail.txt').catch(() => undefined);
    if (subject === undefined) expect(mail).toBeUndefined();
    else expect(mail).toMatch(new RegExp(`^-s ${subject} registrar@example.org\nFAIL {2}search\\.and`));
  });

  it.each([
    ['the baseline is missing', 'check/baseline.json', 'opac check: exit 2', /baseline\.json/],
    ['the variables are missing', 'check/opac.env', 'opac check: exit 2', /opac\.env/],
  ])(
    'sends a mail from cron with the reason, and without an old report, if %s',
    async (_, missing, subject, reason) => {
      const museum = await startTestMuseum({ access: 'authorized' });
      const { ended, read } = await runShell(findRecipe(/^0 5 \* \* \* (.*)$/m), museum, missing);
      await ended;
      const mail = await read('mail.txt');
      expect(mail).toContain(`-s ${subject} registrar@example.org`);
      expect(mail).toMatch(reason);
      expect(mail).not.toContain('of an earlier run');
    },
  );
});

/** `opac check` as a process: interrupted, cut off, and in the recipes of the documents. All else: test/cli/check.test.ts. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { pageText } from '../docs/documents.js';
import { at, expectValid, open, reportsIn } from './check-setup.js';
import { ended, newFolder, SCRIPT, start } from './opac.js';

describe('a run that does not come to its end', () => {
  it('interrupted: 130, and the reports are written and valid', async () => {
    const folder = await newFolder();
    const museum = await open({ latency: 40 });
    const child = start(['check', ...at(museum), '--debug', '--concurrency', '1', ...reportsIn(folder)]);
    const end = ended(child);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    expect((await end).code).toBe(130);
    await expectValid(folder);
    expect(JSON.parse(await readFile(join(folder, 'json'), 'utf8')).ended).toBe('interrupted');
  });

  it('the deployment dies: 5, the rest is skipped with that reason, and the reports are valid', async () => {
    const folder = await newFolder();
    const museum = await open({ latency: 20 });
    const child = start(['check', ...at(museum), '--debug', '--concurrency', '2', ...reportsIn(folder)]);
    const end = ended(child);
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

describe('a deployment that is just coming up', () => {
  it('is waited for', async () => {
    const before = await startMuseum();
    const port = Number(new URL(before.url).port);
    await before.close();
    const child = start([
      'check',
      ...at(before),
      '--wait',
      '60s',
      '--only',
      'access',
      '--retries',
      '0',
      '--verbose',
    ]);
    const end = ended(child);
    child.stderr?.once('data', () => void open({ port }));
    expect(await end).toMatchObject({ code: 0, stderr: expect.stringContaining('retrying in') });
  });
});

describe('the recipes of docs/checks-in-ci.md', () => {
  const recipe = (pattern: RegExp) => {
    const [, command = ''] = pattern.exec(pageText('checks-in-ci')) ?? [];
    expect(command).toContain('opac check');
    return command;
  };

  /** Runs a line of a shell as CI or cron would: with the program on the path, and a mail that only keeps what it is sent. */
  async function shell(command: string, museum: Museum, missing?: string) {
    const folder = await newFolder();
    const program = async (name: string, script: string) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    };
    await program('opac', SCRIPT);
    await program('mail', `{ echo "$@"; cat; } >"${folder}/mail.txt"`);
    await mkdir(join(folder, 'check'));
    const secret = `export OPAC_BASE_URL=${museum.url} OPAC_BASIC_KEY=${museum.basicKey}\n`;
    await writeFile(join(folder, 'check', 'opac.env'), secret);
    const environment = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, OPAC_CONFIG_DIR: folder };
    const run = (line: string) => {
      const ran = promisify(execFile)('sh', ['-c', line], { cwd: join(folder, 'check'), env: environment });
      return ran;
    };
    // With a fault it fails, and the baseline is written all the same.
    await run('. ./opac.env && opac check --baseline baseline.json --update-baseline || test $? = 7');
    await writeFile(join(folder, 'check.txt'), 'of an earlier run');
    if (missing !== undefined) await rm(join(folder, missing));
    const files = (name: string) => readFile(join(folder, name), 'utf8');
    return { files, ended: run(command.includes('cd ') ? command : `. ./opac.env && ${command}`) };
  }

  it.each([
    ['GitHub Actions', /^ {6}- run: (opac check .*)$/m],
    ['GitLab', /^ {4}- (opac check .*)$/m],
  ])('%s: passes, and leaves its reports', async (_, pattern) => {
    const { ended, files } = await shell(recipe(pattern), await open({ access: 'authorized' }));
    await ended;
    expect(await files('check/check.xml')).toContain('<testsuites>');
    expect(await files('check/check.html')).toContain('</html>');
  });

  it.each([
    [undefined, undefined],
    [{ kind: 'and-as-or' } as const, 'opac check: exit 7'],
  ])('cron: with the fault %j it mails %j', async (fault, subject) => {
    const museum = await open({ access: 'authorized', ...(fault && { faults: [fault] }) });
    const { ended, files } = await shell(recipe(/^0 5 \* \* \* (.*)$/m), museum);
    expect((await ended).stdout).toBe('');
    const mail = await files('mail.txt').catch(() => undefined);
    if (subject === undefined) expect(mail).toBeUndefined();
    else expect(mail).toMatch(new RegExp(`^-s ${subject} registrar@example.org\nFAIL {2}search\\.and`));
  });

  it.each([
    ['the baseline is missing', 'check/baseline.json', 'opac check: exit 2', /baseline\.json/],
    ['the variables are missing', 'check/opac.env', 'opac check: exit 2', /opac\.env/],
  ])('cron: when %s it mails why, and not an old report', async (_, missing, subject, reason) => {
    const museum = await open({ access: 'authorized' });
    const { ended, files } = await shell(recipe(/^0 5 \* \* \* (.*)$/m), museum, missing);
    await ended;
    const mail = await files('mail.txt');
    expect(mail).toContain(`-s ${subject} registrar@example.org`);
    expect(mail).toMatch(reason);
    expect(mail).not.toContain('of an earlier run');
  });
});
